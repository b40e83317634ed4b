// What is wrong with parts of equipment that go on otherwise, from the log of events: fans that stand, modules that are out, valves
// that stick, passages that clog. Motors and switches have states of their own in the results.
#pragma once

#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct EquipmentFault {
  std::string part{};   ///< that has it: "tower_1", "ups_a"
  std::string thing{};  ///< of the part, "fan", "module_3"; empty: the part itself
  std::string words{};  ///< "failed", "stands", "out", "stuck at 30 %", "clogged to 50 %"
  double begin_s = 0.0;
  double end_s = 0.0;  ///< infinity: it lasts

  bool is_at(double time_s) const { return begin_s <= time_s && time_s < end_s; }
};

/// In the order in which they began.
std::vector<EquipmentFault> equipment_faults(const ResultsReader& results);

/// Those at one instant.
std::vector<EquipmentFault> equipment_faults_at(const ResultsReader& results, double time_s);

}  // namespace wattloop::twin
