#include "workload/training/training_checkpoints.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "workload/checkpoints/checkpoint_size.hpp"
#include "workload/checkpoints/interval.hpp"
#include "workload/checkpoints/storage.hpp"
#include "workload/training/training_schedule.hpp"

namespace wattloop::workload {

namespace {

/// Without spare nodes.
double working_nodes(const TrainingParams& p, const NodeSet& nodes) {
  return std::max(1.0, static_cast<double>(nodes.job_nodes()) - p.spare_nodes);
}

double gpus_per_node(const NodeSet& nodes) {
  return static_cast<double>(nodes.job_gpus()) / static_cast<double>(nodes.job_nodes());
}

double working_gpus(const TrainingParams& p, const NodeSet& nodes) {
  return working_nodes(p, nodes) * gpus_per_node(nodes);
}

double interval_of(const CheckpointParams& checkpoint, double stop_s, double mean_time_s) {
  if (checkpoint.interval == "young") return young_interval_s(stop_s, mean_time_s) + stop_s;
  if (checkpoint.interval == "daly") return daly_interval_s(stop_s, mean_time_s) + stop_s;
  return checkpoint.interval_s;
}

std::string rate_text(double b_per_s) { return format_quantity(b_per_s, "B/s"); }
std::string time_text(double time_s) { return format_quantity(time_s, "s"); }

/// "weights 2, master copy 4, moments 8".
std::string parts_text(const BytesPerParameter& bytes) {
  std::string text;
  const auto add = [&](const char* name, double b) {
    if (b > 0.0) text += fmt::format("{}{} {:g}", text.empty() ? "" : ", ", name, b);
  };
  add("weights", bytes.weights_b);
  add("master copy", bytes.master_b);
  add("moments", bytes.moments_b);
  return text;
}

/// "11.34 s at 500 GB/s, the limit of the storage".
std::string transfer_text(const CheckpointPlan& plan, double time_s, bool is_by_nodes) {
  return fmt::format("{} at {}, the limit of {}", time_text(time_s), rate_text(plan.bytes_b / time_s),
                     is_by_nodes ? fmt::format("{:.0f} nodes", plan.nodes) : "the storage");
}

}  // namespace

CheckpointPlan checkpoint_plan(const TrainingParams& p, const NodeSet& nodes) {
  CheckpointPlan plan;
  plan.bytes_b = checkpoint_bytes_b(p.checkpoint);
  plan.ranks = p.checkpoint.ranks > 0 ? p.checkpoint.ranks : working_gpus(p, nodes);
  plan.nodes = std::ceil(plan.ranks / gpus_per_node(nodes));
  const Transfer write{.bytes_b = plan.bytes_b, .nodes = plan.nodes};
  const Transfer read{.bytes_b = plan.bytes_b, .nodes = plan.nodes, .is_read = true};
  plan.write_s = transfer_s(p.storage, write);
  plan.read_s = transfer_s(p.storage, read);
  plan.is_write_limited_by_nodes = is_limited_by_nodes(p.storage, write);
  plan.is_read_limited_by_nodes = is_limited_by_nodes(p.storage, read);
  plan.stop_s = plan.write_s;
  if (p.checkpoint.is_asynchronous()) {
    const bool is_derived = p.checkpoint.stall_s == CheckpointParams::by_copy_rate_s;
    plan.stop_s = is_derived ? plan.bytes_b / plan.ranks / p.checkpoint.copy_rate_b_per_s : p.checkpoint.stall_s;
    plan.background_s = plan.write_s;
  }
  plan.mean_time_s = job_mean_time_s(p.failures, static_cast<double>(nodes.job_gpus()), working_gpus(p, nodes));
  plan.interval_s = interval_of(p.checkpoint, plan.stop_s, plan.mean_time_s);
  return plan;
}

TrainingParams with_checkpoints(TrainingParams p, const NodeSet& nodes) {
  if (!p.checkpoint.is_given) return p;
  const CheckpointPlan plan = checkpoint_plan(p, nodes);
  p.checkpoint_s = plan.stop_s;
  p.background_write_s = plan.background_s;
  p.checkpoint_interval_s = plan.interval_s;
  p.restart_s += plan.read_s;
  if (p.storage.is_shared)
    p.storage_use = StorageUse{.storage = p.storage,
                               .write_s = plan.write_s,
                               .read_s = plan.read_s,
                               .write_b_per_s = plan.bytes_b / plan.write_s,
                               .read_b_per_s = plan.bytes_b / plan.read_s,
                               .nodes = plan.nodes};
  return p;
}

std::vector<std::string> checkpoint_mistakes(const TrainingParams& p, const NodeSet& nodes) {
  std::vector<std::string> mistakes;
  if (!p.checkpoint.is_given) return mistakes;
  const CheckpointPlan plan = checkpoint_plan(p, nodes);
  if (plan.bytes_b == 0.0)
    mistakes.push_back(
        "checkpoint: with `contents: optimizer` and `optimizer: none` nothing is saved: change one of the two");
  if (p.checkpoint.ranks > working_gpus(p, nodes))
    mistakes.push_back(
        fmt::format("checkpoint: {} ranks save, and the job has only {:.0f} GPUs at work: write fewer ranks",
                    p.checkpoint.ranks, working_gpus(p, nodes)));
  if (p.checkpoint.has_rule() && std::isinf(plan.mean_time_s)) {
    mistakes.push_back(
        fmt::format("checkpoint: `interval: {}` is computed from the `failures` of the job, and the job has none",
                    p.checkpoint.interval));
  } else if (plan.bytes_b > 0.0 && plan.stop_s >= plan.interval_s) {
    mistakes.push_back(
        fmt::format("checkpoint: the interval is {}, and GPUs wait {} for each save: write a longer interval, or a "
                    "storage that writes faster",
                    time_text(plan.interval_s), time_text(plan.stop_s)));
  }
  return mistakes;
}

std::string checkpoint_note(const TrainingParams& p, const NodeSet& nodes) {
  const CheckpointPlan plan = checkpoint_plan(p, nodes);
  const BytesPerParameter bytes = bytes_per_parameter(p.checkpoint);
  const TrainingSchedule schedule = make_schedule(p);
  const double between_s =
      schedule.checkpoint_s +
      schedule.steps_per_checkpoint * (schedule.step_s + schedule.evaluation_s / schedule.steps_per_evaluation);
  std::string text = fmt::format(
      "a checkpoint has {}: {:g} B for each parameter ({}), {} on each node; a save takes {}, a restart reads for {}",
      format_quantity(plan.bytes_b, "B"), bytes.sum_b(), parts_text(bytes),
      format_quantity(plan.bytes_b / plan.nodes, "B"),
      transfer_text(plan, plan.write_s, plan.is_write_limited_by_nodes),
      transfer_text(plan, plan.read_s, plan.is_read_limited_by_nodes));
  text += fmt::format("; GPUs wait {} in each save, and a save begins every {}, after {:.0f} steps",
                      time_text(plan.stop_s), time_text(between_s), schedule.steps_per_checkpoint);
  if (p.checkpoint.has_rule())
    text +=
        fmt::format(" (interval by {}, with {} between failures)", p.checkpoint.interval, time_text(plan.mean_time_s));
  if (p.storage.is_shared) text += "; these times are without other jobs on the storage";
  if (plan.interval_s < plan.stop_s + plan.background_s)
    text +=
        fmt::format("; the interval of the scenario is {}, but a save begins only after the save before it is written",
                    time_text(plan.interval_s));
  return text;
}

}  // namespace wattloop::workload
