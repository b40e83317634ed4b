// What equipment does at one time, by the states of its motors and switches and by its faults.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// The worse, the greater.
enum class PartCondition : std::uint8_t {
  running,   ///< or nothing is known of it
  carrying,  ///< a generator or a battery that gives power
  impaired,  ///< something of it failed, sticks or is clogged, or a UPS is open and its bypass carries; it goes on
  idle,      ///< everything that turns in it is off, or its switch is open
  dead,      ///< a rack of storage or of switches without power
  failed
};

/// By name; 0: off or open, 1: on or closed, 2: failed (docs/results_format.md).
using PartStates = std::map<std::string, float, std::less<>>;

/// States of a group, "motors" or "breakers", at one time; empty where they were not recorded. A part that an event restores at that time is
/// still failed, as temperatures of that time are those before the event.
PartStates states_at(const ResultsReader& results, const std::string& group, double time_s);

/// Conditions of all that has a motor, a switch, a battery or a fault, and of racks of storage and of switches, by name; of a pump that of its CDU, too, if both of its pumps have it.
class PartConditions {
 public:
  PartConditions(const ResultsReader& results, double time_s);

  /// Of the part of that name, or of all that has names below it ("cdu_1.pump_a").
  PartCondition of(std::string_view name) const;

  /// The same without the states of motors and switches that have names below it: a rack is not idle because the fans of its door are.
  PartCondition by_faults(std::string_view name) const;

 private:
  void read_carriers(const ResultsReader& results, const std::string& group, const std::string& column, double time_s);
  void read_dead(const ResultsReader& results, const std::string& group, double time_s);
  PartCondition by_states(std::string_view name) const;

  PartStates states_{};  ///< of motors and switches
  std::map<std::string, PartCondition, std::less<>> others_{};
};

}  // namespace wattloop::twin
