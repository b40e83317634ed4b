// What work the hall does: replay of measured power, a synthetic training job, or a constant load.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/tables/time_keys.hpp"
#include "workload/checkpoints/checkpoint_parameters.hpp"
#include "workload/failures/failure_process.hpp"
#include "workload/work/job_clock.hpp"

namespace wattloop::workload {

/// The same power for every node, all the time.
struct ConstantParams {
  static constexpr std::string_view kind = "constant", noun = "constant load", page = "docs/models/constant_load.md";
  static constexpr std::string_view doc = "The same power for every node, all the time.";

  /// Stands for the nameplate power of the node; no one can write it.
  static constexpr double nameplate_w = std::numeric_limits<double>::infinity();

  double node_power_w = nameplate_w;

  bool contains_leakage() const { return true; }
  bool contains_fans() const { return true; }

  static constexpr auto fields() {
    using P = ConstantParams;
    return std::array{
        Field<P>{&P::node_power_w, "node_power", "W", Range::positive,
                 "Power of every node at its AC inlet; at most its nameplate power."},
    };
  }
};

/// How nodes that replay the same column are kept apart.
struct SpreadParams {
  double phase_jitter_s = 0.0;
  double copy_delay_s = 0.0;

  static constexpr auto fields() {
    using P = SpreadParams;
    return std::array{
        Field<P>{&P::phase_jitter_s, "phase_jitter", "s", Range::non_negative,
                 "Most by which a node is late; each draws a delay between 0 and this from the seed."},
        Field<P>{&P::copy_delay_s, "copy_delay", "s", Range::non_negative,
                 "Most by which all nodes of a copy of the trace are late together; the first copy is on time."},
    };
  }
};

/// Replay of measured power.
struct ReplayParams {
  static constexpr std::string_view kind = "replay", noun = "replay", page = "docs/models/replay.md";
  static constexpr std::string_view doc = "Measured power, replayed.";

  /// Stands for the power that a GPU of this kind waits at; no one can write it.
  static constexpr double waiting_by_gpu_w = std::numeric_limits<double>::infinity();

  std::string trace = {};
  std::string meaning = "node_ac";
  std::string unit = "W";
  double scale_ratio = 1.0;
  TimeKeys times = {};
  double dc_over_ac_ratio = 0.0;
  std::string fill = "refuse";
  std::string after_end = "repeat";
  std::string columns = "all";
  double lead_in_s = 600.0;
  bool adds_leakage = false;
  bool stretches = false;
  double waiting_gpu_w = waiting_by_gpu_w;
  SpreadParams spread = {};

  bool contains_leakage() const { return !adds_leakage; }
  bool contains_fans() const { return true; }

