#include "twin/plant/equipment/flow_model.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace wattloop::twin {

namespace {

/// Step of a valve position for its central difference.
constexpr double position_step = 1e-6;

double design_kg_per_s(const DrivenFlow& flow, std::span<const double> signals) {
  const auto share = [&](std::size_t signal) { return signal == no_signal ? 1.0 : signals[signal]; };
  return flow.design_kg_per_s * share(flow.design_signal) * share(flow.shutoff_signal);
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
  for (NetworkFlows& network : laws.networks) {
    networks_.emplace_back(std::move(network), first_flow_);
    if (networks_.back().is_by_pressure()) by_pressure_.push_back(networks_.size() - 1);
  }
  find_shared_drives();
  std::vector<std::size_t> all(flow_count_);
  std::iota(all.begin(), all.end(), first_flow_);
  all_ = part_of(all);
}

FlowPart FlowModel::part_of(std::span<const std::size_t> signals) const {
  std::vector<std::uint8_t> is_requested(flow_count_, 0);
  const auto want = [&](std::size_t signal) {
    if (is_flow(signal)) is_requested[signal - first_flow_] = 1;
  };
  const auto wants = [&](std::size_t signal) { return is_requested[signal - first_flow_] != 0; };
  std::ranges::for_each(signals, want);
  FlowPart part;
  for (std::size_t k = sums_.size(); k-- > 0;) {  // sums name sums before them
    const SumFlow& sum = sums_[k];
    if (!wants(sum.flow_signal)) continue;
    part.sums.insert(part.sums.begin(), k);
    for (const auto& [signal, coefficient] : sum.terms) want(signal);
    want(sum.part_signal);
    want(sum.whole_signal);
  }
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    if (wants(driven_[k].flow_signal)) part.driven.push_back(k);
  }
  for (std::size_t n = 0; n < networks_.size(); ++n) {
    const auto is_read = [&](const NetworkModel::Output& output) { return wants(output.signal); };
    if (std::ranges::any_of(networks_[n].outputs(), is_read)) part.networks.push_back(n);
  }
  return part;
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

FlowScratch FlowModel::make_scratch() const {
  FlowScratch scratch;
  for (const NetworkModel& network : networks_) scratch.networks.push_back(network.make_scratch());
  scratch.drive_speed.resize(drives_.size());
  return scratch;
}

FlowDerivatives FlowModel::make_derivatives(DriveColumns columns) const {
  FlowDerivatives derivatives;
  derivatives.columns_ = columns;
  derivatives.scratch_ = make_scratch();
  derivatives.by_flow_.resize(flow_count_);
  const bool are_by_means = columns == DriveColumns::means;
  for (const NetworkModel& network : networks_) {
    const bool is_by_pressure = are_by_means && network.is_by_pressure();
    for (const NetworkModel::Output& output : network.outputs()) {
      for (const NetworkModel::Lever& lever : network.levers()) {
        if (!is_by_pressure || lever.branch == output.branch)
          derivatives.by_flow_[output.signal - first_flow_].push_back({lever.state, 0.0});
      }
    }
  }
  if (are_by_means) add_drives(derivatives);
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

/// What mean speeds and pressures follow from, and flows from pressures.
void FlowModel::add_drives(FlowDerivatives& derivatives) const {
  for (const SharedDrive& drive : drives_) {
    auto& of_drive = derivatives.by_drive_.emplace_back();
    for (const std::size_t state : drive.speed_states) of_drive.push_back({state, 1.0 / drive.duty});
  }
  for (const std::size_t number : by_pressure_) {
    const NetworkModel& network = networks_[number];
    for (const NetworkModel::Output& output : network.outputs())
      derivatives.by_flow_[output.signal - first_flow_].push_back({drive_column(derivatives.by_drive_.size()), 0.0});
    auto& of_pressure = derivatives.by_drive_.emplace_back();
    for (const NetworkModel::Lever& lever : network.levers()) of_pressure.push_back({lever.state, 0.0});
  }
}

void FlowModel::evaluate(const FlowPart& part, std::span<double> signals, FlowScratch& scratch) const {
  for (const std::size_t n : part.networks) networks_[n].evaluate(signals, scratch.networks[n]);
  for (std::size_t d = 0; d < drives_.size(); ++d) scratch.drive_speed[d] = drives_[d].speed(signals);
  for (const std::size_t k : part.driven) {
    const DrivenFlow& flow = driven_[k];
    signals[flow.flow_signal] = design_kg_per_s(flow, signals) * opening(flow, signals) * drive(k, signals, scratch);
  }
  for (const std::size_t k : part.sums) {
    const SumFlow& sum = sums_[k];
    double total_kg_per_s = 0.0;
    for (const auto& [signal, coefficient] : sum.terms) total_kg_per_s += coefficient * signals[signal];
    signals[sum.flow_signal] = total_kg_per_s * sum.share(signals);
  }
}

/// After `solve` of that network: its pressure by each lever, flows through branches with levers by these, and all by the pressure.
void FlowModel::differentiate_by_pressure(std::size_t drive, FlowDerivatives& derivatives) const {
  const std::size_t number = by_pressure_[drive - drives_.size()];
  const NetworkModel& network = networks_[number];
  NetworkScratch& scratch = derivatives.scratch_.networks[number];
  const auto of_output = [&](const NetworkModel::Output& output) {
    return std::span(derivatives.by_flow_[output.signal - first_flow_]);
  };
  for (std::size_t l = 0; l < network.levers().size(); ++l) {
    const NetworkModel::Lever& lever = network.levers()[l];
    const NetworkModel::Response response = network.respond(lever, scratch);
    derivatives.by_drive_[drive][l].per_state = response.pressure_pa;
    for (const NetworkModel::Output& output : network.outputs()) {
      if (output.branch != lever.branch) continue;
      std::ranges::find(of_output(output), lever.state, &FlowDerivative::state)->kg_per_s =
          response.kg_per_s * output.share;
    }
  }
  for (const NetworkModel::Output& output : network.outputs())
    of_output(output).back().kg_per_s = network.per_pressure_kg_per_s_pa(output, scratch);
}

void FlowModel::differentiate_networks(std::span<const double> signals, FlowDerivatives& derivatives) const {
  std::size_t drive = drives_.size();
  for (std::size_t n = 0; n < networks_.size(); ++n) {
    const NetworkModel& network = networks_[n];
    NetworkScratch& scratch = derivatives.scratch_.networks[n];
    network.solve(signals, scratch);
    if (derivatives.columns_ == DriveColumns::means && network.is_by_pressure()) {
      differentiate_by_pressure(drive++, derivatives);
      continue;
    }
    for (std::size_t l = 0; l < network.levers().size(); ++l) {
      network.differentiate(network.levers()[l], scratch);
      for (const NetworkModel::Output& output : network.outputs()) {
        derivatives.by_flow_[output.signal - first_flow_][l].kg_per_s =
            scratch.flow_per_lever_kg_per_s[output.branch] * output.share;
      }
    }
  }
}

void FlowModel::differentiate_sums(std::span<const double> signals, FlowDerivatives& derivatives) const {
  for (const SumFlow& sum : sums_) {
    auto& of_sum = derivatives.by_flow_[sum.flow_signal - first_flow_];
    for (FlowDerivative& d : of_sum) d.kg_per_s = 0.0;
    const double share = sum.share(signals);
    for (const auto& [signal, coefficient] : sum.terms) {
      if (!is_flow(signal)) continue;
      for (const FlowDerivative& d : derivatives.of_flow(signal - first_flow_)) {
        std::ranges::lower_bound(of_sum, d.state, {}, &FlowDerivative::state)->kg_per_s +=
            share * coefficient * d.kg_per_s;
      }
    }
  }
}

void FlowModel::differentiate(std::span<const double> signals, FlowDerivatives& derivatives) const {
  differentiate_networks(signals, derivatives);
  differentiate_driven(signals, derivatives);
  differentiate_sums(signals, derivatives);
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
