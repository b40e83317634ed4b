// What may happen to a part by order of a scenario, besides that a setting moves.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wattloop {

enum class PartEvent : std::size_t { open, close, fail, restore };

inline constexpr std::array<std::string_view, 4> part_event_names{"open", "close", "fail", "restore"};

constexpr std::string_view name_of(PartEvent event) { return part_event_names[static_cast<std::size_t>(event)]; }

}  // namespace wattloop
