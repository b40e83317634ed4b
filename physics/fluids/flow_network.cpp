#include "physics/fluids/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace wattloop::physics {
namespace {

/// Marks the first node of each connected part of the network as its reference.
std::vector<char> references(std::size_t node_count, const std::vector<FlowBranch>& branches) {
  std::vector<std::size_t> first(node_count);
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto find = [&](std::size_t node) {
    while (first[node] != node) node = first[node] = first[first[node]];
    return node;
  };
  for (const FlowBranch& branch : branches) {
    const auto [low, high] = std::minmax({find(branch.from), find(branch.to)});
    first[high] = low;
  }
  std::vector<char> is_reference(node_count);
  for (std::size_t node = 0; node < node_count; ++node) is_reference[node] = first[node] == node;
  return is_reference;
}

}  // namespace

FlowNetwork::FlowNetwork(std::size_t node_count, std::vector<FlowBranch> branches)
    : branches_(std::move(branches)), start_pa_(node_count, 0.0) {
  std::vector<ConductanceFactors::Ends> ends;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    check(branches_[i], i, node_count);
    strongest_pa_ = std::max(strongest_pa_, branches_[i].pump.shutoff_pa);
    ends.emplace_back(branches_[i].from, branches_[i].to);
  }
  if (strongest_pa_ <= 0.0) strongest_pa_ = 1e5;
  is_reference_ = references(node_count, branches_);
  const auto free = std::ranges::find(is_reference_, char{0});
  const bool is_alone = std::ranges::count(is_reference_, char{0}) == 1;
  free_node_ = is_alone ? static_cast<std::size_t>(free - is_reference_.begin()) : node_count;
  for (std::size_t i = 0; i < branches_.size(); ++i) is_alike_.push_back(i > 0 && branches_[i] == branches_[i - 1]);
  factors_ = ConductanceFactors(is_reference_, ends);
}

double FlowNetwork::square_of_largest(std::span<const BranchSetting> settings) const noexcept {
  double largest = 0.0;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i].pump.shutoff_pa > 0.0) largest = std::max(largest, settings[i].speed_fraction);
  }
  return largest * largest;
}

void FlowNetwork::start_from(std::span<const BranchSetting> usual) {
  const double squared = square_of_largest(usual);
  FlowNetworkScratch scratch = make_scratch();
  std::vector<double> flow_kg_per_s(branches_.size());
  if (squared <= 0.0 || !solve(usual, scratch, flow_kg_per_s).converged) return;
  for (std::size_t node = 0; node < node_count(); ++node) start_pa_[node] = scratch.pressure_pa[node] / squared;
}

FlowNetworkScratch FlowNetwork::make_scratch() const {
  const std::vector<double> of_nodes(node_count());
  return {.pressure_pa = of_nodes,
          .step_pa = of_nodes,
          .imbalance_kg_per_s = of_nodes,
          .through_kg_per_s = of_nodes,
          .conductance_kg_per_s_pa = std::vector<double>(branches_.size()),
          .law = std::vector<BranchLaw>(branches_.size()),
          .position_fraction = std::vector<double>(branches_.size(), std::numeric_limits<double>::quiet_NaN()),
          .passage_fraction = std::vector<double>(branches_.size(), 1.0),
          .is_like_previous = std::vector<char>(branches_.size()),
          .part = std::vector<std::size_t>(node_count()),
          .factors = factors_.make_scratch()};
}

FlowReport FlowNetwork::solve(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                              std::span<double> flow_kg_per_s) const noexcept {
  const double squared = square_of_largest(settings);
  for (std::size_t node = 0; node < node_count(); ++node) scratch.pressure_pa[node] = squared * start_pa_[node];
  return solve_warm(settings, scratch, flow_kg_per_s);
}

