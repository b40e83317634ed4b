// Training runs whose step times are published, and the machines on which they ran.
#pragma once

#include <span>
#include <string_view>

#include "twin/actions/work/rail_times.hpp"
#include "workload/transformer/step_time.hpp"

namespace wattloop::tests {

using twin::RailTimes;

/// 8 H100 with 370 GB/s of NVLink by ring and 48 GB/s of an adapter; 8 A100 with 230 and 24 GB/s [nccl_tests].
network::Links h100_links();
network::Links a100_links();

enum class RunSource { dgxc, seqsel, smc, eos, llama };

struct PublishedRun {
  RunSource source;
  std::string_view model;
  workload::Precision precision;
  int tensor, pipeline, context, data, virtual_stages, micro_batch, global_batch;
  workload::Recompute recompute;
  double step_s;
  double mfu_fraction = 0.0;  ///< as printed; 0: it is not

  int gpus() const { return tensor * pipeline * context * data; }
  bool is_a100() const { return source == RunSource::seqsel; }
};

/// All rows, series by series, from few GPUs to many.
std::span<const PublishedRun> published_runs();

/// What the configuration of a run says: [dgxc_benchmarking], [korthikanti2022], [mlperf_training_v40_results].
workload::ParallelPlan plan_of(const PublishedRun& run);

/// The calibrated GPU with the attention that the run used.
workload::TrainingGpu gpu_of(const PublishedRun& run);

workload::StepTime step_of(const PublishedRun& run, const workload::TrainingGpu& gpu);
workload::StepTime step_of(const PublishedRun& run);

/// Throughput of a run with NVLink and adapters that are so many times as fast, over that of the run.
double throughput_ratio(const PublishedRun& run, double network_ratio);

/// GPT-3 on the 10,240 H100 of the reference hall: 2,560 sequences a step, FP8.
workload::StepTime reference_step();

}  // namespace wattloop::tests
