#include "tests/support/records/node_power_record.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace wattloop::tests {

namespace {

using Which = NodePowerStatistics::Which;
using Weights = std::vector<double>;  // of nodes, 0 or 1

constexpr double nodes_of_total = 64.0;
constexpr double step_s = 10.765;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream text(line + ",");
  std::vector<std::string> cells;
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

/// A record without some of its nodes or one of its cycles.
struct Part {
  const NodePowerRecord& record;
  std::size_t left_out_node, left_out_cycle;
  std::vector<std::size_t> cycle_of = {};  // [sample] evaluations that ended before

  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  double time_s(std::size_t sample) const { return record.interval_s * static_cast<double>(sample); }
  bool has(std::size_t sample) const { return cycle_of[sample] != left_out_cycle; }
};

Part part_of(const NodePowerRecord& record, std::size_t node, std::size_t cycle) {
  Part part{record, node, cycle};
  for (std::size_t k = 0; k < record.node_w.front().size(); ++k) {
    part.cycle_of.push_back(
        static_cast<std::size_t>(std::count_if(record.evaluations.begin(), record.evaluations.end(),
                                               [&](const Evaluation& e) { return e.end_s <= part.time_s(k); })));
  }
  return part;
}

std::vector<double> mean_node(const Part& part) {
  std::vector<double> mean_w(part.cycle_of.size());
  double nodes = 0.0;
  for (std::size_t node = 0; node < part.record.node_w.size(); ++node) {
    if (node == part.left_out_node) continue;
    nodes += 1.0;
    for (std::size_t k = 0; k < mean_w.size(); ++k) mean_w[k] += part.record.node_w[node][k];
  }
  for (double& w : mean_w) w /= nodes;
  return mean_w;
}

std::vector<double> kept(const Part& part, const std::vector<double>& values) {
  std::vector<double> result;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (part.has(k)) result.push_back(values[k]);
  }
  return result;
}

/// Deviation of a node, and the mean correlation of all pairs: from the square of the sum of what every node has in its own deviations.
void add_spread(const Part& part, NodePowerStatistics& result) {
  std::vector<double> sum;
  double nodes = 0.0, deviation_w = 0.0;
  for (std::size_t node = 0; node < part.record.node_w.size(); ++node) {
    if (node == part.left_out_node) continue;
    const std::vector<double> watts = kept(part, part.record.node_w[node]);
    const double mean_w = mean_of(watts), own_w = deviation_of(watts);
    sum.resize(watts.size());
    for (std::size_t k = 0; k < watts.size(); ++k) sum[k] += (watts[k] - mean_w) / own_w;
    nodes += 1.0;
    deviation_w += own_w;
  }
  double square = 0.0;
  for (const double value : sum) square += value * value / static_cast<double>(sum.size());
  result.values[Which::deviation_w] = deviation_w / nodes;
  result.values[Which::correlation] = (square - nodes) / (nodes * (nodes - 1.0));
}

void add_changes(const Part& part, const std::vector<double>& mean_w, NodePowerStatistics& result) {
  std::vector<double> falls_w(part.record.evaluations.size());
  double largest_w = 0.0;
  for (std::size_t k = 0; k + 1 < mean_w.size(); ++k) {
    if (!part.has(k) || !part.has(k + 1)) continue;
    const double change_w = nodes_of_total * (mean_w[k + 1] - mean_w[k]);
    largest_w = std::max(largest_w, std::abs(change_w));
    for (std::size_t e = 0; e < falls_w.size(); ++e) {
      if (std::abs(part.time_s(k) - part.record.evaluations[e].start_s) <= 6.0)
        falls_w[e] = std::max(falls_w[e], -change_w);
    }
  }
  result.values[Which::largest_change_w] = largest_w;
  double sum_w = 0.0, count = 0.0;
  for (std::size_t e = 0; e < falls_w.size(); ++e) {
    if (e == part.left_out_cycle) continue;
    sum_w += falls_w[e];
    count += 1.0;
  }
  result.values[Which::fall_w] = sum_w / count;
}

double mean_between(const Part& part, const std::vector<double>& mean_w, double from_s, double to_s) {
  double sum_w = 0.0, count = 0.0;
  for (std::size_t k = 0; k < mean_w.size(); ++k) {
    if (part.time_s(k) < from_s || part.time_s(k) >= to_s) continue;
    sum_w += mean_w[k];
    count += 1.0;
  }
  return sum_w / count;
}

