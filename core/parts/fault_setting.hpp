// What may go wrong with a part besides its failure as a whole: its valve sticks, a passage clogs, its fan stands. Each is a number
// among the settings of the part, which events named after it move and `set` does not. Its name says what is moved and how:
//
//   "valve.stuck_at"      position in which it moves no more; `moves_freely` else       stick, restore
//   "technology.passage"  flow that is left at the same pressure drop, of a clean one   clog, restore
//   "fan.failed"          1 where it stands, 0 else                                     fail, restore
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace wattloop {

inline constexpr double moves_freely = -1.0;  ///< no position

struct FaultSetting {
  std::string_view name;   ///< last word of the setting
  std::string_view event;  ///< that brings it
  std::string_view thing;  ///< what it may happen to
  double sound = 0.0;      ///< its value where nothing is wrong
};

inline constexpr FaultSetting stuck_at{"stuck_at", "stick", "valve", moves_freely};
inline constexpr FaultSetting clogged_passage{"passage", "clog", "passage", 1.0};
inline constexpr FaultSetting part_failed{"failed", "fail", "fan", 0.0};
inline constexpr std::array fault_settings{stuck_at, clogged_passage, part_failed};

/// What a setting is the fault of, "cdu_3.valve" of "cdu_3.valve.stuck_at"; nullptr, and all of it, where it is none.
struct FaultName {
  const FaultSetting* fault;
  std::string_view target;
};
constexpr FaultName fault_in(std::string_view setting) {
  const std::size_t dot = setting.rfind('.');
  for (const FaultSetting& fault : fault_settings) {
    if (dot != std::string_view::npos && setting.substr(dot + 1) == fault.name) return {&fault, setting.substr(0, dot)};
  }
  return {nullptr, setting};
}
constexpr bool is_fault(std::string_view setting) { return fault_in(setting).fault != nullptr; }

}  // namespace wattloop
