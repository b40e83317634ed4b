// Which nodes share which power budget: those of the hall, of rows, racks and nodes by name, or those that draw from a block, UPS, PDU or bus while
// all equipment works.
#pragma once

#include <cstdint>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"
#include "workload/queue/job_queue.hpp"

namespace wattloop::twin {

struct PowerDomains {
  std::vector<workload::PowerDomain> domains = {};  ///< the last, of no name: nodes without a budget
  std::vector<std::uint32_t> domain_of_node = {};   ///< empty: all in the first
};

/// Of `jobs.scheduler.budget`; no domains: there is no budget.
PowerDomains power_domains_of(const Scenario& scenario, Problems& problems);

}  // namespace wattloop::twin
