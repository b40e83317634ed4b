// What a GPU of a training job draws in each phase, and what parameters contradict each other in it.
#pragma once

#include <array>

#include "workload/training/training_schedule.hpp"
#include "workload/work/parameters.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

inline constexpr int most_pipeline_stages = 64;

/// [phase] without deviations, W.
using PhaseLevels = std::array<double, phase_count>;

/// Of a GPU in an evaluation after its dip, from its mean in steps.
double evaluation_gpu_w(const TrainingParams& params, const NodeSet& nodes, double step_gpu_w);

PhaseLevels phase_levels_w(const TrainingParams& params, const NodeSet& nodes);

}  // namespace wattloop::workload
