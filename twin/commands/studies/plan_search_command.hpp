// A search over the parallel plans of the transformer jobs of a scenario: no hall is built, and no run is made.
#pragma once

#include <string>
#include <vector>

#include "twin/study/plan/study.hpp"

namespace wattloop::twin {

/// Whether a study seeks plans: `search: { plans: throughput, most: 10 }`.
bool seeks_plans(const Study& study);

/// Prints the best plans of each job. Throws InputError with all that is wrong. Exit code: 3 where no plan fits.
int search_plans_of(const Study& study, const std::vector<std::string>& overrides, bool is_json);

}  // namespace wattloop::twin