FlowReport FlowNetwork::solve_warm(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                                   std::span<double> flow_kg_per_s) const noexcept {
  constexpr int most_iterations = 100;
  constexpr double balanced = 1e-10;        // imbalance over largest flow; the last step leaves a millionth of that
  constexpr double nearly_balanced = 1e-8;  // from here on an imbalance that no longer falls is round-off
  constexpr double still = 1e-12;           // of the largest flow
  double driven_kg_per_s = 0.0;             // where pumps push against closed valves no flow says what is small
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const double position = settings[i].position_fraction, passage = settings[i].passage_fraction;
    const bool is_like_previous = is_alike_[i] != 0 && settings[i] == settings[i - 1];
    scratch.is_like_previous[i] = is_like_previous;
    if (scratch.position_fraction[i] != position || scratch.passage_fraction[i] != passage) {
      scratch.position_fraction[i] = position;
      scratch.passage_fraction[i] = passage;
      scratch.law[i] = is_like_previous ? scratch.law[i - 1] : law_of(branches_[i], settings[i], strongest_pa_);
    }
    if (is_like_previous) continue;
    driven_kg_per_s = std::max(driven_kg_per_s, driven_flow_kg_per_s(branches_[i], settings[i]));
  }
  if (driven_kg_per_s <= 0.0) std::ranges::fill(scratch.pressure_pa, 0.0);
  FlowReport report;
  Balance now = evaluate(settings, scratch, flow_kg_per_s);
  double previous_imbalance = now.imbalance_kg_per_s;
  while (true) {
    newton_step(scratch);
    const bool no_longer_falls = now.imbalance_kg_per_s > 0.5 * previous_imbalance;
    report.converged =
        now.imbalance_kg_per_s <= balanced * now.largest_flow_kg_per_s ||
        (no_longer_falls && now.imbalance_kg_per_s <= nearly_balanced * now.largest_flow_kg_per_s) ||
        (no_longer_falls && report.iterations > 0 &&
         now.imbalance_kg_per_s <= std::max(nearly_balanced * driven_kg_per_s, round_off_kg_per_s(scratch)));
    if (report.converged || report.iterations == most_iterations) break;
    previous_imbalance = now.imbalance_kg_per_s;
    if (free_node_ < node_count()) {
      const double ratio = step_of_squares_ratio(scratch, flow_kg_per_s);
      for (double& step_pa : scratch.step_pa) step_pa *= ratio;
    }
    now = advance(settings, scratch, flow_kg_per_s);
    ++report.iterations;
  }
  for (std::size_t i = 0; i < branches_.size(); ++i) {  // the last step, taken in the linear law: balances exactly
    flow_kg_per_s[i] +=
        scratch.conductance_kg_per_s_pa[i] * (scratch.step_pa[branches_[i].from] - scratch.step_pa[branches_[i].to]);
  }
  for (std::size_t node = 0; report.converged && node < node_count(); ++node)
    scratch.pressure_pa[node] += scratch.step_pa[node];
  scratch.is_part_found = false;
  scratch.smallest_kg_per_s = still * std::max(driven_kg_per_s, now.largest_flow_kg_per_s);
  return report;
}

double FlowNetwork::round_off_kg_per_s(const FlowNetworkScratch& scratch) const noexcept {
  double largest = 0.0;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const double pressure_pa = std::max(std::abs(scratch.pressure_pa[branches_[i].from]), strongest_pa_);
    largest = std::max(largest, scratch.conductance_kg_per_s_pa[i] * pressure_pa);
  }
  return 16.0 * std::numeric_limits<double>::epsilon() * largest;
}

UnusualFlows FlowNetwork::unusual(std::span<const double> flow_kg_per_s, FlowNetworkScratch& scratch) const noexcept {
  UnusualFlows found;
  std::ranges::fill(scratch.through_kg_per_s, 0.0);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (flow_kg_per_s[i] < -scratch.smallest_kg_per_s) ++found.reversed_branches;
    scratch.through_kg_per_s[branches_[i].from] += 0.5 * std::abs(flow_kg_per_s[i]);
    scratch.through_kg_per_s[branches_[i].to] += 0.5 * std::abs(flow_kg_per_s[i]);
  }
  found.still_nodes = static_cast<std::size_t>(std::ranges::count_if(
      scratch.through_kg_per_s, [&](double through) { return through <= scratch.smallest_kg_per_s; }));
  return found;
}

FlowNetwork::Balance FlowNetwork::evaluate(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                                           std::span<double> flow_kg_per_s) const noexcept {
  Balance balance;
  BranchFlow now{};
  std::ranges::fill(scratch.imbalance_kg_per_s, 0.0);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const FlowBranch& branch = branches_[i];
    if (scratch.is_like_previous[i] == 0) {
      const double difference_pa = scratch.pressure_pa[branch.from] - scratch.pressure_pa[branch.to];
      now = flow_at(branch, scratch.law[i], settings[i], difference_pa);
    }
    flow_kg_per_s[i] = now.flow_kg_per_s;
    scratch.conductance_kg_per_s_pa[i] = now.per_pressure_kg_per_s_pa;
    scratch.imbalance_kg_per_s[branch.from] -= now.flow_kg_per_s;
    scratch.imbalance_kg_per_s[branch.to] += now.flow_kg_per_s;
    balance.largest_flow_kg_per_s = std::max(balance.largest_flow_kg_per_s, std::abs(now.flow_kg_per_s));
  }
  for (const double imbalance :
       scratch.imbalance_kg_per_s) {  // of references, too: flows may have been imposed that cannot be
    balance.imbalance_kg_per_s = std::max(balance.imbalance_kg_per_s, std::abs(imbalance));
  }
  return balance;
}

