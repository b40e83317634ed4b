// What work the hall does: replay of measured power, or a synthetic training job.
#pragma once

#include <array>
#include <string>

#include "core/field.hpp"

namespace wattloop::workload {

/// Replay of measured power.
struct ReplayParams {
  std::string trace = {};
  std::string meaning = "node_ac";
  std::string fill = "refuse";
  std::string after_end = "repeat";

  static constexpr auto fields() {
    using P = ReplayParams;
    return std::array{
        Field<P>{&P::trace, "trace", "",
                 "CSV file: first column seconds, then one column of watts for each node."},
        Field<P>{&P::meaning, "meaning", "node_ac|node_dc|gpu",
                 "What the watts are: of a node at its AC inlet, behind its power supplies, or of one GPU."},
        Field<P>{&P::fill, "fill", "refuse|hold|interpolate|zero",
                 "What to put into holes of more than three missing intervals."},
        Field<P>{&P::after_end, "after_end", "repeat|hold|idle",
                 "What happens when the run is longer than the trace."},
    };
  }
};

/// A synthetic synchronous training job.
struct TrainingParams {
  double sample_interval_s = 1.0;
  double step_s = 10.64;
  double compute_gpu_w = 0.0 /*filled by workload*/;
  double communication_gpu_w = 0.0;
  double communication_fraction = 0.1;
  double evaluation_interval_s = 140.0;
  double evaluation_s = 12.96;
  double evaluation_ratio = 0.92;
  double checkpoint_interval_s = 900.0;
  double checkpoint_s = 15.0;
  double checkpoint_gpu_w = 156.0;
  double gpu_noise_w = 10.0;
  double gpu_spread_w = 10.0;

  static constexpr auto fields() {
    using P = TrainingParams;
    return std::array{
        Field<P>{&P::sample_interval_s, "sample_interval", "s", Range::positive,
                 "Time between two samples; power is averaged over each."},
        Field<P>{&P::step_s, "step_time", "s", Range::positive,
                 "Duration of one optimiser step."},
        Field<P>{&P::compute_gpu_w, "compute_gpu_power", "W", Range::positive,
                 "GPU power while computing."},
        Field<P>{&P::communication_gpu_w, "communication_gpu_power", "W", Range::positive,
                 "GPU power while gradients are exchanged."},
        Field<P>{&P::communication_fraction, "communication_share", "1", Range::fraction,
                 "Share of a step in exposed communication."},
        Field<P>{&P::evaluation_interval_s, "evaluation_interval", "s", Range::positive,
                 "Time from one evaluation to the next."},
        Field<P>{&P::evaluation_s, "evaluation_time", "s", Range::positive,
                 "Duration of one evaluation."},
        Field<P>{&P::evaluation_ratio, "evaluation_power_ratio", "1", Range::positive,
                 "Node power in evaluation over node power in training."},
        Field<P>{&P::checkpoint_interval_s, "checkpoint_interval", "s", Range::positive,
                 "Time from one checkpoint to the next."},
        Field<P>{&P::checkpoint_s, "checkpoint_time", "s", Range::positive,
                 "Duration of one checkpoint."},
        Field<P>{&P::checkpoint_gpu_w, "checkpoint_gpu_power", "W", Range::positive,
                 "GPU power while a checkpoint is written."},
        Field<P>{&P::gpu_noise_w, "gpu_noise", "W", Range::non_negative,
                 "Standard deviation of the power of one GPU about the job, sample by sample."},
        Field<P>{&P::gpu_spread_w, "gpu_spread", "W", Range::non_negative,
                 "Standard deviation of the mean power between GPUs."},
    };
  }
};

}  // namespace wattloop::workload
