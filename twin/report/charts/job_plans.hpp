// Plans of the hall by the jobs of a queue, in a report.
#pragma once

#include <string>

#include "twin/report/charts/run_pictures.hpp"

namespace wattloop::twin {

/// Which jobs have nodes of which racks before the first event, at worst and at the end, as HTML; empty where no rack differs from the others
/// at any of these times.
std::string job_plans(const ResultsReader& results, const RackTemperatures& racks, double worst_s);

}  // namespace wattloop::twin