  static constexpr auto fields() {
    using P = ReplayParams;
    return std::array{
        Field<P>{&P::trace, "trace", "",
                 "CSV file: a column of times, then one column of power for each node, rack or GPU."},
        Field<P>{&P::meaning, "meaning", "node_ac|node_dc|rack|gpu",
                 "What the power is: of a node at its AC inlet, behind its power supplies, of the nodes of a rack at "
                 "their AC inlets, or of one GPU."},
        Field<P>{&P::unit, "unit", "", "What the numbers are in: W, kW."},
        Field<P>{&P::scale_ratio, "scale", "1", Range::positive,
                 "Factor by which the numbers of the file are multiplied."},
        Field<P>{
            &P::dc_over_ac_ratio, "dc_over_ac", "1", Range::positive_fraction,
            "Of the meters of a node_dc trace, DC over AC energy, 0.5 to 1; left out, the node's supplies say it."},
        Field<P>{&P::fill, "fill", "refuse|hold|interpolate|zero|end",
                 "What to put into holes of more than three missing intervals; end: a column that ends before the file "
                 "does draws nothing from there on, other holes are refused."},
        Field<P>{&P::after_end, "after_end", "repeat|hold|idle", "What happens when the run is longer than the trace."},
        Field<P>{&P::lead_in_s, "lead_in", "s", Range::positive,
                 "Begin of the trace that stands for what was before the run: with `initial: settled` the run begins "
                 "from the steady state under its mean, and it repeats through the warm-up."},
        Field<P>{&P::columns, "columns", "",
                 "Columns to use, counted from 1 without that of times: all, or a list such as 1..8,12."},
        Field<P>{&P::adds_leakage, "leakage",
                 "Whether die temperature adds leakage to the measured watts, which contain it already."},
        Field<P>{&P::stretches, "stretch",
                 "Whether a GPU below full clock stretches the replayed time of all nodes; else it stays as measured."},
        Field<P>{&P::waiting_gpu_w, "waiting_gpu_power", "W", Range::positive,
                 "With `stretch`: power of a GPU while it waits for the slowest one; left out, 220 W for a limit of "
                 "700 W, and in proportion to the limit of the GPU."},
    };
  }
};

/// A synthetic synchronous training job. Times, levels and scatter are fitted to a GPT-3 175B run on 64 nodes of 8 H100
/// that wrote no checkpoints [mlperf_training_v40_smc], with the split of an H100 node (1.6 kW, 1.12): without checkpoints a
/// node averages 6.85 kW. Checkpoints follow [wilkins2024]. docs/models/training_job.md says where each number comes from.
struct TrainingParams {
  static constexpr std::string_view kind = "training", noun = "training", page = "docs/models/training_job.md";
  static constexpr std::string_view doc =
      "A synthetic synchronous training job: compute, communication, evaluation, checkpoint.";

  double sample_interval_s = 1.0;
  double step_s = 10.765;
  double tokens_per_step = 0.0;
  double step_at_peak_s = 0.0;  ///< that a step would take at the peak of its GPUs; 0: not known. Follows from a model
  double compute_gpu_w = 613.0;
  double communication_gpu_w = 220.0;
  double communication_fraction = 0.056;
  double evaluation_interval_s = 142.15;
  double evaluation_s = 12.97;
  double evaluation_dip_s = 0.15;
  double evaluation_ratio = 0.925;
  double checkpoint_interval_s = 900.0;
  double checkpoint_s = 16.0;
  double checkpoint_gpu_w = 156.0;
  double checkpoint_band_w = 9.0;
  double background_write_s =
      0.0;  ///< of asynchronous saves, after GPUs go on; follows from `checkpoint` and `storage`
  double gpu_noise_w = 4.0;
  double gpu_spread_w = 14.0;
  double node_noise_w = 11.0;
  double noise_interval_s = 2.0;
  int pipeline_stages = 8;
  double stage_lag_s = 0.288;
  double ramp_s = 0.0;
  std::string coupling = "slowest_gpu";
  double detection_s = 120.0;
  double restart_s = 360.0;
  int spare_nodes = 0;
  bool is_elastic = false;
  double least_share_fraction = 0.5;
  FailureParams failures = {};
  CheckpointParams checkpoint = {};
  StorageParams storage = {};
  std::optional<StorageUse> storage_use =
      std::nullopt;  ///< of a storage that jobs share; follows from `checkpoint` and `storage`

  bool is_coupled() const { return coupling == "slowest_gpu"; }
  bool contains_leakage() const { return false; }
  bool contains_fans() const { return false; }

