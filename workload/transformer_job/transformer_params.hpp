// A training job whose steps follow from model, parallelism, GPU and network.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "core/parts/field.hpp"
#include "workload/transformer/plan_mistakes.hpp"
#include "workload/transformer/step_power.hpp"
#include "workload/work/parameters.hpp"

namespace wattloop::workload {

/// Keys of the training job that a model answers.
inline constexpr std::array followed_keys{
    std::string_view("step_time"),           std::string_view("tokens_per_step"),
    std::string_view("compute_gpu_power"),   std::string_view("communication_gpu_power"),
    std::string_view("communication_share"), std::string_view("pipeline_stages"),
    std::string_view("stage_lag"),           std::string_view("start_ramp")};

/// How GPUs share model and batch. Documented in docs/models/transformer.md.
struct ParallelParams {
  int tensor = 1;
  int pipeline = 1;
  int virtual_stages = 1;
  int context = 1;
  int expert = 1;
  int data = 0;
  int micro_batch = 1;
  int micro_batches = 0;
  bool has_sequence_parallelism = true;
  bool has_sharded_optimizer = true;
  bool counts_embeddings_as_layers = false;

  static constexpr auto fields() {
    using P = ParallelParams;
    return std::array{
        Field<P>{&P::tensor, "tensor", Range::positive, "Number of GPUs that share each layer (TP)."},
        Field<P>{&P::pipeline, "pipeline", Range::positive,
                 "Number of pipeline stages that the layers are divided into (PP)."},
        Field<P>{&P::virtual_stages, "virtual", Range::positive,
                 "Number of virtual stages: groups of layers of each pipeline stage, computed alternately (VP, "
                 "interleaved schedule)."},
        Field<P>{&P::context, "context", Range::positive, "Number of GPUs that share each sequence (CP)."},
        Field<P>{&P::expert, "expert", Range::positive, "Number of data-parallel GPUs that share the experts (EP)."},
        Field<P>{&P::data, "data", Range::non_negative,
                 "Number of replicas of the model (DP); 0: follows from the number of GPUs of the job."},
        Field<P>{&P::micro_batch, "micro_batch", Range::positive,
                 "Number of sequences that pass through the pipeline together."},
        Field<P>{&P::micro_batches, "micro_batches", Range::non_negative,
                 "Number of micro-batches of a step for each replica; write it instead of `batch` if the batch follows "
                 "from the number of GPUs."},
        Field<P>{&P::has_sequence_parallelism, "sequence_parallelism",
                 "Whether tensor-parallel GPUs also share the norms (SP)."},
        Field<P>{&P::has_sharded_optimizer, "sharded_optimizer",
                 "Whether replicas share the optimizer state (ZeRO-1)."},
        Field<P>{
            &P::counts_embeddings_as_layers, "embeddings_as_layers",
            "Whether the input layer and the output layer count as a layer each when layers are divided among stages."},
    };
  }
};

/// An overlap that no scenario gives: it follows the precision.
inline constexpr double by_precision = std::numeric_limits<double>::quiet_NaN();

/// Shares of communication that computing hides. Defaults: docs/models/transformer.md.
struct OverlapParams {
  double tensor_fraction = 0.25;
  double context_fraction = 0.9;
  double pipeline_fraction = 0.9;
  double data_fraction = 0.0;

  static constexpr auto fields() {
    using P = OverlapParams;
    return std::array{
        Field<P>{&P::tensor_fraction, "tensor", "1", Range::fraction,
                 "Share of the communication among tensor-parallel GPUs that matrix products overlap; if it is not "
                 "given, 75 % with fp8, 25 % with bf16."},
        Field<P>{&P::context_fraction, "context", "1", Range::fraction,
                 "Share of the communication of keys and values that attention overlaps."},
        Field<P>{&P::pipeline_fraction, "pipeline", "1", Range::fraction,
                 "Share of the messages between stages that computing overlaps."},
        Field<P>{&P::data_fraction, "data", "1", Range::fraction,
                 "Share of the communication of gradients and weights that the computing of other chunks overlaps."},
    };
  }
};

/// Watts of a GPU by what it does. Defaults are those of an H100, times the power limit of the GPU over 700 W.
struct StepPowerParams {
  double product_w = 685.0;
  double memory_w = 350.0;
  double link_w = 220.0;
  double waiting_w = 220.0;
  double rise_s = 0.0;
  double fall_s = 0.0;

