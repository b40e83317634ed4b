// What electrical loads are for: with what is lost on the way to them, the parts of which PUE is made.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/port.hpp"

namespace wattloop::twin {

/// Number of a use in `Plant::uses`: of those that templates know; uses that headers of parts declare follow.
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

inline constexpr std::array known_uses{
    UseOfPower{"node", "nodes at their AC inlets", "nodes", true},
    UseOfPower{"fabric", "switches of the fabric", "fabric", true},
    UseOfPower{"cdu_pump", "CDU pumps", "CDU pumps"},
    UseOfPower{"facility_pump", "facility-water pumps", "facility pumps"},
    UseOfPower{"tower", "towers, with their pumps", "towers"},
    UseOfPower{"chiller", "chillers, with their pumps", "chillers"},
    UseOfPower{"chilled_water_pump", "chilled-water pumps", "chilled pumps"},
    UseOfPower{"crah", "air handlers", "air handlers"},
    UseOfPower{"rear_door_fan", "fans of rear doors", "door fans"},
};

/// For sentences: all that is no IT equipment.
inline constexpr std::string_view cooling_power_text =
    "power of all pumps, towers, chillers, air handlers and door fans";
inline constexpr std::string_view cooling_energy_text = "energy of all pumps, towers, chillers and air handlers";

constexpr std::size_t index(LoadUse use) { return static_cast<std::size_t>(use); }

}  // namespace wattloop::twin
