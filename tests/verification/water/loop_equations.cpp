#include "tests/verification/water/loop_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

namespace wattloop::tests {

using physics::BranchSetting;
using physics::FlowBranch;
using Rows = std::vector<std::vector<double>>;

namespace {

/// Opening of the valve, from the words of physics/fluids/valve.hpp.
double opening(const physics::ControlValve& valve, double position) {
  const double log_range = std::log(valve.rangeability_ratio);
  if (log_range <= 1.0) return position;
  const double tangent_from = 1.0 / log_range, there = std::pow(valve.rangeability_ratio, tangent_from - 1.0);
  return position < tangent_from ? there * position / tangent_from : std::pow(valve.rangeability_ratio, position - 1.0);
}

double shutoff_of_strongest(const std::vector<FlowBranch>& branches) {
  double strongest = 0.0;
  for (const FlowBranch& branch : branches) strongest = std::max(strongest, branch.pump.shutoff_pa);
  return strongest > 0.0 ? strongest : 1e5;
}

/// d drop / d flow by differences: any slope that is near serves Newton's method.
double drop_per_flow(const FlowBranch& branch, const BranchSetting& setting, double strongest, double flow) {
  const double step = std::max(1e-7 * std::abs(flow), 1e-9);
  return (drop_pa(branch, setting, strongest, flow + step) - drop_pa(branch, setting, strongest, flow - step)) /
         (2.0 * step);
}

/// Which way each branch is passed [loops][branches], 1, -1 or 0: a chord, then back to its begin through a spanning forest.
Rows independent_loops(std::size_t node_count, const std::vector<FlowBranch>& branches,
                       const std::vector<bool>& is_open) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> parent(node_count, none), by(node_count, none), depth(node_count, 0);
  std::vector<bool> is_in_tree(branches.size());
  for (std::size_t root = 0; root < node_count; ++root) {
    if (parent[root] != none) continue;
    parent[root] = root;
    std::queue<std::size_t> next({root});
    for (; !next.empty(); next.pop()) {
      const std::size_t node = next.front();
      for (std::size_t i = 0; i < branches.size(); ++i) {
        if (!is_open[i] || (branches[i].from != node && branches[i].to != node)) continue;
        const std::size_t other = branches[i].from == node ? branches[i].to : branches[i].from;
        if (parent[other] != none) continue;
        parent[other] = node, by[other] = i, depth[other] = depth[node] + 1, is_in_tree[i] = true;
        next.push(other);
      }
    }
  }
  Rows loops;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (!is_open[i] || is_in_tree[i]) continue;
    std::vector<double> way(branches.size());
    way[i] = 1.0;
    std::size_t head = branches[i].to, tail = branches[i].from;
    while (head != tail) {
      std::size_t& lower = depth[head] >= depth[tail] ? head : tail;
      const std::size_t up = by[lower];
      const double along = branches[up].from == lower ? 1.0 : -1.0;
      way[up] += &lower == &head ? along : -along;
      lower = parent[lower];
    }
    loops.push_back(way);
  }
  return loops;
}

std::vector<double> flows_of(const Rows& loops, const std::vector<double>& around, std::size_t count) {
  std::vector<double> flows(count);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (std::size_t i = 0; i < count; ++i) flows[i] += around[l] * loops[l][i];
  }
  return flows;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double drop_pa(const FlowBranch& branch, const BranchSetting& setting, double strongest_pa, double flow) {
  const double k = branch.exponent, n = setting.speed_fraction;
  double resistance = branch.resistance_pa_s2_per_kg2;
  if (branch.valve.open_resistance_pa_s2_per_kg2 > 0.0) {
    resistance +=
        branch.valve.open_resistance_pa_s2_per_kg2 / std::pow(opening(branch.valve, setting.position_fraction), k);
  }
  const double m_0 = 1e-6 * std::pow(strongest_pa / resistance, 1.0 / k);
  const physics::PumpCurve& pump = branch.pump;
  double gain = 0.0;
  if (pump.shutoff_pa > 0.0) {
    const double peak =
        pump.linear_pa_s_per_kg > 0.0 ? -0.5 * n * pump.linear_pa_s_per_kg / pump.quadratic_pa_s2_per_kg2 : 0.0;
    const double m = std::max(flow, peak);
    gain = n * n * pump.shutoff_pa + n * pump.linear_pa_s_per_kg * m + pump.quadratic_pa_s2_per_kg2 * m * m;
  }
  return resistance * flow * std::pow(std::abs(flow) + m_0, k - 1.0) - gain - setting.imposed_pa;
}

