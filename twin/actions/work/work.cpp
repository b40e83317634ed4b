#include "twin/actions/work/work.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/tables/local_time.hpp"
#include "electrical/psu_curve.hpp"
#include "workload/work_of_groups.hpp"
#include "workload/workload_kinds.hpp"

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

workload::MadeWork make_work_of(const Scenario& scenario, const RacksSpec& racks) {
  const WorkloadSpec& spec = workload_of(scenario, racks);
  const electrical::PsuParams& psu = racks.hardware.psu;
  const workload::WorkRequest request{
      .nodes = node_set(racks),
      .ac_from_dc_w = [&psu](double dc_w) { return electrical::psu_input_w(psu, dc_w); },
      .seed = scenario.seed,
      .run = {parse_local_time(scenario.start).value_or(LocalTime{}), scenario.duration_s},
      .racks = racks.name.empty() ? "" : "racks " + racks.name + ": ",
      .mention_of = [&spec](std::string_view key) { return spec.mention_of(key); }};
  Problems problems;
  workload::MadeWork work = spec.visit([&](const auto& params) { return make_work(params, request, problems); });
  problems.throw_if_any(scenario.file);
  return work;
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
  double nodes = 0.0;
  std::optional<double> clamped;
  for (const RacksSpec& racks : scenario.racks) {
    workload::MadeWork of_racks = make_work_of(scenario, racks);
    const int count = racks.count * racks.nodes;
    groups.push_back({std::move(of_racks.workload), static_cast<std::size_t>(count)});
    std::ranges::move(of_group(racks, std::move(of_racks.notes)), std::back_inserter(work.notes));
    std::ranges::move(of_group(racks, std::move(of_racks.warnings)), std::back_inserter(work.warnings));
    nodes += count;
    if (of_racks.clamped_sample_share) clamped = clamped.value_or(0.0) + count * *of_racks.clamped_sample_share;
  }
  if (clamped) work.clamped_sample_share = *clamped / nodes;
  work.workload = workload::make_work_of_groups(std::move(groups));
  return work;
}

}  // namespace wattloop::twin
