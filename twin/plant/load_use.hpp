// What electrical loads are for, and what loses power on the way to them: the parts of which PUE is made.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wattloop::twin {

enum class LoadUse : std::size_t {
  node,
  fabric,
  cdu_pump,
  facility_pump,
  tower,
  chiller,
  chilled_water_pump,
  crah,
  rear_door_fan
};

inline constexpr std::array<std::string_view, 9> load_use_names{
    "node", "fabric", "cdu_pump", "facility_pump", "tower", "chiller", "chilled_water_pump", "crah", "rear_door_fan"};
inline constexpr std::size_t load_use_count = load_use_names.size();

/// For sentences.
inline constexpr std::array<std::string_view, 9> load_use_texts{
    "nodes at their AC inlets", "switches of the fabric",     "CDU pumps",           "facility-water pumps",
    "towers, with their pumps", "chillers, with their pumps", "chilled-water pumps", "air handlers",
    "fans of rear doors"};

constexpr std::size_t index(LoadUse use) { return static_cast<std::size_t>(use); }

/// IT equipment; everything else is cooling.
constexpr bool is_it(LoadUse use) { return use == LoadUse::node || use == LoadUse::fabric; }

/// Equipment of the power tree that loses power on the way, by kind.
enum class LossKind : std::size_t { transformer, ups, pdu };

inline constexpr std::array<std::string_view, 3> loss_kind_names{"transformer", "ups", "pdu"};
inline constexpr std::size_t loss_kind_count = loss_kind_names.size();

constexpr std::size_t index(LossKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace wattloop::twin
