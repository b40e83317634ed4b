// The parallel plan of highest throughput: all splits of GPUs into tensor, pipeline, virtual stages, data and micro-batch that fit.
//
// Context, expert, precision, recomputing and overlaps stay those of the plan that is given. Documented in docs/models/transformer.md.
#pragma once

#include <vector>

#include "workload/transformer/step_time.hpp"

namespace wattloop::workload {

struct FoundPlan {
  ParallelPlan plan;
  StepTime time;
};

/// What is looked through.
struct PlanSearch {
  int gpus = 1;
  int most_tensor = 8;       ///< an NVLink domain
  int most_micro_batch = 8;  ///< sequences
};

/// Plans without mistakes, the one of highest throughput first; of plans of equal throughput, those with smaller degrees.
std::vector<FoundPlan> search_plans(const TrainingSetup& setup, const PlanSearch& search);

}  // namespace wattloop::workload
