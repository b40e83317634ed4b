#include "twin/flow_model.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wattloop::twin {

namespace {

// Pressure nodes and branches of a loop.
constexpr std::size_t supply_header = 0;
constexpr std::size_t return_header = 1;
constexpr std::size_t first_cdu_node = 2;
constexpr std::size_t rack_branch = 0;

/// Share of a CDU's internal pressure drop that lies in each pump's own branch: suction, discharge and check valve.
constexpr double pump_branch_share = 0.2;

/// Step of a valve position for its central difference.
constexpr double position_step = 1e-6;

}  // namespace

FlowModel::FlowModel(std::vector<LoopFlows> loops, std::vector<ValveFlow> valves, std::size_t first_flow,
                     std::size_t flow_count)
    : valves_(std::move(valves)), first_flow_(first_flow), flow_count_(flow_count) {
  for (LoopFlows& loop : loops) loops_.push_back(make_loop(std::move(loop)));
}

FlowModel::Loop FlowModel::make_loop(LoopFlows flows) {
  const auto racks = static_cast<double>(flows.rack_count);
  std::vector<physics::HydraulicBranch> branches{
      {supply_header, return_header, flows.rack_resistance_pa_s2_per_kg2 / (racks * racks), {}, false}};
  std::vector<std::size_t> pump_states, pump_branches;
  std::vector<std::pair<std::size_t, std::size_t>> outputs{{rack_branch, flows.rack_flow_signal}};
  for (std::size_t c = 0; c < flows.cdus.size(); ++c) {
    const CduFlows& cdu = flows.cdus[c];
    const std::size_t node = first_cdu_node + c;
    for (std::size_t p = 0; p < cdu.pump_speed_states.size(); ++p) {
      pump_states.push_back(cdu.pump_speed_states[p]);
      pump_branches.push_back(branches.size());
      outputs.emplace_back(branches.size(), cdu.pump_flow_signals[p]);
      branches.push_back(
          {return_header, node, pump_branch_share * flows.cdu_resistance_pa_s2_per_kg2, flows.pump, true});
    }
    outputs.emplace_back(branches.size(), cdu.flow_signal);
    branches.push_back({node, supply_header, (1.0 - pump_branch_share) * flows.cdu_resistance_pa_s2_per_kg2, {}, false});
  }
  const std::size_t node_count = first_cdu_node + flows.cdus.size();
  return {std::move(flows), physics::HydraulicNetwork(node_count, std::move(branches)), std::move(pump_states),
          std::move(pump_branches), std::move(outputs)};
}

double FlowModel::share(const Loop& loop, std::size_t branch) {
  return branch == rack_branch ? 1.0 / static_cast<double>(loop.flows.rack_count) : 1.0;
}

FlowScratch FlowModel::make_scratch() const {
  FlowScratch scratch;
  for (const Loop& loop : loops_) {
    const std::size_t branches = loop.network.branches().size();
    scratch.loops.push_back({loop.network.make_scratch(), std::vector<double>(branches), std::vector<double>(branches),
                             std::vector<double>(branches)});
  }
  return scratch;
}

FlowDerivatives FlowModel::make_derivatives() const {
  FlowDerivatives derivatives;
  derivatives.scratch_ = make_scratch();
  derivatives.by_flow_.resize(flow_count_);
  for (const Loop& loop : loops_) {
    for (const auto& [branch, signal] : loop.outputs) {
      for (const std::size_t state : loop.pump_states) derivatives.by_flow_[signal - first_flow_].push_back({state, 0.0});
    }
  }
  for (const ValveFlow& valve : valves_) {
    derivatives.by_flow_[valve.flow_signal - first_flow_].push_back({valve.position_state, 0.0});
  }
  return derivatives;
}

void FlowModel::solve(const Loop& loop, std::span<const double> signals, FlowScratch::Loop& scratch) {
  for (std::size_t p = 0; p < loop.pump_states.size(); ++p) {
    scratch.speed_fraction[loop.pump_branches[p]] = signals[loop.pump_states[p]];
  }
  const auto report = loop.network.solve(scratch.speed_fraction, scratch.hydraulic, scratch.flow_kg_per_s);
  if (!report.converged) {  // the integrator notices, retries with a smaller step, and gives up with a message
    std::fill(scratch.flow_kg_per_s.begin(), scratch.flow_kg_per_s.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

void FlowModel::evaluate(std::span<double> signals, FlowScratch& scratch) const {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Loop& loop = loops_[l];
    solve(loop, signals, scratch.loops[l]);
    for (const auto& [branch, signal] : loop.outputs) {
      signals[signal] = scratch.loops[l].flow_kg_per_s[branch] * share(loop, branch);
    }
  }
  for (const ValveFlow& valve : valves_) {
    signals[valve.flow_signal] = valve.cdu.facility_design_flow_kg_per_s *
                                 physics::valve_flow_fraction(valve.cdu, signals[valve.position_state]);
  }
}

void FlowModel::differentiate(std::span<const double> signals, FlowDerivatives& derivatives) const {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Loop& loop = loops_[l];
    FlowScratch::Loop& scratch = derivatives.scratch_.loops[l];
    solve(loop, signals, scratch);
    for (std::size_t p = 0; p < loop.pump_states.size(); ++p) {
      loop.network.flow_per_speed(loop.pump_branches[p], scratch.speed_fraction, scratch.hydraulic,
                                  scratch.flow_per_speed_kg_per_s);
      for (const auto& [branch, signal] : loop.outputs) {
        derivatives.by_flow_[signal - first_flow_][p].kg_per_s =
            scratch.flow_per_speed_kg_per_s[branch] * share(loop, branch);
      }
    }
  }
  for (const ValveFlow& valve : valves_) {
    const double position = signals[valve.position_state];
    const double above = physics::valve_flow_fraction(valve.cdu, position + position_step);
    const double below = physics::valve_flow_fraction(valve.cdu, position - position_step);
    derivatives.by_flow_[valve.flow_signal - first_flow_].front().kg_per_s =
        valve.cdu.facility_design_flow_kg_per_s * (above - below) / (2.0 * position_step);
  }
}

}  // namespace wattloop::twin
