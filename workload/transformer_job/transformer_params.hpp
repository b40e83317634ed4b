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
        Field<P>{&P::tensor, "tensor", Range::positive, "GPUs that share each layer (TP)."},
        Field<P>{&P::pipeline, "pipeline", Range::positive, "Stages that layers are divided into (PP)."},
        Field<P>{&P::virtual_stages, "virtual", Range::positive,
                 "Chunks of layers that each stage has, by turns (VP, interleaved schedule)."},
        Field<P>{&P::context, "context", Range::positive, "GPUs that share each sequence (CP)."},
        Field<P>{&P::expert, "expert", Range::positive, "Data-parallel GPUs that share the experts (EP)."},
        Field<P>{&P::data, "data", Range::non_negative,
                 "Replicas of the model (DP); 0: as many as the GPUs of the job give."},
        Field<P>{&P::micro_batch, "micro_batch", Range::positive, "Sequences that pass the pipeline together."},
        Field<P>{&P::micro_batches, "micro_batches", Range::non_negative,
                 "Micro-batches of a step for each replica, where `batch` is to follow from the GPUs."},
        Field<P>{&P::has_sequence_parallelism, "sequence_parallelism",
                 "Whether tensor-parallel GPUs share norms, too (SP)."},
        Field<P>{&P::has_sharded_optimizer, "sharded_optimizer",
                 "Whether replicas share the state of the optimizer (ZeRO-1)."},
        Field<P>{&P::counts_embeddings_as_layers, "embeddings_as_layers",
                 "Whether input and output layer take the place of a layer each when stages are filled."},
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
                 "Among tensor-parallel GPUs, behind products; left out: 75 % with fp8, 25 % with bf16."},
        Field<P>{&P::context_fraction, "context", "1", Range::fraction, "Of keys and values, behind attention."},
        Field<P>{&P::pipeline_fraction, "pipeline", "1", Range::fraction, "Of messages between stages."},
        Field<P>{&P::data_fraction, "data", "1", Range::fraction,
                 "Of gradients and weights, where other chunks still compute."},
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
        Field<P>{&P::product_w, "products", "W", Range::positive, "In matrix products and attention."},
        Field<P>{&P::memory_w, "memory", "W", Range::positive, "In norms, activations and the optimizer."},
        Field<P>{&P::link_w, "links", "W", Range::positive, "In communication that computing does not hide."},
        Field<P>{&P::waiting_w, "waiting", "W", Range::positive, "While it waits for other GPUs."},
        Field<P>{&P::rise_s, "rise_time", "s", Range::non_negative,
                 "Time constant with which power rises to a level; 0: at once."},
        Field<P>{&P::fall_s, "fall_time", "s", Range::non_negative, "Time constant with which it falls."},
    };
  }
};

/// Transformer training. Times: workload/transformer; evaluations, checkpoints, failures: as those of TrainingParams.
struct TransformerParams {
  static constexpr std::string_view kind = "transformer", noun = "training", page = "docs/models/transformer.md";
  static constexpr std::string_view doc =
      "Training of a transformer: steps, throughput and watts follow from model, parallelism, GPU and network.";

  /// Stands for the parameters of the model; no one can write it.
  static constexpr double parameters_of_model = std::numeric_limits<double>::infinity();

  TransformerModel model = {};
  std::string precision = "bf16";
  int batch = 0;
  std::string recompute = "none";
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
        Field<P>{&P::precision, "precision", "bf16|fp8", "Of matrix products."},
        Field<P>{&P::batch, "batch", Range::non_negative,
                 "Sequences of a step, of all replicas together; left out, `parallel.micro_batches` gives them."},
        Field<P>{&P::recompute, "recompute", "none|selective|full",
                 "What the backward pass computes anew: nothing, the core of attention, or whole layers."},
        Field<P>{&P::has_fused_attention, "fused_attention",
                 "Whether scores never reach memory, and masked ones are left out (flash attention)."},
        Field<P>{&P::gpu_name, "gpu", "h100_sxm|h200_sxm|a100_sxm|b200_sxm",
                 "Whose peaks and calibrated efficiencies count."},
    };
  }
};

}  // namespace wattloop::workload
