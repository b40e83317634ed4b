// Rows of `check` about short circuits: what a fault behind each transformer, breaker and fuse draws, beside what is interrupted there.
//
// The largest three-phase short circuit by IEC 60909 with all feeds live and all transformers in service, and that of the generators of a bus alone: they
// are in parallel with a feed but for the moment of a return (twin/ratings/power/fault_network.hpp).
// Verified in tests/verification/power/fault_level_rows.cpp.
#pragma once

#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// What the weakest of the breakers at a bus interrupts: those behind the transformers that lead to it, and breakers and fuses there; infinite: not known.
double breaking_capacity_at_bus_a(const electrical::PowerTree& tree, int bus);

/// A row for the bus behind each transformer, and each breaker and fuse of known breaking capacity, that a feed reaches in the normal position.
std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree);

/// A row for each bus of generators whose transformers say what breakers interrupt; with `and_met` also where these do.
std::vector<CheckRow> generator_fault_rows(const electrical::PowerTree& tree, bool and_met);

}  // namespace wattloop::twin
