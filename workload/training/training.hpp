// A synthetic synchronous training job: all nodes compute and exchange gradients in step, and stop together
// for evaluations and checkpoints.
//
//   step     = compute + exposed communication; every few steps an evaluation, every many a checkpoint
//   P_gpu(t) = level(phase at t + lead of the pipeline stage) + spread of the GPU + noise of node and GPU
//   P_node   = base + overhead * sum(P_gpu)
//
// A sample is the mean of P_gpu over its interval, in closed form: energy does not depend on the interval.
// Levels and times from [mlperf_training_v40_smc] and [wilkins2024]; valid between idle power and power
// limit. Verified in tests/verification/work/training_trace.cpp. Documented in docs/models/training_job.md.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "workload/work/parameters.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

/// A power of a job that no scenario gives: it follows the GPU.
inline constexpr double power_by_gpu = std::numeric_limits<double>::quiet_NaN();

/// Fills powers that follow the GPU: those of an H100, times the power limit of this GPU over the 700 W of an H100 (estimate).
TrainingParams with_powers_of_gpu(TrainingParams params, const NodeSplitParams& gpu);

/// Mistakes that only several parameters together can make, in words; empty if there are none.
std::vector<std::string> training_mistakes(const TrainingParams& params, const NodeSet& nodes);

class StepWork;

/// The same seed gives the same power at every instant, whatever the sample interval. `steps`: watts of steps that follow from a model; null: from levels.
std::unique_ptr<Workload> make_training(const TrainingParams& params, const NodeSet& nodes, std::uint64_t seed,
                                        std::shared_ptr<const StepWork> steps = nullptr);

/// With powers that follow the GPU.
MadeWork make_work(const TrainingParams& params, const WorkRequest& request, Problems& problems);
static_assert(WorkloadKind<TrainingParams>);

}  // namespace wattloop::workload
