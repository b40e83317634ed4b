// Rows of `check` about protection in the normal position: which two devices on one path are not selective, and which device does not see the smallest
// short circuit behind it.
//
//   selectivity      the device nearer to the source operates 0.3 s later, up to the largest short circuit behind the one nearer to the load
//                    (electrical/protection/grading.hpp); a breaker and the equipment that it stands in series with are one, of which the first decides;
//                    a fuse before a fuse needs 1.6 times its rated current instead
//   smallest level   more than the pickup of the device, from feeds, from generators alone, and from inverters of UPS
//
//   earth faults     the same of line-to-earth short circuits behind a transformer, where a device has a stage for them
//
// Devices: twin/ratings/power/protection_devices.hpp. Verified in tests/verification/power/selectivity.cpp.
#pragma once

#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// Pairs that are not selective, and devices that do not see the smallest short circuit; with `and_met` the smallest short circuits of all devices.
std::vector<CheckRow> protection_rows(const electrical::PowerTree& tree, bool and_met);

/// Fault levels and protection together, of each limit the worst with the names of others that break it; of a diagram as drawn also where it is met.
std::vector<CheckRow> short_circuit_rows(const Plant& plant);

}  // namespace wattloop::twin
