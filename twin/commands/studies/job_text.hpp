// A transformer job as people and programs read it.
#pragma once

#include <string>
#include <vector>

#include "twin/planning/work/explained_job.hpp"

namespace wattloop::twin {

/// Where the time of a step goes, memory, watts, and other plans.
std::string job_text(const ExplainedJob& job);

/// The table of its other plans alone.
std::string plans_text(const ExplainedJob& job);

/// The same of several jobs, in SI units, as a JSON array.
std::string jobs_json(const std::vector<ExplainedJob>& jobs);

}  // namespace wattloop::twin
