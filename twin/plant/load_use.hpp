// What electrical loads are for: with what is lost on the way to them, the parts of which PUE is made.
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

}  // namespace wattloop::twin
