#include "physics/fluids/hydraulics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace wattloop::physics {
namespace {

/// Flow through a branch and what it changes with.
struct PipeFlow {
  double flow_kg_per_s;
  double per_pressure_kg_per_s_pa;
  double per_speed_kg_per_s;
};

/// Flow of a branch at a pressure difference from - to: the quadratic k m^2 + l m = x, solved.
PipeFlow flow_at(const HydraulicBranch& branch, double linear_flow_kg_per_s, double speed_fraction,
                 double difference_pa) noexcept {
  const double n = std::max(speed_fraction, 0.0);
  const double a = branch.pump.shutoff_pa, b = branch.pump.linear_pa_s_per_kg, c = branch.pump.quadratic_pa_s2_per_kg2;
  const double resistance = branch.resistance_pa_s2_per_kg2;
  const double linear = resistance * linear_flow_kg_per_s;
  const double peak_flow = b > 0.0 ? -0.5 * b / c : 0.0;  // at rated speed
  const double peak_pa = a + 0.5 * b * peak_flow;
  const double driving_pa = difference_pa + n * n * peak_pa;
  if (driving_pa <= 0.0 && branch.has_check_valve) return {0.0, 0.0, 0.0};

  const double at_peak_pa = n * peak_flow * (resistance * n * peak_flow + linear);
  if (driving_pa <= at_peak_pa) {  // at or below the peak of the curve, or reverse: constant pump pressure
    const double root = std::sqrt(linear * linear + 4.0 * resistance * std::abs(driving_pa));
    const double flow = 2.0 * driving_pa / (linear + root);
    return {flow, 1.0 / root, 2.0 * n * peak_pa / root};
  }
  const double k = resistance - c;
  const double l = linear - n * b;
  const double x = difference_pa + n * n * a;
  const double root = std::sqrt(std::max(l * l + 4.0 * k * x, linear * linear));
  const double flow = l > 0.0 ? 2.0 * x / (l + root) : (root - l) / (2.0 * k);
  return {flow, 1.0 / root, (2.0 * n * a + b * flow) / root};
}

/// L D L^T of the lower half in place. A pivot lost to round-off belongs to a node that no open branch
/// reaches: its pressure is left alone.
void factorise(std::span<double> matrix, std::size_t size) noexcept {
  for (std::size_t j = 0; j < size; ++j) {
    const double diagonal = matrix[j * size + j];
    double pivot = diagonal;
    for (std::size_t k = 0; k < j; ++k) pivot -= matrix[j * size + k] * matrix[j * size + k] * matrix[k * size + k];
    if (!(pivot > 1e-14 * diagonal)) pivot = 0.0;
    matrix[j * size + j] = pivot;
    for (std::size_t i = j + 1; i < size; ++i) {
      double sum = matrix[i * size + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * size + k] * matrix[j * size + k] * matrix[k * size + k];
      matrix[i * size + j] = pivot > 0.0 ? sum / pivot : 0.0;
    }
  }
}

/// Solves with the factors, in place.
void back_substitute(std::span<const double> matrix, std::span<double> x) noexcept {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= matrix[i * size + k] * x[k];
  }
  for (std::size_t i = 0; i < size; ++i) {
    const double pivot = matrix[i * size + i];
    x[i] = pivot > 0.0 ? x[i] / pivot : 0.0;
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) x[i] -= matrix[k * size + i] * x[k];
  }
}

/// The node with the smallest index that a node is connected with, for all nodes.
std::vector<std::size_t> lowest_connected(std::size_t node_count, const std::vector<HydraulicBranch>& branches) {
  std::vector<std::size_t> lowest(node_count);
  std::iota(lowest.begin(), lowest.end(), std::size_t{0});
  for (std::size_t pass = 0; pass < node_count; ++pass) {
    for (const HydraulicBranch& branch : branches) {
      lowest[branch.from] = lowest[branch.to] = std::min(lowest[branch.from], lowest[branch.to]);
    }
  }
  return lowest;
}

