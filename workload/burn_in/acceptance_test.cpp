#include "workload/burn_in/acceptance_test.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::workload {

double TestSpan::overlap_s(double a_s, double b_s) const {
  return std::max(0.0, std::min(b_s, to_s) - std::max(a_s, from_s));
}

AcceptanceTest::AcceptanceTest(const BurnInParams& params, std::size_t nodes, std::size_t nodes_per_rack,
                               std::size_t gpus_per_node)
    : params_(params), nodes_(nodes), nodes_per_rack_(nodes_per_rack), gpus_per_node_(gpus_per_node) {
  if (!(params_.rack_interval_s > 0.0)) params_.rack_interval_s = params_.matrix_time_s;
  if (!(params_.sweep_time_s > 0.0)) return;
  sweeps_.push_back({1, false});
  if (nodes_ > 1) sweeps_.push_back({2, false});
  if (nodes_ > 2) sweeps_.push_back({2, true});
  for (std::size_t group = 4; group < nodes_; group *= 2) sweeps_.push_back({group, false});
  if (nodes_ > 2) sweeps_.push_back({nodes_, false});
}

TestSpan AcceptanceTest::matrix_span(std::size_t rack) const {
  const std::size_t place = params_.order == "backward" ? racks() - 1 - rack : rack;
  const std::size_t set = place / static_cast<std::size_t>(params_.racks_at_once);
  const double from_s = static_cast<double>(set) * params_.rack_interval_s;
  return {from_s, from_s + params_.matrix_time_s};
}

double AcceptanceTest::matrix_end_s() const { return std::max(matrix_span(0).to_s, matrix_span(racks() - 1).to_s); }

TestSpan AcceptanceTest::sweep_span(std::size_t sweep) const {
  const double from_s = matrix_end_s() + static_cast<double>(sweep) * params_.sweep_time_s;
  return {from_s, from_s + params_.sweep_time_s};
}

double AcceptanceTest::end_s() const { return sweeps_.empty() ? matrix_end_s() : sweep_span(sweeps_.size() - 1).to_s; }

std::vector<std::size_t> AcceptanceTest::group_of(std::size_t sweep, std::size_t node) const {
  const auto [size, is_shifted] = sweeps_[sweep];
  if (size == 2) {
    const bool is_first = (node % 2 == 0) != is_shifted;
    return {node, is_first ? (node + 1) % nodes_ : (node + nodes_ - 1) % nodes_};
  }
  std::vector<std::size_t> group;
  const std::size_t first = node / size * size;
  for (std::size_t member = first; member < std::min(first + size, nodes_); ++member) group.push_back(member);
  return group;
}

std::vector<double> AcceptanceTest::all_reduce_s(std::size_t sweep, const std::vector<double>& fraction) const {
  std::vector<double> times_s;
  std::vector<std::size_t> group;
  for (std::size_t node = 0; node < nodes_; ++node) {
    if (sweeps_[sweep].group_nodes == 2 || node % sweeps_[sweep].group_nodes == 0) group = group_of(sweep, node);
    double bandwidth_b_per_s = params_.node_bandwidth_b_per_s;
    if (group.size() > 1) {
      double least = 1.0;
      for (const std::size_t member : group) least = std::min(least, fraction[member]);
      bandwidth_b_per_s = params_.fabric_bandwidth_b_per_s * least;
    }
    const auto gpus = static_cast<double>(group.size() * gpus_per_node_);
    times_s.push_back(2.0 * (gpus - 1.0) / gpus * params_.all_reduce_b / bandwidth_b_per_s);
  }
  return times_s;
}

std::vector<double> AcceptanceTest::node_time_ratios(const std::vector<double>& fraction) const {
  std::vector<double> best;
  for (std::size_t sweep = 0; sweep < sweeps_.size(); ++sweep) {
    if (sweeps_[sweep].group_nodes != 2) continue;
    const std::vector<double> times_s = all_reduce_s(sweep, fraction);
    if (best.empty()) best.assign(nodes_, std::numeric_limits<double>::infinity());
    for (std::size_t node = 0; node < nodes_; ++node) best[node] = std::min(best[node], times_s[node]);
  }
  if (best.empty()) return best;
  const double median_s = median_of(best);
  for (double& time : best) time /= median_s;
  return best;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

BurnInParams with_powers_of_gpu(BurnInParams params, const NodeSplitParams& gpu) {
  constexpr double h100_sweep_w = 220.0,
                   h100_limit_w = 700.0;  // communication of the training job [mlperf_training_v40_smc]
  if (params.matrix_gpu_w == BurnInParams::by_gpu_w) params.matrix_gpu_w = gpu.gpu_limit_w;
  if (params.sweep_gpu_w == BurnInParams::by_gpu_w) params.sweep_gpu_w = h100_sweep_w * gpu.gpu_limit_w / h100_limit_w;
  return params;
}

}  // namespace wattloop::workload
