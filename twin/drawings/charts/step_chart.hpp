// One step of a training job: what each pipeline stage does, as a Gantt chart, over the watts of a GPU, as SVG.
#pragma once

#include <string>

#include "twin/planning/work/explained_job.hpp"

namespace wattloop::twin {

/// A file of its own.
std::string step_chart(const ExplainedJob& job);

}  // namespace wattloop::twin
