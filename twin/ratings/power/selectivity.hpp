// Rows of `check` about protection in the normal position: which two devices on one path are not selective, and which device does not see the smallest
// short circuit behind it.
//
//   selectivity      the device nearer to the source operates 0.3 s later, up to the largest short circuit behind the one nearer to the load
//                    (electrical/protection/grading.hpp); a breaker and the equipment that it belongs to need no order
//   smallest level   more than the pickup of the device, from feeds, from generators alone, and from inverters of UPS
//
//   earth faults     the same of line-to-earth short circuits behind a transformer, where a device has a stage for them
//
// A device is equipment of finite rating with an inverse-time curve; currents are those of all of its modules. Verified in
// tests/verification/power/selectivity.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "electrical/power_tree.hpp"
#include "electrical/protection/overcurrent_curve.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// The protection of a branch, with currents at that voltage, without its stage for earth faults; none where it has no inverse-time curve. Its name is
/// in the tree.
std::optional<electrical::OvercurrentDevice> device_of(const electrical::PowerTree& tree, std::size_t branch,
                                                       double at_v);

/// The same with its stage for earth faults, if it has one.
std::optional<electrical::OvercurrentDevice> earth_device_of(const electrical::PowerTree& tree, std::size_t branch,
                                                             double at_v);

/// Whether what is upstream of a branch feeds a short circuit behind it: not through a converter without a bypass.
bool passes_short_circuits(const electrical::PowerTree& tree, std::size_t branch);

/// Pairs that are not selective, and devices that do not see the smallest short circuit; with `and_met` the smallest short circuits of all devices.
std::vector<CheckRow> protection_rows(const electrical::PowerTree& tree, bool and_met);

/// Fault levels and protection together; of a diagram as drawn the smallest short circuits of all devices.
std::vector<CheckRow> short_circuit_rows(const Plant& plant);

}  // namespace wattloop::twin