void add_blocks(const Part& part, const std::vector<double>& mean_w, NodePowerStatistics& result) {
  const auto& evaluations = part.record.evaluations;
  double ratio = 0.0, blocks = 0.0;
  std::vector<std::vector<std::pair<double, double>>> samples;  // [block] time and watts about their mean
  for (std::size_t e = 0; e + 1 < evaluations.size(); ++e) {
    if (e + 1 == part.left_out_cycle) continue;
    const double steps_from_s = evaluations[e].end_s + 0.5 * step_s;
    const double steps_w = mean_between(part, mean_w, steps_from_s, steps_from_s + 11.0 * step_s);
    ratio += mean_between(part, mean_w, evaluations[e].start_s + 4.0, evaluations[e].end_s - 4.0) / steps_w;
    blocks += 1.0;
    const double block_w = mean_between(part, mean_w, evaluations[e].end_s, evaluations[e + 1].start_s);
    samples.emplace_back();
    for (std::size_t k = 0; k < mean_w.size(); ++k) {
      const double t_s = part.time_s(k);
      if (t_s >= evaluations[e].end_s && t_s < evaluations[e + 1].start_s)
        samples.back().emplace_back(t_s, mean_w[k] - block_w);
    }
  }
  result.values[Which::ratio] = ratio / blocks;
  double highest = 0.0;
  for (double period_s = 9.0; period_s < 13.0; period_s += 0.005) {
    double power = 0.0;
    for (const auto& block : samples) {
      std::complex<double> sum = 0.0;
      for (const auto& [t_s, w] : block) sum += w * std::polar(1.0, -2.0 * std::numbers::pi * t_s / period_s);
      power += std::norm(sum);
    }
    if (power > highest) highest = power, result.values[Which::peak_s] = period_s;
  }
}

NodePowerStatistics statistics_of(const Part& part) {
  NodePowerStatistics result;
  const std::vector<double> mean_w = mean_node(part);
  const std::vector<double> used_w = kept(part, mean_w);
  result.values[Which::mean_w] = mean_of(used_w);
  result.values[Which::common_deviation_w] = deviation_of(used_w);
  add_spread(part, result);
  add_changes(part, mean_w, result);
  add_blocks(part, mean_w, result);
  return result;
}

/// Square of the jackknife's standard error, from statistics with one of n left out each.
void add_jackknife(const std::vector<NodePowerStatistics>& left_out, std::array<double, Which::count>& squares) {
  const auto n = static_cast<double>(left_out.size());
  for (std::size_t which = 0; which < Which::count; ++which) {
    double mean = 0.0, sum = 0.0;
    for (const auto& one : left_out) mean += one.values[which] / n;
    for (const auto& one : left_out) sum += (one.values[which] - mean) * (one.values[which] - mean);
    squares[which] += (n - 1.0) / n * sum;
  }
}

}  // namespace

NodePowerRecord read_gpt3_record(const std::string& folder, const std::string& meter) {
  NodePowerRecord record;
  std::ifstream file(folder + "/gpt3_64node_run0_" + meter + ".csv");
  std::string line;
  std::getline(file, line);
  std::vector<std::vector<double>> columns(64);  // -1 for an empty cell
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i].push_back(cells.at(i + 1).empty() ? -1.0 : std::stod(cells[i + 1]));
  }
  for (const auto& column : columns) {
    if (std::find(record.node_w.begin(), record.node_w.end(), column) == record.node_w.end())
      record.node_w.push_back(column);
  }
  for (auto& column : record.node_w) {
    double last_w = *std::find_if(column.begin(), column.end(), [](double w) { return w >= 0.0; });
    for (double& w : column) last_w = w = w < 0.0 ? last_w : w;
  }
  std::ifstream events(folder + "/gpt3_64node_run0_events.csv");
  while (std::getline(events, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.at(1) == "eval_start") record.evaluations.push_back({std::stod(cells[0]), 0.0});
    if (cells.at(1) == "eval_stop") record.evaluations.back().end_s = std::stod(cells[0]);
  }
  if (record.node_w.front().empty() || record.evaluations.empty())
    throw std::runtime_error("no record of GPT-3 in " + folder);
  return record;
}

NodePowerStatistics node_power_statistics(const NodePowerRecord& record) {
  return statistics_of(part_of(record, Part::none, Part::none));
}

NodePowerStatistics standard_errors(const NodePowerRecord& record) {
  std::vector<NodePowerStatistics> of_nodes, of_cycles;
  for (std::size_t node = 0; node < record.node_w.size(); ++node)
    of_nodes.push_back(statistics_of(part_of(record, node, Part::none)));
  for (std::size_t cycle = 0; cycle < record.evaluations.size(); ++cycle) {
    of_cycles.push_back(statistics_of(part_of(record, Part::none, cycle)));
  }
  std::array<double, Which::count> squares{};
  add_jackknife(of_nodes, squares);
  add_jackknife(of_cycles, squares);
  NodePowerStatistics errors;
  for (std::size_t which = 0; which < Which::count; ++which) errors.values[which] = std::sqrt(squares[which]);
  return errors;
}

}  // namespace wattloop::tests