  static constexpr auto fields() {
    using P = TrainingParams;
    return std::array{
        Field<P>{&P::sample_interval_s, "sample_interval", "s", Range::positive,
                 "Time between two samples; power is averaged over each."},
        Field<P>{&P::step_s, "step_time", "s", Range::positive, "Duration of one optimiser step."},
        Field<P>{&P::tokens_per_step, "tokens_per_step", "1", Range::non_negative,
                 "Tokens of the global batch of one step, for the cost of a million of them; 0: not known."},
        Field<P>{&P::compute_gpu_w, "compute_gpu_power", "W", Range::positive, "GPU power while computing."},
        Field<P>{&P::communication_gpu_w, "communication_gpu_power", "W", Range::positive,
                 "GPU power while gradients are exchanged."},
        Field<P>{&P::communication_fraction, "communication_share", "1", Range::fraction,
                 "Share of a step in exposed communication, at its end."},
        Field<P>{&P::evaluation_interval_s, "evaluation_interval", "s", Range::positive,
                 "Time from one evaluation to the next, rounded to whole steps."},
        Field<P>{&P::evaluation_s, "evaluation_time", "s", Range::non_negative,
                 "Duration of one evaluation; 0 for none."},
        Field<P>{&P::evaluation_dip_s, "evaluation_dip_time", "s", Range::non_negative,
                 "Time at the start of an evaluation in which GPUs wait at the power of communication."},
        Field<P>{&P::evaluation_ratio, "evaluation_power_ratio", "1", Range::positive,
                 "Node power in evaluation, after its start, over mean node power in steps."},
        Field<P>{&P::checkpoint_interval_s, "checkpoint_interval", "s", Range::positive,
                 "Time from one checkpoint to the next, rounded to whole steps."},
        Field<P>{&P::checkpoint_s, "checkpoint_time", "s", Range::non_negative,
                 "Duration of one checkpoint; 0 for none."},
        Field<P>{&P::checkpoint_gpu_w, "checkpoint_gpu_power", "W", Range::positive,
                 "GPU power while a checkpoint is written."},
        Field<P>{&P::checkpoint_band_w, "checkpoint_gpu_band", "W", Range::non_negative,
                 "Largest deviation of one GPU from it, spread and noise together."},
        Field<P>{&P::gpu_noise_w, "gpu_noise", "W", Range::non_negative,
                 "Standard deviation of the power of one GPU about its node, over one noise interval."},
        Field<P>{&P::gpu_spread_w, "gpu_spread", "W", Range::non_negative,
                 "Standard deviation of the mean power between GPUs."},
        Field<P>{&P::node_noise_w, "node_noise", "W", Range::non_negative,
                 "Standard deviation of GPU power that all GPUs of a node share, over one noise interval."},
        Field<P>{&P::noise_interval_s, "noise_interval", "s", Range::positive,
                 "Time for which a deviation lasts before the next is drawn."},
        Field<P>{&P::pipeline_stages, "pipeline_stages", Range::positive,
                 "Nodes that follow one another through a step; node i is in stage i modulo stages."},
        Field<P>{&P::stage_lag_s, "stage_lag", "s", Range::non_negative,
                 "Time by which each stage is behind the one before it."},
        Field<P>{&P::ramp_s, "start_ramp", "s", Range::non_negative,
                 "Time in which GPUs rise from idle to computing before the first step."},
        Field<P>{&P::coupling, "coupling", "slowest_gpu|none",
                 "Whether all GPUs wait for the slowest one, and the job stops where a node is lost."},
        Field<P>{&P::detection_s, "detection_time", "s", Range::non_negative,
                 "Time for which GPUs wait, at the power of communication, before a lost node is noticed."},
        Field<P>{&P::restart_s, "restart_time", "s", Range::non_negative,
                 "Time from all nodes back at work to the first step after the last checkpoint; GPUs are idle."},
        Field<P>{&P::spare_nodes, "spare_nodes", Range::non_negative,
                 "Nodes, the last ones of the job, that are idle until they take over from nodes that are lost."},
        Field<P>{
            &P::is_elastic, "elastic",
            "Whether the job goes on with fewer nodes where one is lost and no spare is left: the same work, spread "
            "over the others."},
        Field<P>{&P::least_share_fraction, "least_share", "1", Range::positive_fraction,
                 "Of an elastic job: least share of its nodes with which it goes on."},
    };
  }
};

}  // namespace wattloop::workload
