#include "twin/plant/equipment/network_flows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace wattloop::twin {

namespace {

/// A pump that turns slower than this share of its speed stands. It coasts down, until squares of it underflow.
constexpr double standing_fraction = 1e-9;

/// All that are alike as one branch: each has its part of the flow.
physics::FlowBranch together(const NetworkBranch& branch) {
  physics::FlowBranch all = branch.one;
  const double per_flow = 1.0 / branch.count, per_flow_squared = 1.0 / (branch.count * branch.count);
  const double power = all.exponent == 2.0 ? branch.count * branch.count : std::pow(branch.count, all.exponent);
  all.resistance_pa_s2_per_kg2 /= power;
  all.valve.open_resistance_pa_s2_per_kg2 /= power;
  all.pump.linear_pa_s_per_kg *= per_flow;
  all.pump.quadratic_pa_s2_per_kg2 *= per_flow_squared;
  return all;
}

physics::FlowNetwork network_of(const NetworkFlows& flows) {
  std::vector<physics::FlowBranch> branches;
  std::vector<physics::BranchSetting> usual;
  for (const NetworkBranch& branch : flows.branches) {
    branches.push_back(together(branch));
    usual.push_back(
        {.speed_fraction = branch.usual_speed_fraction, .position_fraction = branch.usual_position_fraction});
  }
  physics::FlowNetwork network(flows.node_count, std::move(branches));
  network.start_from(usual);
  return network;
}

}  // namespace

NetworkModel::NetworkModel(NetworkFlows flows, std::size_t state_count)
    : branches_(std::move(flows.branches)), network_(network_of({flows.node_count, branches_})) {
  const auto is_state = [&](std::size_t signal) { return signal < state_count; };
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const NetworkBranch& branch = branches_[i];
    const auto signals = {branch.speed_signal, branch.position_signal, branch.passage_signal, branch.clog_signal,
                          branch.imposed_signal};
    if (std::ranges::any_of(signals, [](std::size_t signal) { return signal != no_signal; })) moving_.push_back(i);
    std::ranges::copy_if(signals, std::back_inserter(followed_),
                         [](std::size_t signal) { return signal != no_signal; });
    if (is_state(branch.speed_signal)) levers_.push_back({i, physics::FlowLever::speed, branch.speed_signal});
    if (is_state(branch.position_signal)) levers_.push_back({i, physics::FlowLever::position, branch.position_signal});
    if (branch.flow_signal != no_signal) outputs_.push_back({i, 1.0 / branch.count, branch.flow_signal});
  }
  std::ranges::sort(followed_);
  followed_.erase(std::ranges::unique(followed_).begin(), followed_.end());
}

NetworkScratch NetworkModel::make_scratch() const {
  const std::size_t count = branches_.size();
  return {.network = network_.make_scratch(),
          .is_solved = false,
          .followed = std::vector<double>(followed_.size()),
          .settings = std::vector<physics::BranchSetting>(count),
          .flow_kg_per_s = std::vector<double>(count),
          .flow_per_lever_kg_per_s = std::vector<double>(count)};
}

physics::BranchSetting NetworkModel::setting(std::size_t number, std::span<const double> signals) const {
  const NetworkBranch& branch = branches_[number];
  physics::BranchSetting setting;
  if (branch.speed_signal != no_signal) {
    const double speed = signals[branch.speed_signal];
    setting.speed_fraction = speed > standing_fraction ? speed : 0.0;
  }
  if (branch.position_signal != no_signal) setting.position_fraction = signals[branch.position_signal];
  if (branch.passage_signal != no_signal)
    setting.passage_fraction = branch.passage_per_signal * signals[branch.passage_signal];
  if (branch.clog_signal != no_signal) setting.passage_fraction *= signals[branch.clog_signal];
  if (branch.imposed_signal == no_signal) return setting;
  if (branch.one.is_imposed) {
    setting.imposed_kg_per_s = branch.count * signals[branch.imposed_signal];
  } else {
    setting.imposed_pa = signals[branch.imposed_signal];
  }
  return setting;
}

bool NetworkModel::has_moved(std::span<const double> signals, std::span<double> followed) const {
  bool has_moved = false;
  for (std::size_t k = 0; k < followed.size(); ++k) {
    const double now = signals[followed_[k]];
    has_moved = has_moved || !(now == followed[k]);
    followed[k] = now;
  }
  return has_moved;
}

void NetworkModel::solve(std::span<const double> signals, NetworkScratch& scratch) const {
  if (!has_moved(signals, scratch.followed) && scratch.is_solved) return;
  for (const std::size_t branch : moving_) {
    const physics::BranchSetting now = setting(branch, signals);
    scratch.is_solved = scratch.is_solved && now == scratch.settings[branch];
    scratch.settings[branch] = now;
  }
  if (scratch.is_solved) return;  // to the bit what solving again would give
  scratch.is_solved = true;
  const auto report = network_.solve(scratch.settings, scratch.network, scratch.flow_kg_per_s);
  if (!report.converged) {  // the integrator notices, retries with a smaller step, and gives up with a message
    std::ranges::fill(scratch.flow_kg_per_s, std::numeric_limits<double>::quiet_NaN());
  }
}

void NetworkModel::evaluate(std::span<double> signals, NetworkScratch& scratch) const {
  solve(signals, scratch);
  for (const Output& output : outputs_) signals[output.signal] = scratch.flow_kg_per_s[output.branch] * output.share;
}

void NetworkModel::differentiate(const Lever& lever, NetworkScratch& scratch) const {
  network_.differentiate(lever.by, lever.branch, scratch.settings, scratch.network, scratch.flow_per_lever_kg_per_s);
}

NetworkModel::Response NetworkModel::respond(const Lever& lever, NetworkScratch& scratch) const {
  const double direct_kg_per_s = network_.respond(lever.by, lever.branch, scratch.settings, scratch.network);
  return {direct_kg_per_s, scratch.network.step_pa[network_.free_node()]};
}

double NetworkModel::per_pressure_kg_per_s_pa(const Output& output, const NetworkScratch& scratch) const {
  const bool leaves = branches_[output.branch].one.from == network_.free_node();
  return (leaves ? 1.0 : -1.0) * output.share * scratch.network.conductance_kg_per_s_pa[output.branch];
}

}  // namespace wattloop::twin
