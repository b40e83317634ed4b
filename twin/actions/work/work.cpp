#include "twin/actions/work/work.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"
#include "electrical/psu_curve.hpp"
#include "workload/constant_load.hpp"
#include "workload/power_trace.hpp"
#include "workload/replay.hpp"
#include "workload/replay_levels.hpp"
#include "workload/training.hpp"
#include "workload/work_of_groups.hpp"

namespace wattloop::twin {

namespace {

workload::NodeSet node_set(const RacksSpec& racks) {
  workload::NodeSet nodes;
  nodes.nodes = racks.count * racks.nodes;
  nodes.nodes_per_rack = racks.nodes;
  nodes.split = racks.hardware.split;
  nodes.nameplate_w = racks.hardware.nameplate_w;
  for (const NodeUnits& units : racks.hardware.units) {
    if (units.name == "gpu") nodes.gpus_per_node = units.count;
  }
  return nodes;
}

/// What the library's supplies make of a DC trace: two meters of one node may well disagree by some percent.
std::string ratio_of_supplies(const workload::PowerTrace& trace, const std::vector<double>& inlet_w) {
  const double dc_w = std::accumulate(trace.power_w.begin(), trace.power_w.end(), 0.0);
  const double ac_w = std::accumulate(inlet_w.begin(), inlet_w.end(), 0.0);
  return fmt::format(
      "DC over AC of this trace is {:.3f} by the node's power supplies; where both were metered, `dc_over_ac` says "
      "what the meters say (0.984 in one record, 3 % less AC energy than by the supplies of the library)",
      ac_w > 0.0 ? dc_w / ac_w : 1.0);
}

Work make_replay_work(const Scenario& scenario, const RacksSpec& racks, const workload::NodeSet& nodes) {
  const WorkloadSpec& spec = workload_of(scenario, racks);
  const workload::ReplayParams& params = spec.replay;
  Problems problems;
  const std::optional<LocalTime> start = parse_local_time(scenario.start);
  const workload::TraceRequest request{.named_at = {spec.trace_place, {}},
                                       .run = RunSpan{start.value_or(LocalTime{}), scenario.duration_s}};
  const workload::PowerTrace trace = workload::read_power_trace(params.trace, params, problems, request);
  problems.throw_if_any(params.trace);
  const electrical::PsuParams& psu = racks.hardware.psu;
  const auto ac_from_dc_w = [&psu](double dc_w) { return electrical::psu_input_w(psu, dc_w); };
  const std::vector<double> inlet_w = workload::inlet_power_w(trace, params, ac_from_dc_w);
  const std::size_t columns = workload::columns_used(trace, params, nodes);
  const workload::ReplayLevels levels = workload::replay_levels(trace, inlet_w, columns, params, nodes);
  Work work{workload::make_replay(trace, params, nodes, {ac_from_dc_w, scenario.seed}),
            workload::describe_replay(trace, params, nodes, scenario.duration_s), levels.warnings,
            levels.clamped_sample_share};
  work.notes.insert(work.notes.end(), levels.notes.begin(), levels.notes.end());
  const std::string few_rows = workload::few_rows_warning(trace, params, scenario.duration_s);
  if (!few_rows.empty()) work.warnings.push_back(few_rows);
  if (params.meaning == "node_dc" && !(params.dc_over_ac_ratio > 0.0))
    work.notes.push_back(ratio_of_supplies(trace, inlet_w));
  return work;
}

/// Which powers of the job are defaults, for a mistake: "defaults for a limit of 1200 W: communication_gpu_power 377 W". Empty: none.
std::string defaults_text(const workload::TrainingParams& given, const workload::TrainingParams& job,
                          const workload::NodeSet& nodes) {
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

Work make_training_work(const Scenario& scenario, const RacksSpec& racks, const workload::NodeSet& nodes) {
  const WorkloadSpec& spec = workload_of(scenario, racks);
  const workload::TrainingParams job = workload::with_powers_of_gpu(spec.training, nodes.split);
  const std::string group = racks.name.empty() ? "" : "racks " + racks.name + ": ";
  Problems problems;
  for (const std::string& mistake : workload::training_mistakes(job, nodes)) {
    const Mention& section = spec.mention;
    problems.add({section.place, group + mistake, defaults_text(spec.training, job, nodes), section.excerpt});
  }
  problems.throw_if_any(scenario.file);
  return {workload::make_training(job, nodes, scenario.seed), {}, {}, 0.0};
}

Work make_constant_work(const Scenario& scenario, const RacksSpec& racks, const workload::NodeSet& nodes) {
  const WorkloadSpec& spec = workload_of(scenario, racks);
  const NodeHardware& node = racks.hardware;
  const double asked_w = spec.constant.node_power_w;
  const double node_w = asked_w == workload::ConstantParams::nameplate_w ? node.nameplate_w : asked_w;
  Problems problems;
  if (node_w > node.nameplate_w) {
    const Mention& written = spec.node_power_mention;
    problems.add({written.place,
                  fmt::format("node_power: {} is more than a node can draw, {}", format_quantity(node_w, "W"),
                              format_quantity(node.nameplate_w, "W")),
                  "leave it out for the nameplate power of the node", written.excerpt});
  }
  problems.throw_if_any(scenario.file);
  std::vector<std::string> warnings;
  const double idle_w = nodes.gpus_per_node * nodes.split.gpu_idle_w;
  if (node_w > 0.0 && node_w < idle_w) {
    warnings.push_back(fmt::format("node_power: {} is less than the GPUs of a node draw without work, {}",
                                   format_quantity(node_w, "W"), format_quantity(idle_w, "W")));
  }
  return {workload::make_constant_load(node_w, nodes), {}, std::move(warnings), 0.0};
}

Work make_work_of(const Scenario& scenario, const RacksSpec& racks) {
  const workload::NodeSet nodes = node_set(racks);
  switch (workload_of(scenario, racks).kind) {
    case WorkloadSpec::Kind::replay:
      return make_replay_work(scenario, racks, nodes);
    case WorkloadSpec::Kind::constant:
      return make_constant_work(scenario, racks, nodes);
    case WorkloadSpec::Kind::training:
      break;
  }
  return make_training_work(scenario, racks, nodes);
}

/// "dgx: what the user should know".
std::vector<std::string> of_group(const RacksSpec& racks, std::vector<std::string> texts) {
  for (std::string& text : texts) text = racks.name.empty() ? text : racks.name + ": " + text;
  return texts;
}

}  // namespace

Work make_work(const Scenario& scenario) {
  Work work;
  std::vector<workload::GroupWork> groups;
  double nodes = 0.0, clamped = 0.0;
  for (const RacksSpec& racks : scenario.racks) {
    Work of_racks = make_work_of(scenario, racks);
    const int count = racks.count * racks.nodes;
    groups.push_back({std::move(of_racks.workload), static_cast<std::size_t>(count)});
    std::ranges::move(of_group(racks, std::move(of_racks.notes)), std::back_inserter(work.notes));
    std::ranges::move(of_group(racks, std::move(of_racks.warnings)), std::back_inserter(work.warnings));
    nodes += count;
    clamped += count * of_racks.clamped_sample_share;
  }
  work.clamped_sample_share = clamped / nodes;
  work.workload = workload::make_work_of_groups(std::move(groups));
  return work;
}

}  // namespace wattloop::twin