  static constexpr auto fields() {
    using P = StepPowerParams;
    return std::array{
        Field<P>{&P::product_w, "products", "W", Range::positive, "Power of a GPU in matrix products and attention."},
        Field<P>{&P::memory_w, "memory", "W", Range::positive,
                 "Power of a GPU in norms, activations and the optimizer."},
        Field<P>{&P::link_w, "links", "W", Range::positive,
                 "Power of a GPU in communication that computing does not overlap."},
        Field<P>{&P::waiting_w, "waiting", "W", Range::positive, "Power of a GPU that waits for other GPUs."},
        Field<P>{&P::rise_s, "rise_time", "s", Range::non_negative,
                 "Time constant of rising power; 0: power rises at once."},
        Field<P>{&P::fall_s, "fall_time", "s", Range::non_negative,
                 "Time constant of falling power; 0: power falls at once."},
    };
  }
};

/// Transformer training. Times: workload/transformer; evaluations, checkpoints, failures: as those of TrainingParams.
struct TransformerParams {
  static constexpr std::string_view kind = "transformer", noun = "training", page = "docs/models/transformer.md";
  static constexpr std::string_view doc =
      "Training of a transformer model (LLM): steps, throughput and power follow from model, parallelism, GPU and "
      "network.";

  /// Stands for the parameters of the model; no one can write it.
  static constexpr double parameters_of_model = std::numeric_limits<double>::infinity();

  TransformerModel model = {};
  std::string precision = "bf16";
  int batch = 0;
  std::string recompute = "none";
  int adapter_rank = 0;
  double host_wait_s = 0.0;
  bool has_fused_attention = true;
  std::string gpu_name = "h100_sxm";
  ParallelParams parallel = {};
  OverlapParams overlap = {};
  StepPowerParams power = {};
  TrainingGpu gpu = {};
  TrainingParams job = {};

  TransformerParams() {
    job.evaluation_s = 0.0;
    job.stage_lag_s = 0.0;
    job.checkpoint.parameters = parameters_of_model;
  }

  bool contains_leakage() const { return false; }
  bool contains_fans() const { return false; }

  static constexpr auto fields() {
    using P = TransformerParams;
    return std::array{
        Field<P>{&P::precision, "precision", "bf16|fp16|fp8",
                 "Number format of the matrix products; with fp16, the optimizer divides gradients by the scale of the "
                 "loss."},
        Field<P>{&P::batch, "batch", Range::non_negative,
                 "Number of sequences of a step, of all replicas together; if it is not given, it follows from "
                 "`parallel.micro_batches`."},
        Field<P>{&P::recompute, "recompute", "none|selective|full",
                 "What the backward pass recomputes: nothing, the core of attention, or whole layers."},
        Field<P>{&P::has_fused_attention, "fused_attention",
                 "Flash attention: whether attention scores stay out of memory, and masked scores are not computed."},
        Field<P>{
            &P::adapter_rank, "adapter_rank", Range::non_negative,
            "Rank of the adapters (LoRA) on the matrix products of attention, if only adapters are trained; 0: all "
            "weights are trained."},
        Field<P>{&P::host_wait_s, "host_wait", "s", Range::non_negative,
                 "Time of a step in which all GPUs wait for their hosts, for example for data. Waits for kernel "
                 "launches follow from `calibration`."},
        Field<P>{&P::gpu_name, "gpu", "h100_sxm|h200_sxm|a100_sxm|b200_sxm",
                 "GPU whose peak rates and calibrated efficiencies are used."},
    };
  }
};

}  // namespace wattloop::workload
