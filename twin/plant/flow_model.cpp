#include "twin/plant/flow_model.hpp"

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

/// A pump that turns slower than this share of its speed stands. It coasts down for ever, until squares of it underflow.
constexpr double standing_fraction = 1e-9;

/// Step of a valve position for its central difference.
constexpr double position_step = 1e-6;

double design_kg_per_s(const DrivenFlow& flow, std::span<const double> signals) {
  return flow.design_kg_per_s * (flow.design_signal == no_signal ? 1.0 : signals[flow.design_signal]);
}

double opening(const DrivenFlow& flow, std::span<const double> signals) {
  return flow.valve_state == no_signal ? 1.0 : physics::valve_flow_fraction(flow.valve, signals[flow.valve_state]);
}

}  // namespace

double SharedDrive::speed(std::span<const double> signals) const {
  double sum = 0.0;
  for (const std::size_t state : speed_states) sum += signals[state];
  return sum / duty;
}

FlowModel::FlowModel(FlowLaws laws)
    : driven_(std::move(laws.driven)),
      sums_(std::move(laws.sums)),
      first_flow_(laws.first_flow),
      flow_count_(laws.flow_count) {
  for (LoopFlows& loop : laws.loops) loops_.push_back(make_loop(std::move(loop)));
  find_shared_drives();
}

void FlowModel::find_shared_drives() {
  for (const DrivenFlow& flow : driven_) {
    drive_of_.push_back(no_signal);
    if (flow.speed_states.size() < 2) continue;
    const SharedDrive drive{flow.speed_states, flow.duty};
    const auto known = std::ranges::find(drives_, drive);
    drive_of_.back() = static_cast<std::size_t>(known - drives_.begin());
    if (known == drives_.end()) drives_.push_back(drive);
  }
}

/// Mean speed of the pumps of a driven flow; `scratch` has those of shared drives.
double FlowModel::drive(std::size_t number, std::span<const double> signals, const FlowScratch& scratch) const {
  if (drive_of_[number] != no_signal) return scratch.drive_speed[drive_of_[number]];
  const DrivenFlow& flow = driven_[number];
  return flow.speed_states.empty() ? 1.0 : signals[flow.speed_states.front()] / flow.duty;
}

bool FlowModel::is_by_mean(std::size_t number, const FlowDerivatives& derivatives) const {
  return derivatives.columns_ == DriveColumns::means && drive_of_[number] != no_signal;
}

FlowModel::Loop FlowModel::make_loop(LoopFlows flows) {
  const double racks = flows.rack_count;
  std::vector<physics::HydraulicBranch> branches{
      {supply_header, return_header, flows.rack_resistance_pa_s2_per_kg2 / (racks * racks), {}, false}};
  std::vector<std::size_t> pump_states, pump_branches;
  std::vector<double> usual_speeds{0.0};  // [branch]: one pump of a CDU runs, the others stand by
  std::vector<std::pair<std::size_t, std::size_t>> outputs{{rack_branch, flows.rack_flow_signal}};
  for (std::size_t c = 0; c < flows.cdus.size(); ++c) {
    const CduFlows& cdu = flows.cdus[c];
    const std::size_t node = first_cdu_node + c;
    for (std::size_t p = 0; p < cdu.pump_speed_states.size(); ++p) {
      pump_states.push_back(cdu.pump_speed_states[p]);
      pump_branches.push_back(branches.size());
      usual_speeds.push_back(p == 0 ? 1.0 : 0.0);
      outputs.emplace_back(branches.size(), cdu.pump_flow_signals[p]);
      branches.push_back(
          {return_header, node, pump_branch_share * flows.cdu_resistance_pa_s2_per_kg2, flows.pump, true});
    }
    usual_speeds.push_back(0.0);
    outputs.emplace_back(branches.size(), cdu.flow_signal);
    branches.push_back(
        {node, supply_header, (1.0 - pump_branch_share) * flows.cdu_resistance_pa_s2_per_kg2, {}, false});
  }
  physics::HydraulicNetwork network(first_cdu_node + flows.cdus.size(), std::move(branches));
  network.start_from(usual_speeds);
  return {std::move(flows), std::move(network), std::move(pump_states), std::move(pump_branches), std::move(outputs)};
}

double FlowModel::share(const Loop& loop, std::size_t branch) {
  return branch == rack_branch ? 1.0 / loop.flows.rack_count : 1.0;
}

FlowScratch FlowModel::make_scratch() const {
  FlowScratch scratch;
  for (const Loop& loop : loops_) {
    const std::size_t branches = loop.network.branches().size();
    scratch.loops.push_back({loop.network.make_scratch(), false, std::vector<double>(branches),
                             std::vector<double>(branches), std::vector<double>(branches)});
  }
  scratch.drive_speed.resize(drives_.size());
  return scratch;
}

