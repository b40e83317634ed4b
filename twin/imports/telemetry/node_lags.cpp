// Clocks of nodes that differ by seconds: nodes of one job rise and fall together, by their clocks at other times.
#include <algorithm>
#include <cmath>

#include "twin/imports/telemetry/node_lags.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_rows = 4096, most_nodes = 256;
constexpr std::ptrdiff_t most_lag = 60;  // intervals
constexpr double least_correlation = 0.5, least_gain = 0.1;

/// Power of each node, less its mean, in the middle of the trace: [node][row].
std::vector<std::vector<double>> node_powers(const TraceRows& trace) {
  const std::size_t rows = std::min(trace.rows(), most_rows), first = (trace.rows() - rows) / 2;
  std::vector<std::vector<double>> powers(trace.nodes.size(), std::vector<double>(rows, 0.0));
  for (std::size_t column = 0; column < trace.columns(); ++column) {
    double held_w = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
      const double value_w = trace.power_w[(first + row) * trace.columns() + column];
      if (!std::isnan(value_w)) held_w = value_w;
      powers[trace.node_of[column]][row] += held_w;
    }
  }
  for (std::vector<double>& node : powers) {
    double mean = 0.0;
    for (const double value : node) mean += value / static_cast<double>(rows);
    for (double& value : node) value -= mean;
  }
  return powers;
}

/// Of a node with what the others have in sum, the node read `lag` rows later.
double correlation(const std::vector<double>& node, const std::vector<double>& sum, std::ptrdiff_t lag) {
  const auto rows = static_cast<std::ptrdiff_t>(node.size());
  double product = 0.0, of_node = 0.0, of_others = 0.0;
  for (std::ptrdiff_t row = most_lag; row < rows - most_lag; ++row) {
    const auto at = static_cast<std::size_t>(row), later = static_cast<std::size_t>(row + lag);
    const double others = sum[at] - node[at];
    product += node[later] * others;
    of_node += node[later] * node[later];
    of_others += others * others;
  }
  return of_node > 0.0 && of_others > 0.0 ? product / std::sqrt(of_node * of_others) : 0.0;
}

}  // namespace

std::vector<NodeLag> node_lags(const TraceRows& trace) {
  std::vector<NodeLag> lags;
  if (trace.nodes.size() < 2 || trace.nodes.size() > most_nodes ||
      trace.rows() < 4 * static_cast<std::size_t>(most_lag))
    return lags;
  const std::vector<std::vector<double>> powers = node_powers(trace);
  std::vector<double> sum(powers.front().size(), 0.0);
  for (const std::vector<double>& node : powers) {
    for (std::size_t row = 0; row < sum.size(); ++row) sum[row] += node[row];
  }
  for (std::size_t node = 0; node < powers.size(); ++node) {
    const double now = correlation(powers[node], sum, 0);
    NodeLag best{trace.nodes[node], 0.0, now, now};
    for (std::ptrdiff_t lag = -most_lag; lag <= most_lag; ++lag) {
      const double there = correlation(powers[node], sum, lag);
      if (there > best.correlation) best = {trace.nodes[node], static_cast<double>(lag) * trace.interval_s, there, now};
    }
    if (best.lag_s != 0.0 && best.correlation > least_correlation && best.correlation > now + least_gain)
      lags.push_back(best);
  }
  return lags;
}

}  // namespace wattloop::twin
