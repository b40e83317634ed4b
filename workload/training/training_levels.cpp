#include "workload/training/training_levels.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workload/training/training.hpp"
#include "workload/training/training_checkpoints.hpp"

namespace wattloop::workload {

double evaluation_gpu_w(const TrainingParams& p, const NodeSet& nodes, double step_gpu_w) {
  const double evaluation_node_w = p.evaluation_ratio * node_from_gpus_w(nodes.split, step_gpu_w * nodes.gpus_per_node);
  return (evaluation_node_w - nodes.split.base_w) / nodes.split.overhead_ratio / nodes.gpus_per_node;
}

PhaseLevels phase_levels_w(const TrainingParams& p, const NodeSet& nodes) {
  const double share = p.communication_fraction;
  const double step_gpu_w = p.compute_gpu_w * (1.0 - share) + p.communication_gpu_w * share;
  return {p.compute_gpu_w, p.communication_gpu_w, evaluation_gpu_w(p, nodes, step_gpu_w), p.checkpoint_gpu_w,
          nodes.split.gpu_idle_w};
}

TrainingParams with_powers_of_gpu(TrainingParams params, const NodeSplitParams& gpu) {
  constexpr double h100_limit_w = 700.0;  // [nvidia_h100_datasheet]
  const TrainingParams h100;
  for (const auto power :
       {&TrainingParams::compute_gpu_w, &TrainingParams::communication_gpu_w, &TrainingParams::checkpoint_gpu_w}) {
    if (std::isnan(params.*power)) params.*power = h100.*power * (gpu.gpu_limit_w / h100_limit_w);
  }
  return params;
}

std::vector<std::string> training_mistakes(const TrainingParams& p, const NodeSet& nodes) {
  constexpr int most_gpus_per_node = 255;
  std::vector<std::string> mistakes;
  const auto check_level = [&](std::string_view name, double level_w) {
    if (level_w < nodes.split.gpu_idle_w || level_w > nodes.split.gpu_limit_w) {
      mistakes.push_back(fmt::format("{}: {:.0f} W is not between idle power {:.0f} W and limit {:.0f} W of a GPU",
                                     name, level_w, nodes.split.gpu_idle_w, nodes.split.gpu_limit_w));
    }
  };
  const PhaseLevels levels_w = phase_levels_w(p, nodes);
  check_level("compute_gpu_power", levels_w[compute]);
  check_level("communication_gpu_power", levels_w[communication]);
  check_level("evaluation_power_ratio", levels_w[evaluation]);
  check_level("checkpoint_gpu_power", levels_w[checkpoint]);
  if (p.pipeline_stages < 1 || p.pipeline_stages > most_pipeline_stages) {
    mistakes.push_back(
        fmt::format("pipeline_stages: {} is not between 1 and {}", p.pipeline_stages, most_pipeline_stages));
  }
  if (nodes.gpus_per_node < 1 || nodes.gpus_per_node > most_gpus_per_node) {
    mistakes.push_back(fmt::format("{} GPUs in a node: not between 1 and {}", nodes.gpus_per_node, most_gpus_per_node));
  }
  if (p.spare_nodes >= static_cast<int>(nodes.job_nodes()))
    mistakes.push_back(
        fmt::format("spare_nodes: {} of {} nodes are spare, so that no node works: give fewer spare nodes",
                    p.spare_nodes, nodes.job_nodes()));
  if (p.failures.node_spread_ratio > 3.0)
    mistakes.push_back(
        fmt::format("failures: node_spread {:g} is more than 3: one node would have most failures of a hall",
                    p.failures.node_spread_ratio));
  for (const FailureKind& kind : p.failures.kinds) {
    constexpr double shortest_s = 1.0, least_shape_ratio = 0.2, most_shape_ratio = 20.0;
    if (kind.shape_ratio < least_shape_ratio || kind.shape_ratio > most_shape_ratio)
      mistakes.push_back(fmt::format("failures: shape {:g} of {} is not between {:g} and {:g}", kind.shape_ratio,
                                     kind.name, least_shape_ratio, most_shape_ratio));
    if (kind.mean_time_s < shortest_s * static_cast<double>(nodes.job_gpus()))
      mistakes.push_back(
          fmt::format("failures: {} happens more than once a second on {} GPUs; mean_time is the value for one GPU",
                      kind.name, nodes.job_gpus()));
  }
  if (!p.is_coupled() && (p.spare_nodes > 0 || !p.failures.kinds.empty()))
    mistakes.push_back(
        "coupling: spare_nodes and failures need `slowest_gpu`; otherwise nodes do not belong to one job");
  if (p.is_elastic && !p.is_coupled())
    mistakes.push_back("elastic: needs `coupling: slowest_gpu`, else no node waits for another");
  if (p.is_elastic && !p.checkpoint.is_given && p.checkpoint_s == 0.0)
    mistakes.push_back("elastic: a job continues from a checkpoint, but `checkpoint_time: 0 s` saves none");
  if (p.evaluation_s >= p.evaluation_interval_s) {
    mistakes.push_back("evaluation_time: an evaluation must be shorter than the interval between evaluations");
  }
  if (p.evaluation_s > 0.0 && p.evaluation_dip_s > p.evaluation_s) {
    mistakes.push_back("evaluation_dip_time: it is longer than the evaluation");
  }
  for (std::string& mistake : checkpoint_mistakes(p, nodes)) mistakes.push_back(std::move(mistake));
  if (!p.checkpoint.is_given && p.checkpoint_s >= p.checkpoint_interval_s) {
    mistakes.push_back("checkpoint_time: a checkpoint must be shorter than the interval between checkpoints");
  }
  return mistakes;
}

namespace {

/// Which powers of the job are defaults, for a mistake: "defaults for a limit of 1200 W: communication_gpu_power 377 W". Empty: none.
std::string defaults_text(const TrainingParams& given, const TrainingParams& job, const NodeSet& nodes) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view key, double given_w, double job_w) {
    if (std::isnan(given_w)) texts.push_back(fmt::format("{} {:.0f} W", key, job_w));
  };
  add("compute_gpu_power", given.compute_gpu_w, job.compute_gpu_w);
  add("communication_gpu_power", given.communication_gpu_w, job.communication_gpu_w);
  add("checkpoint_gpu_power", given.checkpoint_gpu_w, job.checkpoint_gpu_w);
  if (texts.empty()) return {};
  return fmt::format("defaults for a power limit of {:.0f} W: {}", nodes.split.gpu_limit_w, fmt::join(texts, ", "));
}

}  // namespace

MadeWork make_work(const TrainingParams& params, const WorkRequest& request, Problems& problems) {
  const TrainingParams job = with_powers_of_gpu(params, request.nodes.split);
  const std::vector<std::string> mistakes = training_mistakes(job, request.nodes);
  for (const std::string& mistake : mistakes) {
    const bool is_of_power = mistake.find(" W is not between ") != std::string::npos;
    const Mention written =
        request.mention_of(is_of_power ? std::string_view() : std::string_view(mistake).substr(0, mistake.find(':')));
    problems.add({written.place, request.racks + mistake,
                  is_of_power ? defaults_text(params, job, request.nodes) : std::string(), written.excerpt});
  }
  if (!mistakes.empty()) return {};
  const TrainingParams scheduled = with_checkpoints(job, request.nodes);
  MadeWork work{.workload = make_training(scheduled, request.nodes, request.seed)};
  if (job.checkpoint.is_given) work.notes.push_back(checkpoint_note(scheduled, request.nodes));
  return work;
}

}  // namespace wattloop::workload
