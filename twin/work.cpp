#include "twin/work.hpp"

#include "electrical/equipment.hpp"
#include "workload/power_trace.hpp"
#include "workload/replay.hpp"
#include "workload/training.hpp"

namespace wattloop::twin {

namespace {

workload::NodeSet node_set(const RacksSpec& racks) {
  workload::NodeSet nodes;
  nodes.nodes = racks.count * racks.nodes;
  nodes.split = racks.hardware.split;
  for (const NodeUnits& units : racks.hardware.units) {
    if (units.name == "gpu") nodes.gpus_per_node = units.count;
  }
  return nodes;
}

Work make_replay_work(const Scenario& scenario, const workload::NodeSet& nodes) {
  const workload::ReplayParams& params = scenario.workload.replay;
  Problems problems;
  const workload::PowerTrace trace =
      workload::read_power_trace(params.trace, params, problems, scenario.workload.trace_place);
  problems.throw_if_any(params.trace);
  const electrical::PsuParams& psu = scenario.racks.hardware.psu;
  const auto ac_from_dc_w = [&psu](double dc_w) { return electrical::psu_input_w(psu, dc_w); };
  return {workload::make_replay(trace, params, nodes, ac_from_dc_w),
          workload::describe_replay(trace, params, nodes, scenario.duration_s)};
}

}  // namespace

Work make_work(const Scenario& scenario) {
  const workload::NodeSet nodes = node_set(scenario.racks);
  if (scenario.workload.kind == WorkloadSpec::Kind::replay) return make_replay_work(scenario, nodes);
  Problems problems;
  for (std::string& mistake : workload::training_mistakes(scenario.workload.training, nodes)) {
    const Mention& section = scenario.workload.mention;
    problems.add({section.place, std::move(mistake), {}, section.excerpt});
  }
  problems.throw_if_any(scenario.file);
  return {workload::make_training(scenario.workload.training, nodes, scenario.seed), {}};
}

}  // namespace wattloop::twin