std::vector<double> solved_densely(Rows a, std::vector<double> b) {
  const std::size_t size = b.size();
  std::vector<std::size_t> column(size);
  std::iota(column.begin(), column.end(), std::size_t{0});
  double largest = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t row = k, col = k;
    for (std::size_t i = k; i < size; ++i) {
      for (std::size_t j = k; j < size; ++j) {
        if (std::abs(a[i][j]) > std::abs(a[row][col])) row = i, col = j;
      }
    }
    std::swap(a[k], a[row]), std::swap(b[k], b[row]), std::swap(column[k], column[col]);
    for (std::size_t i = 0; i < size; ++i) std::swap(a[i][k], a[i][col]);
    largest = std::max(largest, std::abs(a[k][k]));
    if (std::abs(a[k][k]) <= 1e-15 * largest) continue;
    for (std::size_t i = k + 1; i < size; ++i) {
      const double times = a[i][k] / a[k][k];
      for (std::size_t j = k; j < size; ++j) a[i][j] -= times * a[k][j];
      b[i] -= times * b[k];
    }
  }
  std::vector<double> x(size);
  for (std::size_t k = size; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < size; ++j) sum -= a[k][j] * x[column[j]];
    x[column[k]] = std::abs(a[k][k]) <= 1e-15 * largest ? 0.0 : sum / a[k][k];
  }
  return x;
}

std::vector<double> flows_by_loops(std::size_t node_count, const std::vector<FlowBranch>& branches,
                                   const std::vector<BranchSetting>& settings, const std::vector<bool>& is_open) {
  const double strongest = shutoff_of_strongest(branches);
  const Rows loops = independent_loops(node_count, branches, is_open);
  std::vector<double> around(loops.size(), 0.1);
  const auto residual = [&](const std::vector<double>& at) {
    const std::vector<double> flows = flows_of(loops, at, branches.size());
    std::vector<double> drops(branches.size());
    for (std::size_t i = 0; i < branches.size(); ++i)
      drops[i] = is_open[i] ? drop_pa(branches[i], settings[i], strongest, flows[i]) : 0.0;
    std::vector<double> sums;
    for (const auto& loop : loops) sums.push_back(dot(loop, drops));
    return sums;
  };
  double step_size = 1.0;
  for (int iteration = 0; iteration < 400 && step_size > 1e-13; ++iteration) {
    const std::vector<double> flows = flows_of(loops, around, branches.size());
    Rows matrix(loops.size(), std::vector<double>(loops.size()));
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (!is_open[i]) continue;
      const double slope = drop_per_flow(branches[i], settings[i], strongest, flows[i]);
      for (std::size_t l = 0; l < loops.size(); ++l) {
        if (loops[l][i] == 0.0) continue;
        for (std::size_t m = 0; m < loops.size(); ++m) matrix[l][m] += loops[l][i] * loops[m][i] * slope;
      }
    }
    const std::vector<double> now = residual(around), step = solved_densely(matrix, now);
    std::vector<double> next = around;
    double share = 1.0;
    for (int halving = 0; halving < 40; ++halving, share *= 0.5) {  // until the convex sum does not rise at the end
      for (std::size_t l = 0; l < loops.size(); ++l) next[l] = around[l] - share * step[l];
      if (dot(residual(next), step) >= -0.5 * std::abs(dot(now, step))) break;
    }
    around = next;
    const double largest = std::abs(*std::ranges::max_element(around, {}, [](double m) { return std::abs(m); }));
    step_size = share * std::abs(*std::ranges::max_element(step, {}, [](double m) { return std::abs(m); })) / largest;
  }
  if (step_size > 1e-11) return std::vector<double>(branches.size(), std::numeric_limits<double>::quiet_NaN());
  return flows_of(loops, around, branches.size());
}

}  // namespace wattloop::tests
