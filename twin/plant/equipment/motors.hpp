// What turns and what can be set: motors, groups of them that share the work, and settings that events and sequences move.
// `_state` counts in the states, `_input` in the inputs, `load` in the loads.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// Instead of a number where a hall has no such part.
inline constexpr std::size_t no_part = std::numeric_limits<std::size_t>::max();

/// Anything that turns: it has a speed, runs on command while its load is served, and may fail.
struct MotorPart {
  std::string name;  ///< "cdu_1.pump_a", "tower_3", "chiller_2", "crah_5", "facility.pump_b"
  std::size_t speed_state = 0;
  std::size_t command_input = 0;  ///< speed ordered, 0 to 1; 0 is off
  std::size_t load = 0;           ///< of the power tree
  double restart_delay_s = 0.0;   ///< from the return of power to the start
  bool is_on_ups = false;         ///< else it stands until power returns
  bool rides_through = false;     ///< the gap of its transfer switch
};

/// Machines of which more run the more their water carries: chillers.
struct LoadStaging {
  std::string system;  ///< whose water they cool
  double stage_up_fraction = 0.0,
         stage_down_fraction = 0.0;  ///< of the rating of those that run, and of those that would be left
  double stage_interval_s = 0.0;     ///< between two changes of their number
  double warm_supply_k = 0.0;        ///< above the set-point, by return water that bypasses them: one more starts
};

/// Motors of which some run and others stand by.
struct MotorGroup {
  std::string name;  ///< "cdu_1", "facility.pumps", "towers"
  std::vector<std::size_t> motors;
  std::size_t duty = 0;               ///< how many run, if able
  std::size_t speed_input = no_part;  ///< speed ordered for those that run; none: full speed
  double start_interval_s = 0.0;      ///< from the start of one to that of the next; 0: as many at once as are on duty
  std::optional<LoadStaging> staging = {};  ///< none: as many are on duty as the scenario says
};

/// A number that events may set, by name: "loop_1.supply_temperature".
struct SettingPart {
  std::string name;
  std::size_t input = 0;
  std::string_view unit;
};

}  // namespace wattloop::twin
