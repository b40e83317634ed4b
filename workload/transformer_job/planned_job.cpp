#include "workload/transformer_job/planned_job.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "workload/training/training_levels.hpp"

namespace wattloop::workload {

namespace {

Recompute recompute_of(std::string_view name) {
  if (name == "selective") return Recompute::selective;
  return name == "full" ? Recompute::full : Recompute::none;
}

GpuPowerLevels levels_of(const StepPowerParams& power, const NodeSplitParams& split) {
  constexpr double h100_limit_w = 700.0;  // [nvidia_h100_datasheet]
  const StepPowerParams h100;
  const auto level_w = [&](double StepPowerParams::*watts) {
    return std::isnan(power.*watts) ? h100.*watts * (split.gpu_limit_w / h100_limit_w) : power.*watts;
  };
  const double product_w = level_w(&StepPowerParams::product_w);
  return {.product_w = product_w,
          .attention_w = product_w,
          .memory_w = level_w(&StepPowerParams::memory_w),
          .link_w = level_w(&StepPowerParams::link_w),
          .waiting_w = level_w(&StepPowerParams::waiting_w),
          .lag = {power.rise_s, power.fall_s}};
}

/// Of all replicas, where each has so many micro-batches.
int batch_of(const ParallelPlan& plan, int micro_batches) {
  const double sequences = double(plan.data) * plan.micro_batch * micro_batches;
  return static_cast<int>(std::min<double>(sequences, std::numeric_limits<int>::max()));
}

std::string batch_mistake(const TransformerParams& p) {
  if (p.batch > 0 && p.parallel.micro_batches > 0)
    return fmt::format(
        "parallel: micro_batches {} gives the batch already, but batch {} is also given: delete one of the two",
        p.parallel.micro_batches, p.batch);
  if (p.batch == 0 && p.parallel.micro_batches == 0)
    return "batch: the number of sequences of a step is not given: write `batch`, or `micro_batches` under `parallel`";
  return {};
}

/// The key of a scenario that a mistake of a plan belongs to.
std::string_view key_of(std::string_view mistake) {
  if (mistake.starts_with("batch") || mistake.find("micro-batches") != std::string_view::npos) return "batch";
  return mistake.starts_with("precision") ? "precision" : "parallel";
}

}  // namespace

PlannedJob plan_job(const TransformerParams& p, const NodeSet& nodes) {
  const auto spare = static_cast<std::size_t>(std::max(0, p.job.spare_nodes));
  const std::size_t per_node = static_cast<std::size_t>(nodes.gpus_per_node);
  const auto gpus = static_cast<int>(nodes.job_gpus() - std::min(nodes.job_gpus(), spare * per_node));
  const bool is_fp8 = p.precision == "fp8";
  ParallelPlan plan{.tensor = p.parallel.tensor,
                    .pipeline = p.parallel.pipeline,
                    .virtual_stages = p.parallel.virtual_stages,
                    .context = p.parallel.context,
                    .data = p.parallel.data,
                    .expert = p.parallel.expert,
                    .micro_batch = p.parallel.micro_batch,
                    .global_batch = p.batch,
                    .adapter_rank = p.adapter_rank,
                    .precision = is_fp8 ? Precision::fp8 : Precision::bf16,
                    .recompute = recompute_of(p.recompute),
                    .has_sequence_parallelism = p.parallel.has_sequence_parallelism,
                    .has_sharded_optimizer = p.parallel.has_sharded_optimizer,
                    .has_fused_attention = p.has_fused_attention,
                    .counts_embeddings_as_layers = p.parallel.counts_embeddings_as_layers,
                    .has_loss_scaling = p.precision == "fp16",
                    .host_s = p.host_wait_s,
                    .weight_bytes_b = is_fp8 ? 1.0 : 2.0,
                    .tensor_overlap_fraction =
                        std::isnan(p.overlap.tensor_fraction) ? (is_fp8 ? 0.75 : 0.25) : p.overlap.tensor_fraction,
                    .context_overlap_fraction = p.overlap.context_fraction,
                    .pipeline_overlap_fraction = p.overlap.pipeline_fraction,
                    .data_overlap_fraction = p.overlap.data_fraction};
  if (plan.data == 0) plan.data = std::max(1, data_parallelism(plan, gpus));
  if (p.batch == 0) plan.global_batch = batch_of(plan, p.parallel.micro_batches);
  PlannedJob job{p.model, plan, p.gpu, levels_of(p.power, nodes.split), gpus, batch_mistake(p)};
  if (nodes.gpus_per_domain > 0) job.gpu.gpus_per_domain = nodes.gpus_per_domain;
  return job;
}

std::vector<std::string> mistakes_in(const PlannedJob& job) {
  if (job.gpus == 0)
    return {"spare_nodes: all nodes of the job are spare, so that no node works: give fewer spare nodes"};
  if (!job.batch_mistake.empty()) return {job.batch_mistake};
  std::vector<std::string> mistakes;
  for (const std::string& mistake : plan_mistakes(job.model, job.plan, job.gpu, job.gpus))
    mistakes.push_back(fmt::format("{}: {}", key_of(mistake), mistake));
  if (job.plan.pipeline > most_pipeline_stages)
    mistakes.push_back(
        fmt::format("parallel: pipeline {} is more than {} stages", job.plan.pipeline, most_pipeline_stages));
  return mistakes;
}

std::string step_note(const PlannedJob& job, const StepTime& step) {
  const ParallelPlan& plan = job.plan;
  const std::string virtual_text = plan.virtual_stages > 1 ? fmt::format(" (virtual {})", plan.virtual_stages) : "";
  const std::string context_text = plan.context > 1 ? fmt::format(" x context {}", plan.context) : "";
  return fmt::format(
      "{} on {} GPUs, tensor {}{} x pipeline {}{} x data {}: a step of {} sequences takes {}, {:.0f} tokens/s a GPU, "
      "MFU "
      "{:.1f} %",
      job.model.name.empty() ? "a transformer" : job.model.name, job.gpus, plan.tensor, context_text, plan.pipeline,
      virtual_text, plan.data, plan.global_batch, format_quantity(step.step_s, "s"), step.tokens_per_s / job.gpus,
      step.mfu_fraction * 100.0);
}

}  // namespace wattloop::workload
