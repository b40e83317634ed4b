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
  impaired,  ///< something of it failed, sticks or is clogged, and it goes on
  idle,      ///< everything that turns in it is off, or its switch is open
  failed
};

/// Conditions of all that has a motor, a switch, a battery or a fault, by name; of a pump that of its CDU, too, if both of its pumps have it.
class PartConditions {
 public:
  PartConditions(const ResultsReader& results, double time_s);

  /// Of the part of that name, or of all that has names below it ("cdu_1.pump_a").
  PartCondition of(std::string_view name) const;

 private:
  void read_states(const ResultsReader& results, const std::string& group, double time_s);
  void read_carriers(const ResultsReader& results, const std::string& group, const std::string& column, double time_s);
  PartCondition by_states(std::string_view name) const;

  std::map<std::string, float, std::less<>> states_{};  ///< 0: off, 1: on, 2: failed; docs/results_format.md
  std::map<std::string, PartCondition, std::less<>> others_{};
};

}  // namespace wattloop::twin
