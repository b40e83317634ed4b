// Rows of `check` about short circuits: what a fault behind each transformer draws, beside what the breakers there interrupt.
//
// The largest three-phase short circuit by IEC 60909 (electrical/fault/short_circuit.hpp) with all feeds live and all transformers in service, each
// at the rated voltages of its sides. Cables behind a transformer are left out, which makes it larger; motors, UPS on their inverters and generators
// that stand by are left out, too: generators are not in parallel with a feed but for the moment of a return.
// Verified in tests/verification/power/fault_level_rows.cpp.
#pragma once

#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/ratings/check_row.hpp"

namespace wattloop::twin {

/// A row for the bus behind each transformer that a feed reaches in the normal position.
std::vector<CheckRow> fault_level_rows(const electrical::PowerTree& tree);

}  // namespace wattloop::twin
