// A waterside economiser as a sequence of modes sees it (twin/actions/staging/economisers.hpp): what it moves and reads, by numbers of the plant,
// and what it remembers.
#pragma once

#include <any>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "physics/water/cooling_mode.hpp"

namespace wattloop::twin {

/// A plate exchanger of an economiser. Valves are inputs that multiply flows: 1 open, 0 shut.
struct EconomiserExchanger {
  std::size_t motor_group = 0;  ///< its pump
  std::size_t cold_valve_input = 0;
  /// Valves of its warm water: to the return header, before the chillers, or past them to the supply header. Neither exists where only
  /// one way is possible.
  std::optional<std::size_t> to_return_input = {}, to_supply_input = {};
};

/// Other equipment that cools the chilled water: chillers, or parts.
struct EconomiserMachines {
  std::size_t motor_group = 0;
  double each_carries_w = 0.0;  ///< load of each before one more starts; 0: all start
};

/// Water that users bring back.
struct EconomiserReturn {
  std::size_t node = 0;
  std::size_t flow = 0;  ///< signal
};

/// The sequence of one economiser.
struct PlannedEconomiser {
  std::string name;
  std::any params;  ///< physics::WatersideEconomiser::Params
  double every_s = 0.0;
  double deadband_k = 0.0;
  std::vector<EconomiserExchanger> exchangers;
  std::vector<EconomiserMachines> machines;
  std::vector<EconomiserReturn> back;
  std::size_t supply_node = 0;      ///< of the chilled water
  std::size_t set_point_input = 0;  ///< the same
  double specific_heat_j_per_kg_k = 0.0;
  std::string tower_setting;  ///< "facility.supply_temperature"
  std::size_t tower_input = 0;
  bool can_precool = false;  ///< its exchangers lead to the return header
  bool cools_rooms = false;  ///< water of the towers goes through pipes in the hall
  bool cools_condensers = false;
  std::optional<double> dew_point_k = {};  ///< the highest of rooms with humidity control; none: no room has any
  bool has_rooms_like_outside = false;     ///< without it: theirs is that of the air outside
};

/// What it remembers.
struct EconomiserState {
  physics::CoolingModeMemory now;
  std::array<double, 3> before_s{};  ///< [mode] spent in it before the one that holds began
  double own_tower_k = 0.0;          ///< set-point of the towers where the economiser is shut off
  bool may_rise = true;              ///< before a run: no mode was tried that the plant could not hold

  bool operator==(const EconomiserState&) const = default;
};

/// Time in a mode up to `time_s`.
inline double time_in_mode_s(const EconomiserState& state, physics::CoolingMode mode, double time_s) {
  return state.before_s[physics::number_of(mode)] + (mode == state.now.mode ? time_s - state.now.since_s : 0.0);
}

}  // namespace wattloop::twin
