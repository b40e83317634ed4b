// What stands in a plant, by the names that events and results use: what each part hangs on, what may happen to it, its rating.
#pragma once

#include <string>
#include <vector>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

struct PartRow {
  std::string name;                      ///< "cdu_1.pump_a"
  std::string kind;                      ///< "pump"
  std::vector<std::string> hangs_on;     ///< what gives it coolant, water, air or power: "loop_1", "pdu_a_1"
  std::vector<std::string> events;       ///< "fail", "restore", "open", "close", "set supply_temperature"
  double rated_w = 0.0;                  ///< heat or power; 0: none that is known
  std::vector<std::string> limits = {};  ///< besides the rating: "inlet_air_temperature up to 30 degC"
  bool operator==(const PartRow&) const = default;
};

/// All parts, those of a kind one after the other.
std::vector<PartRow> part_list(const Plant& plant);

/// The name with all its numbers left out: what parts that are alike have in common.
std::string without_numbers(const std::string& text);

/// A table in which parts that differ in their numbers alone are one line.
std::string part_table(const std::vector<PartRow>& parts);

}  // namespace wattloop::twin
