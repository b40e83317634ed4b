// Rows of `check` about short circuits: what a fault behind each transformer, breaker and fuse draws, beside what is interrupted there.
//
// The largest of three short circuits by IEC 60909: three-phase and line to earth with all feeds live and all transformers in service, and three-phase from
// generators alone: they are in parallel with a feed but for the moment of a return (twin/ratings/power/fault_network.hpp).
// Verified in tests/verification/power/fault_level_rows.cpp.
#pragma once

#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// What the weakest of the breakers at a bus interrupts: those behind the transformers that lead to it, and breakers and fuses there; infinite: not known.
double breaking_capacity_at_bus_a(const electrical::PowerTree& tree, int bus);

/// For each transformer, breaker and fuse of known breaking capacity a row with what feeds deliver there in the normal position, and one with what generators
/// alone do. A tie counts, also while it is open, with the larger level of both its buses.
std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree);

}  // namespace wattloop::twin
