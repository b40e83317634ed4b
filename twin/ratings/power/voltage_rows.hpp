// Voltages of buses at nameplate beside what equipment at them works with.
#pragma once

#include <vector>

#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// The live bus whose voltage is lowest, and the one whose is highest, over nominal; limits are 90 and 110 % [iec_60038]. None where the plant has no
/// voltages.
std::vector<CheckRow> voltage_rows(const PlantSnapshot& now);

}  // namespace wattloop::twin