void FlowNetwork::newton_step(FlowNetworkScratch& scratch) const noexcept {
  factors_.factorise(scratch.conductance_kg_per_s_pa, scratch.factors);
  std::ranges::copy(scratch.imbalance_kg_per_s, scratch.step_pa.begin());
  factors_.solve(scratch.factors, scratch.step_pa);
}

double FlowNetwork::step_of_squares_ratio(const FlowNetworkScratch& scratch,
                                          std::span<const double> flow_kg_per_s) const noexcept {
  // Let x be a small change of pressure, with inflow I - a x and outflow O + b x. Balancing flows, I - O = (a + b) x gives the step, and balancing
  // squares,
  // I^2 - O^2 = 2 (I a + O b) x gives the step.
  struct Side {
    double kg_per_s = 0.0, per_pressure_kg_per_s_pa = 0.0;
  } in, out;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const bool is_inwards = (flow_kg_per_s[i] > 0.0) == (is_reference_[branches_[i].from] != 0);
    Side& side = is_inwards ? in : out;
    side.kg_per_s += std::abs(flow_kg_per_s[i]);
    side.per_pressure_kg_per_s_pa += scratch.conductance_kg_per_s_pa[i];
  }
  const double sum = in.per_pressure_kg_per_s_pa + out.per_pressure_kg_per_s_pa;
  const double by_flows = in.kg_per_s * in.per_pressure_kg_per_s_pa + out.kg_per_s * out.per_pressure_kg_per_s_pa;
  if (!(in.kg_per_s > 0.0) || !(out.kg_per_s > 0.0) || !(by_flows > 0.0)) return 1.0;
  return 0.5 * (in.kg_per_s + out.kg_per_s) * sum / by_flows;
}

FlowNetwork::Balance FlowNetwork::advance(std::span<const BranchSetting> settings, FlowNetworkScratch& scratch,
                                          std::span<double> flow_kg_per_s) const noexcept {
  // Along the step, the slope of the convex function is -(imbalance . step). It starts negative. At the end it must not
  // be positive and more than half as steep. Otherwise the zero of the slope is enclosed and approached.
  const auto slope = [&] {
    return -std::inner_product(scratch.step_pa.begin(), scratch.step_pa.end(), scratch.imbalance_kg_per_s.begin(), 0.0);
  };
  const auto move = [&](double share) {
    for (std::size_t node = 0; node < node_count(); ++node) scratch.pressure_pa[node] += share * scratch.step_pa[node];
    return evaluate(settings, scratch, flow_kg_per_s);
  };
  const double first = slope();
  Balance balance = move(1.0);
  double here = 1.0, low = 0.0, low_slope = first, high = 1.0, high_slope = slope();
  for (int trial = 0; trial < 30 && std::abs(slope()) > 0.5 * std::abs(first) && high_slope > 0.0; ++trial) {
    const double secant = low_slope / (low_slope - high_slope);
    const double next = low + (high - low) * std::clamp(secant, 0.1, 0.9);
    balance = move(next - here);
    here = next;
    (slope() > 0.0 ? high : low) = next;
    (slope() > 0.0 ? high_slope : low_slope) = slope();
  }
  return balance;
}

double FlowNetwork::respond(FlowLever lever, std::size_t branch, std::span<const BranchSetting> settings,
                            FlowNetworkScratch& scratch) const noexcept {
  const FlowBranch& moved = branches_[branch];
  const BranchResponse response = response_at(moved, scratch.law[branch], settings[branch],
                                              scratch.pressure_pa[moved.from] - scratch.pressure_pa[moved.to]);
  double direct = lever == FlowLever::speed ? response.per_speed_kg_per_s : response.per_position_kg_per_s;
  if (!std::exchange(scratch.is_part_found, true)) factors_.find_parts(scratch.factors, scratch.part);
  // If the branch is the only connection of a part of the network, it carries no flow even when it opens.
  if (scratch.part[moved.from] != scratch.part[moved.to]) direct = 0.0;
  std::ranges::fill(scratch.step_pa, 0.0);
  scratch.step_pa[moved.from] -= direct;
  scratch.step_pa[moved.to] += direct;
  factors_.solve(scratch.factors, scratch.step_pa);
  return direct;
}

void FlowNetwork::differentiate(FlowLever lever, std::size_t branch, std::span<const BranchSetting> settings,
                                FlowNetworkScratch& scratch, std::span<double> flow_per_lever_kg_per_s) const noexcept {
  const double direct = respond(lever, branch, settings, scratch);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    flow_per_lever_kg_per_s[i] =
        (i == branch ? direct : 0.0) +
        scratch.conductance_kg_per_s_pa[i] * (scratch.step_pa[branches_[i].from] - scratch.step_pa[branches_[i].to]);
  }
}

}  // namespace wattloop::physics
