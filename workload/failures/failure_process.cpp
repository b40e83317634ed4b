#include "workload/failures/failure_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace wattloop::workload {

namespace {

constexpr std::uint32_t failure_stream = 5, node_stream = 6;

/// Uniform in [0, 1) from 53 random bits.
double uniform_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

/// How often a node fails against the mean node, lognormal.
double weight_of_node(std::size_t node, double spread_ratio, RandomKey key) {
  const RandomCounter words = philox({static_cast<std::uint32_t>(node), 0, 0, 0}, key);
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform_of(words[0], words[1])));
  const double normal = radius * std::cos(2.0 * std::numbers::pi * uniform_of(words[2], words[3]));
  return std::exp(spread_ratio * normal - 0.5 * spread_ratio * spread_ratio);
}

}  // namespace

FailureProcess::FailureProcess(const FailureParams& params, std::size_t gpus, std::uint64_t seed,
                               std::size_t gpus_per_node)
    : params_(params), gpus_(gpus), key_(random_key(seed, failure_stream)), gpus_per_node_(gpus_per_node) {
  if (params.node_spread_ratio == 0.0) return;
  const RandomKey key = random_key(seed, node_stream);
  weight_before_.push_back(0.0);
  for (std::size_t node = 0; node * gpus_per_node < gpus; ++node) {
    const std::size_t own = std::min(gpus_per_node, gpus - node * gpus_per_node);
    const double weight = static_cast<double>(own) * weight_of_node(node, params.node_spread_ratio, key);
    weight_before_.push_back(weight_before_.back() + weight);
  }
}

RandomCounter FailureProcess::drawn(std::size_t kind, std::uint64_t number) const {
  return philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                 static_cast<std::uint32_t>(kind), 0},
                key_);
}

double FailureProcess::pause_s(std::size_t kind, std::uint64_t number) const {
  const RandomCounter words = drawn(kind, number);
  const double shape_ratio = params_.kinds[kind].shape_ratio;
  double of_mean = -std::log1p(-uniform_of(words[0], words[1]));
  if (shape_ratio != 1.0) of_mean = std::pow(of_mean, 1.0 / shape_ratio) / std::tgamma(1.0 + 1.0 / shape_ratio);
  return of_mean * params_.kinds[kind].mean_time_s / static_cast<double>(gpus_);
}

/// The GPU that fails, of a uniform number in [0, 1).
std::size_t FailureProcess::gpu_at(double place_fraction) const {
  if (weight_before_.empty()) return static_cast<std::size_t>(place_fraction * static_cast<double>(gpus_));
  const double place = place_fraction * weight_before_.back();
  const auto next = std::upper_bound(weight_before_.begin(), weight_before_.end() - 1, place);
  const auto node = static_cast<std::size_t>(next - weight_before_.begin()) - 1;
  const std::size_t first = node * gpus_per_node_, own = std::min(gpus_per_node_, gpus_ - first);
  const double inside = (place - weight_before_[node]) / (*next - weight_before_[node]);
  return first + std::min(own - 1, static_cast<std::size_t>(inside * static_cast<double>(own)));
}

FailureCounters FailureProcess::at_begin() const {
  FailureCounters counters;
  for (std::size_t kind = 0; kind < params_.kinds.size(); ++kind) {
    counters.number.push_back(0);
    counters.next_s.push_back(pause_s(kind, 0));
  }
  return counters;
}

double FailureProcess::next_s(const FailureCounters& counters) const {
  return counters.next_s.empty() ? std::numeric_limits<double>::infinity() : std::ranges::min(counters.next_s);
}

FailureProcess::Failure FailureProcess::take_next(FailureCounters& counters) const {
  const auto first = std::ranges::min_element(counters.next_s);
  const auto kind = static_cast<std::size_t>(first - counters.next_s.begin());
  const RandomCounter words = drawn(kind, counters.number[kind]);
  const std::size_t gpu = gpu_at(uniform_of(words[2], words[3]));
  *first += pause_s(kind, ++counters.number[kind]);
  return {kind, gpu};
}

}  // namespace wattloop::workload
