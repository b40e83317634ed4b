// Protection devices of a power tree: what protects each branch, and which of them a short circuit goes through.
//
// A device is equipment of finite rating with an inverse-time curve; currents are those of all of its modules. Cables have none of their own: what is before
// them protects them. A breaker or fuse and the equipment that it stands in series with open the same: they are one place of the protection. Verified in tests/verification/power/selectivity.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "electrical/power_tree.hpp"
#include "electrical/protection/overcurrent_curve.hpp"

namespace wattloop::twin {

/// The protection of a branch, with currents at that voltage, without its stage for earth faults; none where it has no inverse-time curve. Its name is
/// in the tree.
std::optional<electrical::OvercurrentDevice> device_of(const electrical::PowerTree& tree, std::size_t branch,
                                                       double at_v);

/// The same with its stage for earth faults, if it has one.
std::optional<electrical::OvercurrentDevice> earth_device_of(const electrical::PowerTree& tree, std::size_t branch,
                                                             double at_v);

/// Whether it is a device that opens: not a cable, whose curve is what it endures.
bool is_device(const electrical::PowerTree& tree, std::size_t branch);

/// The bus behind a device, and those that nothing but cables and other branches without a device leads to from there: a short circuit at any of them is
/// the device's.
std::vector<std::size_t> zone_of(const electrical::PowerTree& tree, const electrical::SwitchState& switches,
                                 std::size_t device);

/// Whether what is upstream of a branch feeds a short circuit behind it: not through a converter without a bypass.
bool passes_short_circuits(const electrical::PowerTree& tree, std::size_t branch);

/// Branches that open the same.
struct ProtectedPlace {
  std::size_t device;                 ///< the breaker or fuse, where there is one, else the equipment itself
  std::optional<std::size_t> beside;  ///< the equipment in series with it, where that is a device, too
  int from, to;                       ///< buses of both together, as power flows

  bool has(std::size_t branch) const { return device == branch || beside == branch; }
};

/// All that carry in that position, in the order of their devices.
std::vector<ProtectedPlace> protected_places(const electrical::PowerTree& tree,
                                             const electrical::SwitchState& switches);

/// One that a short circuit behind others goes through.
struct UpstreamDevice {
  std::size_t branch;
  double more_than_w =
      0.0;  ///< below it inverters of a UPS between the two feed what is behind it, beyond its bypass does
  bool is_beyond_transformer = false;  ///< one is between the two, which ends currents to earth
};

/// The nearest on all ways to sources, each with what it is in series with; a way ends at a converter without a bypass.
std::vector<UpstreamDevice> upstream_devices(const electrical::PowerTree& tree, const electrical::SwitchState& switches,
                                             const ProtectedPlace& of);

}  // namespace wattloop::twin