void check(const HydraulicBranch& branch, std::size_t index, std::size_t node_count) {
  const std::string name = "hydraulic branch " + std::to_string(index);
  if (branch.from >= node_count || branch.to >= node_count) throw std::invalid_argument(name + " ends at no node");
  if (!(branch.resistance_pa_s2_per_kg2 > 0.0)) throw std::invalid_argument(name + " has no resistance");
  const PumpCurve& pump = branch.pump;
  const bool falls =
      pump.quadratic_pa_s2_per_kg2 < 0.0 || (pump.quadratic_pa_s2_per_kg2 == 0.0 && pump.linear_pa_s_per_kg <= 0.0);
  if (!falls) throw std::invalid_argument(name + " has a pump whose pressure rises without end");
}

}  // namespace

HydraulicNetwork::HydraulicNetwork(std::size_t node_count, std::vector<HydraulicBranch> branches)
    : branches_(std::move(branches)), is_reference_(node_count, 0), start_pa_(node_count, 0.0) {
  double strongest_pa = 0.0;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    check(branches_[i], i, node_count);
    strongest_pa = std::max(strongest_pa, branches_[i].pump.shutoff_pa);
  }
  if (strongest_pa <= 0.0) strongest_pa = 1e5;
  for (const HydraulicBranch& branch : branches_) {
    linear_flow_kg_per_s_.push_back(1e-6 * std::sqrt(strongest_pa / branch.resistance_pa_s2_per_kg2));
  }
  const std::vector<std::size_t> lowest = lowest_connected(node_count, branches_);
  for (std::size_t node = 0; node < node_count; ++node) is_reference_[node] = lowest[node] == node;
}

double HydraulicNetwork::square_of_largest(std::span<const double> speed_fraction) const noexcept {
  double largest = 0.0;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i].pump.shutoff_pa > 0.0) largest = std::max(largest, speed_fraction[i]);
  }
  return largest * largest;
}

void HydraulicNetwork::start_from(std::span<const double> usual_speed_fraction) {
  const double squared = square_of_largest(usual_speed_fraction);
  HydraulicScratch scratch = make_scratch();
  std::vector<double> flow_kg_per_s(branches_.size());
  if (squared <= 0.0 || !solve(usual_speed_fraction, scratch, flow_kg_per_s).converged) return;
  for (std::size_t node = 0; node < node_count(); ++node) start_pa_[node] = scratch.pressure_pa[node] / squared;
}

HydraulicScratch HydraulicNetwork::make_scratch() const {
  HydraulicScratch scratch;
  scratch.pressure_pa.assign(node_count(), 0.0);
  scratch.step_pa.assign(node_count(), 0.0);
  scratch.imbalance_kg_per_s.assign(node_count(), 0.0);
  scratch.matrix.assign(node_count() * node_count(), 0.0);
  scratch.conductance_kg_per_s_pa.assign(branches_.size(), 0.0);
  return scratch;
}

HydraulicReport HydraulicNetwork::solve(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                                        std::span<double> flow_kg_per_s) const noexcept {
  const double squared = square_of_largest(speed_fraction);
  for (std::size_t node = 0; node < node_count(); ++node) scratch.pressure_pa[node] = squared * start_pa_[node];
  return solve_warm(speed_fraction, scratch, flow_kg_per_s);
}

HydraulicReport HydraulicNetwork::solve_warm(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                                             std::span<double> flow_kg_per_s) const noexcept {
  constexpr int most_iterations = 100;
  constexpr double balanced = 1e-13;        // imbalance over largest flow
  constexpr double nearly_balanced = 1e-8;  // from here on an imbalance that no longer falls is round-off
  HydraulicReport report;
  Balance now = evaluate(speed_fraction, scratch, flow_kg_per_s);
  double previous_imbalance = now.imbalance_kg_per_s;
  while (true) {
    newton_step(scratch);
    report.converged = now.imbalance_kg_per_s <= balanced * now.largest_flow_kg_per_s ||
                       (now.imbalance_kg_per_s <= nearly_balanced * now.largest_flow_kg_per_s &&
                        now.imbalance_kg_per_s > 0.5 * previous_imbalance);
    if (report.converged || report.iterations == most_iterations) break;
    previous_imbalance = now.imbalance_kg_per_s;
    now = advance(speed_fraction, scratch, flow_kg_per_s);
    ++report.iterations;
  }
  for (std::size_t i = 0; i < branches_.size(); ++i) {  // the last step, taken in the linear law: balances exactly
    flow_kg_per_s[i] +=
        scratch.conductance_kg_per_s_pa[i] * (scratch.step_pa[branches_[i].from] - scratch.step_pa[branches_[i].to]);
  }
  return report;
}

