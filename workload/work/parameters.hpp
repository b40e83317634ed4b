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
                 "Largest delay of a node; the delay of each node is drawn from the seed, between 0 and this value."},
        Field<P>{&P::copy_delay_s, "copy_delay", "s", Range::non_negative,
                 "Largest common delay of all nodes that replay one copy of the trace; the first copy has no delay."},
    };
  }
};

/// Replay of measured power.
struct ReplayParams {
  static constexpr std::string_view kind = "replay", noun = "replay", page = "docs/models/replay.md";
  static constexpr std::string_view doc = "Measured power that is replayed.";

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
                 "Measurement boundary of the power: a node at its AC inlet, a node behind its power supplies, all "
                 "nodes of a rack at their AC inlets, or one GPU."},
        Field<P>{&P::unit, "unit", "", "Unit of the numbers in the file: W, kW."},
        Field<P>{&P::scale_ratio, "scale", "1", Range::positive,
                 "Factor by which the numbers of the file are multiplied."},
        Field<P>{
            &P::dc_over_ac_ratio, "dc_over_ac", "1", Range::positive_fraction,
            "With `meaning: node_dc`: measured DC energy divided by AC energy, 0.5 to 1; if it is not given, the power "
            "supplies of the node give it."},
        Field<P>{&P::fill, "fill", "refuse|hold|interpolate|zero|end",
                 "How holes of more than three missing intervals are filled. end: a column that ends before the file "
                 "draws nothing after its end, and other holes are refused."},
        Field<P>{&P::after_end, "after_end", "repeat|hold|idle", "What happens if the run is longer than the trace."},
        Field<P>{&P::lead_in_s, "lead_in", "s", Range::positive,
                 "Duration of the first part of the trace, which is used as the work before the run. With `initial: "
                 "settled` the run begins from the steady state for the mean power of this part, and this part repeats "
                 "during the warm-up."},
        Field<P>{&P::columns, "columns", "",
                 "Columns that are used, counted from 1 without the column of times: all, or a list such as 1..8,12."},
        Field<P>{&P::adds_leakage, "leakage",
                 "Whether leakage that follows the die temperature is added to the measured power, which already "
                 "contains leakage."},
        Field<P>{&P::stretches, "stretch",
                 "true: a GPU below full clock lengthens the replay of all nodes. false: the replay keeps the measured "
                 "times."},
        Field<P>{&P::waiting_gpu_w, "waiting_gpu_power", "W", Range::positive,
                 "With `stretch`: power of a GPU while it waits for the slowest GPU; if it is not given, 220 W for a "
                 "power limit of 700 W, otherwise in proportion to the limit."},
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
                 "Sampling interval; the power is averaged over each interval."},
        Field<P>{&P::step_s, "step_time", "s", Range::positive, "Duration of one optimizer step."},
        Field<P>{&P::tokens_per_step, "tokens_per_step", "1", Range::non_negative,
                 "Tokens of the global batch of one step, for the cost per million tokens; 0: not known."},
        Field<P>{&P::compute_gpu_w, "compute_gpu_power", "W", Range::positive, "Power of a computing GPU."},
        Field<P>{&P::communication_gpu_w, "communication_gpu_power", "W", Range::positive,
                 "Power of a GPU while gradients are exchanged."},
        Field<P>{&P::communication_fraction, "communication_share", "1", Range::fraction,
                 "Share of a step that is exposed communication, at the end of the step."},
        Field<P>{&P::evaluation_interval_s, "evaluation_interval", "s", Range::positive,
                 "Time from one evaluation to the next, rounded to whole steps."},
        Field<P>{&P::evaluation_s, "evaluation_time", "s", Range::non_negative,
                 "Duration of one evaluation; 0 for none."},
        Field<P>{&P::evaluation_dip_s, "evaluation_dip_time", "s", Range::non_negative,
                 "Time at the start of an evaluation during which GPUs wait with the power of communication."},
        Field<P>{&P::evaluation_ratio, "evaluation_power_ratio", "1", Range::positive,
                 "Node power during an evaluation, after its start, divided by the mean node power during steps."},
        Field<P>{&P::checkpoint_interval_s, "checkpoint_interval", "s", Range::positive,
                 "Time from one checkpoint to the next, rounded to whole steps."},
        Field<P>{&P::checkpoint_s, "checkpoint_time", "s", Range::non_negative,
                 "Duration of one checkpoint; 0 for none."},
        Field<P>{&P::checkpoint_gpu_w, "checkpoint_gpu_power", "W", Range::positive,
                 "GPU power while a checkpoint is written."},
        Field<P>{&P::checkpoint_band_w, "checkpoint_gpu_band", "W", Range::non_negative,
                 "Largest deviation of the power of one GPU, from spread and noise together."},
        Field<P>{&P::gpu_noise_w, "gpu_noise", "W", Range::non_negative,
                 "Standard deviation of the power of one GPU around the mean of its node, over one noise interval."},
        Field<P>{&P::gpu_spread_w, "gpu_spread", "W", Range::non_negative,
                 "Standard deviation of the mean power between GPUs."},
        Field<P>{&P::node_noise_w, "node_noise", "W", Range::non_negative,
                 "Standard deviation of the common power noise of all GPUs of a node, over one noise interval."},
        Field<P>{&P::noise_interval_s, "noise_interval", "s", Range::positive,
                 "Noise interval: time for which a deviation lasts before the next one is drawn."},
        Field<P>{&P::pipeline_stages, "pipeline_stages", Range::positive,
                 "Number of pipeline stages, which pass through a step one after the other; node i is in stage i "
                 "modulo stages."},
        Field<P>{&P::stage_lag_s, "stage_lag", "s", Range::non_negative,
                 "Delay of each stage behind the stage before it."},
        Field<P>{&P::ramp_s, "start_ramp", "s", Range::non_negative,
                 "Time of the power ramp of GPUs from idle to computing before the first step."},
        Field<P>{&P::coupling, "coupling", "slowest_gpu|none",
                 "Whether all GPUs wait for the slowest GPU, and the job stops if a node is lost."},
        Field<P>{&P::detection_s, "detection_time", "s", Range::non_negative,
                 "Time until a lost node is detected; GPUs wait with the power of communication."},
        Field<P>{&P::restart_s, "restart_time", "s", Range::non_negative,
                 "Time from the return of all nodes to the first step after the last checkpoint; GPUs are idle."},
        Field<P>{&P::spare_nodes, "spare_nodes", Range::non_negative,
                 "Spare nodes, the last nodes of the job: they are idle until they replace lost nodes."},
        Field<P>{&P::is_elastic, "elastic",
                 "Whether the job continues with fewer nodes if a node is lost and no spare node is left: the same "
                 "work on the remaining nodes."},
        Field<P>{&P::least_share_fraction, "least_share", "1", Range::positive_fraction,
                 "With `elastic`: smallest share of its nodes with which the job continues."},
    };
  }
};

}  // namespace wattloop::workload
