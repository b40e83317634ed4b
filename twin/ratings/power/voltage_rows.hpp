// Voltages of buses at nameplate beside what equipment at them works with.
#pragma once

#include <vector>

#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/ratings/check_row.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The live bus whose voltage is lowest, and the one whose is highest, over nominal; limits are 90 and 110 % [iec_60038]. Where the plant has no
/// voltages, those lines whose drop would be more than that.
std::vector<CheckRow> voltage_rows(const PlantSnapshot& now);

/// Lowest and highest voltage at power supplies of nodes beside what they work at: between phase and neutral, between phases where these have 240 V or
/// less. One pair for each group of racks whose supplies state it; none where the plant has no voltages.
std::vector<CheckRow> supply_voltage_rows(const PlantSnapshot& now, const std::vector<RacksSpec>& racks);

}  // namespace wattloop::twin