FlowDerivatives FlowModel::make_derivatives(DriveColumns columns) const {
  FlowDerivatives derivatives;
  derivatives.columns_ = columns;
  derivatives.scratch_ = make_scratch();
  derivatives.by_flow_.resize(flow_count_);
  for (const Loop& loop : loops_) {
    for (const auto& [branch, signal] : loop.outputs) {
      for (const std::size_t state : loop.pump_states)
        derivatives.by_flow_[signal - first_flow_].push_back({state, 0.0});
    }
  }
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const DrivenFlow& flow = driven_[k];
    auto& of_flow = derivatives.by_flow_[flow.flow_signal - first_flow_];
    if (flow.valve_state != no_signal) of_flow.push_back({flow.valve_state, 0.0});
    if (is_by_mean(k, derivatives)) {
      of_flow.push_back({drive_column(drive_of_[k]), 0.0});
    } else {
      for (const std::size_t state : flow.speed_states) of_flow.push_back({state, 0.0});
    }
  }
  for (const SumFlow& sum : sums_) {
    auto& of_sum = derivatives.by_flow_[sum.flow_signal - first_flow_];
    for (const auto& [signal, coefficient] : sum.terms) {
      if (!is_flow(signal)) continue;
      for (const FlowDerivative& d : derivatives.of_flow(signal - first_flow_)) of_sum.push_back({d.state, 0.0});
    }
    std::ranges::sort(of_sum, {}, &FlowDerivative::state);  // once each, though all valves of a system share its pumps
    const auto repeated = std::ranges::unique(of_sum, {}, &FlowDerivative::state);
    of_sum.erase(repeated.begin(), repeated.end());
  }
  return derivatives;
}

void FlowModel::solve(const Loop& loop, std::span<const double> signals, FlowScratch::Loop& scratch) {
  for (std::size_t p = 0; p < loop.pump_states.size(); ++p) {
    const double state = signals[loop.pump_states[p]];
    const double now_fraction = state > standing_fraction ? state : 0.0;
    double& speed_fraction = scratch.speed_fraction[loop.pump_branches[p]];
    scratch.is_solved = scratch.is_solved && speed_fraction == now_fraction;
    speed_fraction = now_fraction;
  }
  if (scratch.is_solved) return;  // to the bit what solving again would give
  scratch.is_solved = true;
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
  for (std::size_t d = 0; d < drives_.size(); ++d) scratch.drive_speed[d] = drives_[d].speed(signals);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const DrivenFlow& flow = driven_[k];
    signals[flow.flow_signal] = design_kg_per_s(flow, signals) * opening(flow, signals) * drive(k, signals, scratch);
  }
  for (const SumFlow& sum : sums_) {
    double total_kg_per_s = 0.0;
    for (const auto& [signal, coefficient] : sum.terms) total_kg_per_s += coefficient * signals[signal];
    signals[sum.flow_signal] = total_kg_per_s;
  }
}

void FlowModel::differentiate_loops(std::span<const double> signals, FlowDerivatives& derivatives) const {
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
}

void FlowModel::differentiate_sums(FlowDerivatives& derivatives) const {
  for (const SumFlow& sum : sums_) {
    auto& of_sum = derivatives.by_flow_[sum.flow_signal - first_flow_];
    for (FlowDerivative& d : of_sum) d.kg_per_s = 0.0;
    for (const auto& [signal, coefficient] : sum.terms) {
      if (!is_flow(signal)) continue;
      for (const FlowDerivative& d : derivatives.of_flow(signal - first_flow_)) {
        std::ranges::lower_bound(of_sum, d.state, {}, &FlowDerivative::state)->kg_per_s += coefficient * d.kg_per_s;
      }
    }
  }
}

void FlowModel::differentiate(std::span<const double> signals, FlowDerivatives& derivatives) const {
  differentiate_loops(signals, derivatives);
  differentiate_driven(signals, derivatives);
  differentiate_sums(derivatives);
}

void FlowModel::differentiate_driven(std::span<const double> signals, FlowDerivatives& derivatives) const {
  FlowScratch& scratch = derivatives.scratch_;
  for (std::size_t d = 0; d < drives_.size(); ++d) scratch.drive_speed[d] = drives_[d].speed(signals);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const DrivenFlow& flow = driven_[k];
    auto of_flow = std::span(derivatives.by_flow_[flow.flow_signal - first_flow_]);
    const double design = design_kg_per_s(flow, signals);
    const double open = opening(flow, signals);
    if (flow.valve_state != no_signal) {
      const double position = signals[flow.valve_state];
      const double above = physics::valve_flow_fraction(flow.valve, position + position_step);
      const double below = physics::valve_flow_fraction(flow.valve, position - position_step);
      of_flow.front().kg_per_s = design * drive(k, signals, scratch) * (above - below) / (2.0 * position_step);
      of_flow = of_flow.subspan(1);
    }
    const double duty = is_by_mean(k, derivatives) ? 1.0 : flow.duty;
    for (FlowDerivative& of_speed : of_flow) of_speed.kg_per_s = design * open / duty;
  }
}

}  // namespace wattloop::twin
