// How a training job divides a model and its batch among GPUs.
//
//   GPUs = tensor x context x data x pipeline       micro-batches of a pipeline = global batch / (data x micro-batch)
//
// Ranks are numbered tensor first, then context, data, pipeline, so that neighbours of a tensor group are in a node. Experts are divided among
// data ranks. Source: [narayanan2021], [korthikanti2022]. Documented in docs/models/transformer.md.
#pragma once

namespace wattloop::workload {

enum class Precision { bf16, fp8 };

/// What the backward pass computes anew: nothing, the core of attention, or whole layers.
enum class Recompute { none, selective, full };

struct ParallelPlan {
  int tensor = 1;
  int pipeline = 1;
  int virtual_stages = 1;  ///< chunks of layers of each pipeline stage (interleaved schedule)
  int context = 1;         ///< ranks that share each sequence
  int data = 1;            ///< replicas
  int expert = 1;          ///< data ranks that share the experts
  int micro_batch = 1;     ///< sequences
  int global_batch = 1;    ///< sequences of a step
  int adapter_rank = 0;    ///< of adapters on the products of attention, the only weights that train; 0: all weights do
  Precision precision = Precision::bf16;
  Recompute recompute = Recompute::none;
  bool has_sequence_parallelism = true;  ///< norms are divided among tensor ranks, too
  bool has_sharded_optimizer = true;     ///< its state is divided among data and context ranks
  bool has_fused_attention = true;       ///< scores never reach memory, and masked ones are left out (flash attention)
  bool counts_embeddings_as_layers = false;  ///< input and output layer take the place of a layer each
  bool has_loss_scaling = false;             ///< FP16: gradients are divided by the scale of the loss
  double host_s = 0.0;                       ///< of a step, in which all GPUs wait for their hosts
  double gradient_bytes_b = 2.0;             ///< of a gradient as it is accumulated and sent
  double weight_bytes_b = 2.0;               ///< of a weight as it is kept and sent
  double tensor_overlap_fraction = 0.0;      ///< of communication among tensor ranks, behind products
  double context_overlap_fraction = 0.0;     ///< of keys and values, behind attention
  double pipeline_overlap_fraction = 0.0;    ///< of messages between stages, behind computing
  double data_overlap_fraction = 0.0;        ///< of gradients and weights that can be sent while other chunks compute

  int gpus() const { return tensor * context * data * pipeline; }
  bool has_adapters() const { return adapter_rank > 0; }
  int micro_batches() const { return global_batch / (data * micro_batch); }
  double layers_of_schedule(int layers) const { return layers + (counts_embeddings_as_layers ? 2.0 : 0.0); }
};

}  // namespace wattloop::workload
