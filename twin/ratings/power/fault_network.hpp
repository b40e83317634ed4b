// Short-circuit currents at the buses of a power tree in its normal position, by IEC 60909 (electrical/fault/short_circuit.hpp).
//
//   from feeds       all live feeds, transformers at the rated voltages of their sides; the largest with K_T, the smallest without, with hot conductors
//   from generators  of those that stand by alone, whose main breakers are then open; largest: subtransient, with K_G; smallest: the sustained current
//                    that their excitation keeps up, which is what is left when a delayed stage operates
//   behind a UPS     largest: what its static bypass passes on, through all that is behind it, and of each inverter that feeds it |Z_jj / Z_kk| at most,
//                    which is its share where one way leads from it to the short circuit, and else more than that;
//                    smallest: what the bypass passes on, to which a UPS goes over in a short circuit, or without a bypass the limited current of inverters
//
// Line-to-earth currents are those of low-voltage buses, from feeds: behind transformers in delta and star, PDUs with one among them, whose star point is
// earthed and which end the zero sequence of what is before them; and behind a feed at low voltage, whose zero sequence is taken as its positive one
// [engineering_estimate]. Cables have a zero sequence of their own, all else that of its positive one.
//
// Equipment that makes its own voltage ends a network, or is joined by its bypass; a branch without impedance joins its buses. PDUs have the resistance of
// their loss. Motors behind drives deliver nothing [engineering_estimate]. Verified in tests/verification/power/fault_level_rows.cpp.
#pragma once

#include <vector>

#include "electrical/power_tree.hpp"

namespace wattloop::twin {

enum class FaultFrom { feeds, generators };
enum class FaultSize {
  largest,
  smallest,        ///< all modules in service
  smallest_spared  ///< those out that may be out at full load
};
enum class FaultReach { to_ups, through_bypasses };

/// Of the modules of a branch those in service, 0 to 1.
double in_service_share(const electrical::PowerTree& tree, std::size_t branch, FaultSize size);

/// Whether some modules may be out at full load: else `smallest_spared` is `smallest`.
bool has_spare_modules(const electrical::PowerTree& tree);

/// [buses of the tree] Initial symmetrical current, A, at the nominal voltage of the bus; 0 where it is not reached.
std::vector<double> short_circuit_currents_a(const electrical::PowerTree& tree, FaultFrom from, FaultSize size,
                                             FaultReach reach = FaultReach::to_ups);

/// [buses of the tree] Line-to-earth short circuits from feeds, A; 0 where no earthed star point is reached.
std::vector<double> earth_currents_a(const electrical::PowerTree& tree, FaultSize size,
                                     FaultReach reach = FaultReach::to_ups);

/// Initial symmetrical currents of feeds and inverters behind UPS; 0 elsewhere.
std::vector<double> currents_behind_ups_a(const electrical::PowerTree& tree, FaultSize size);

/// [buses of the tree] Largest peaks i_p of three-phase short circuits, A: from feeds, from generators alone, and behind a UPS with its inverters.
std::vector<double> peak_currents_a(const electrical::PowerTree& tree);

/// [buses of the tree] A.
struct BusCurrents {
  std::vector<double> three_phase_a;  ///< from feeds, and behind UPS
  std::vector<double> earth_a;        ///< line to earth, from feeds, through bypasses
};
BusCurrents currents_of_buses(const electrical::PowerTree& tree, FaultSize size);

}  // namespace wattloop::twin
