// Which nodes of a hall its reservations mean. Decisions that heed them: workload/queue/reservation_table.hpp.
#pragma once

#include <vector>

#include "core/text/problem.hpp"
#include "twin/scenario/specs/scenario.hpp"
#include "workload/queue/reservation_table.hpp"

namespace wattloop::twin {

/// Of a scenario with jobs; nodes are numbered rack by rack. Adds names that no rack or node has, and nodes that are reserved twice at a time.
std::vector<workload::Reservation> reservations_of(const Scenario& scenario, Problems& problems);

}  // namespace wattloop::twin