HydraulicNetwork::Balance HydraulicNetwork::evaluate(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                                                     std::span<double> flow_kg_per_s) const noexcept {
  Balance balance;
  std::ranges::fill(scratch.imbalance_kg_per_s, 0.0);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const HydraulicBranch& branch = branches_[i];
    const double speed = branch.pump.shutoff_pa > 0.0 ? speed_fraction[i] : 0.0;
    const PipeFlow now = flow_at(branch, linear_flow_kg_per_s_[i], speed,
                                 scratch.pressure_pa[branch.from] - scratch.pressure_pa[branch.to]);
    flow_kg_per_s[i] = now.flow_kg_per_s;
    scratch.conductance_kg_per_s_pa[i] = now.per_pressure_kg_per_s_pa;
    scratch.imbalance_kg_per_s[branch.from] -= now.flow_kg_per_s;
    scratch.imbalance_kg_per_s[branch.to] += now.flow_kg_per_s;
    balance.largest_flow_kg_per_s = std::max(balance.largest_flow_kg_per_s, std::abs(now.flow_kg_per_s));
  }
  for (std::size_t node = 0; node < node_count(); ++node) {
    if (is_reference_[node]) scratch.imbalance_kg_per_s[node] = 0.0;
    balance.imbalance_kg_per_s = std::max(balance.imbalance_kg_per_s, std::abs(scratch.imbalance_kg_per_s[node]));
  }
  return balance;
}

void HydraulicNetwork::newton_step(HydraulicScratch& scratch) const noexcept {
  const std::size_t size = node_count();
  std::ranges::fill(scratch.matrix, 0.0);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const auto [lower, upper] = std::minmax(branches_[i].from, branches_[i].to);
    const double conductance = scratch.conductance_kg_per_s_pa[i];
    if (lower == upper) continue;
    if (!is_reference_[lower]) scratch.matrix[lower * size + lower] += conductance;
    if (!is_reference_[upper]) scratch.matrix[upper * size + upper] += conductance;
    if (!is_reference_[lower] && !is_reference_[upper]) scratch.matrix[upper * size + lower] -= conductance;
  }
  factorise(scratch.matrix, size);
  scratch.step_pa = scratch.imbalance_kg_per_s;
  back_substitute(scratch.matrix, scratch.step_pa);
}

HydraulicNetwork::Balance HydraulicNetwork::advance(std::span<const double> speed_fraction, HydraulicScratch& scratch,
                                                    std::span<double> flow_kg_per_s) const noexcept {
  // Along the step the slope of the convex function is -(imbalance . step): it starts negative and must not
  // come out as more than half as steep the other way. Otherwise its zero is enclosed and approached.
  const auto slope = [&] {
    return -std::inner_product(scratch.step_pa.begin(), scratch.step_pa.end(), scratch.imbalance_kg_per_s.begin(), 0.0);
  };
  const auto move = [&](double share) {
    for (std::size_t node = 0; node < node_count(); ++node) scratch.pressure_pa[node] += share * scratch.step_pa[node];
    return evaluate(speed_fraction, scratch, flow_kg_per_s);
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

void HydraulicNetwork::flow_per_speed(std::size_t pump_branch, std::span<const double> speed_fraction,
                                      HydraulicScratch& scratch,
                                      std::span<double> flow_per_speed_kg_per_s) const noexcept {
  const HydraulicBranch& pump = branches_[pump_branch];
  const double direct = flow_at(pump, linear_flow_kg_per_s_[pump_branch], speed_fraction[pump_branch],
                                scratch.pressure_pa[pump.from] - scratch.pressure_pa[pump.to])
                            .per_speed_kg_per_s;
  std::ranges::fill(scratch.step_pa, 0.0);
  scratch.step_pa[pump.from] -= direct;
  scratch.step_pa[pump.to] += direct;
  for (std::size_t node = 0; node < node_count(); ++node) {
    if (is_reference_[node]) scratch.step_pa[node] = 0.0;
  }
  back_substitute(scratch.matrix, scratch.step_pa);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    flow_per_speed_kg_per_s[i] =
        (i == pump_branch ? direct : 0.0) +
        scratch.conductance_kg_per_s_pa[i] * (scratch.step_pa[branches_[i].from] - scratch.step_pa[branches_[i].to]);
  }
}

}  // namespace wattloop::physics
