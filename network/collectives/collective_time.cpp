#include "network/collectives/collective_time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wattloop::network {

namespace {

/// Passes of the data through each link: all-reduce is reduce-scatter and all-gather.
double passes(Collective operation) { return operation == Collective::all_reduce ? 2.0 : 1.0; }

/// Share of the bytes that each of `members` ranks sends in a pass.
double sent_fraction(int members) { return (members - 1.0) / members; }

/// One ring through all ranks. All GPUs of a domain use their links to other domains at the same time, one channel for each link.
CollectiveTime ring(std::span<const LinkLevel> levels, double bytes_b) {
  const int ranks = ranks_of(levels);
  double bandwidth_b_per_s = std::numeric_limits<double>::infinity();
  double latency_s = 0.0;
  double channels = 1.0;
  for (const LinkLevel& level : levels) {
    if (level.members < 2) continue;
    bandwidth_b_per_s = std::min(bandwidth_b_per_s, channels * level.bandwidth_b_per_s);
    latency_s = std::max(latency_s, level.latency_s);
    channels *= level.members;
  }
  return {(ranks - 1) * latency_s, sent_fraction(ranks) * bytes_b / bandwidth_b_per_s};
}

/// Each of two trees carries half of the bytes. Each rank is a leaf in one of the trees.
CollectiveTime double_tree(std::span<const LinkLevel> levels, double bytes_b) {
  CollectiveTime time;
  double bandwidth_b_per_s = std::numeric_limits<double>::infinity();
  double channels = 1.0;
  for (const LinkLevel& level : levels) {
    if (level.members < 2) continue;
    time.latency_s += std::bit_width(static_cast<unsigned>(level.members - 1)) * level.latency_s;
    bandwidth_b_per_s = std::min(bandwidth_b_per_s, channels * level.bandwidth_b_per_s);
    channels *= level.members;
  }
  time.transfer_s = bytes_b / bandwidth_b_per_s;
  return time;
}

/// One pass through all levels. Each level carries the bytes that the level inside it left to each GPU.
CollectiveTime hierarchical(std::span<const LinkLevel> levels, double bytes_b) {
  CollectiveTime time;
  for (const LinkLevel& level : levels) {
    time.latency_s += (level.members - 1) * level.latency_s;
    time.transfer_s += sent_fraction(level.members) * bytes_b / level.bandwidth_b_per_s;
    bytes_b /= level.members;
  }
  return time;
}

/// A whole all-reduce. Levels whose switches cannot reduce use rings.
CollectiveTime in_switch_all_reduce(std::span<const LinkLevel> levels, double bytes_b) {
  CollectiveTime time;
  for (const LinkLevel& level : levels) {
    if (level.members < 2) continue;
    if (level.in_switch_bandwidth_b_per_s > 0.0) {
      time.latency_s += level.in_switch_latency_s;
      time.transfer_s += bytes_b / level.in_switch_bandwidth_b_per_s;
    } else {
      const CollectiveTime rails = hierarchical(std::span(&level, 1), bytes_b);
      time.latency_s += 2.0 * rails.latency_s;
      time.transfer_s += 2.0 * rails.transfer_s;
    }
    bytes_b /= level.members;
  }
  return time;
}

/// NVLink and adapters are busy at once: the level that takes longest counts.
CollectiveTime all_to_all(std::span<const LinkLevel> levels, double bytes_b) {
  const double ranks = ranks_of(levels);
  CollectiveTime longest;
  double inside = 1.0;
  for (const LinkLevel& level : levels) {
    const double peers = inside * (level.members - 1.0);
    const CollectiveTime time{peers * level.latency_s, peers / ranks * bytes_b / level.bandwidth_b_per_s};
    if (time.sum_s() > longest.sum_s()) longest = time;
    inside *= level.members;
  }
  return longest;
}

}  // namespace

double CollectiveTime::chunked_s() const {
  const double root = std::sqrt(latency_s) + std::sqrt(transfer_s);
  return root * root;
}

CollectiveTime collective_time(Collective operation, Algorithm algorithm, std::span<const LinkLevel> levels,
                               double bytes_b) {
  if (levels.empty() || bytes_b <= 0.0) return {};
  if (operation == Collective::point_to_point)
    return {levels.back().latency_s, bytes_b / levels.back().bandwidth_b_per_s};
  if (ranks_of(levels) < 2) return {};
  if (operation == Collective::all_to_all) return all_to_all(levels, bytes_b);
  if (algorithm == Algorithm::in_switch && operation == Collective::all_reduce)
    return in_switch_all_reduce(levels, bytes_b);
  const bool is_tree = algorithm == Algorithm::double_tree && operation == Collective::all_reduce;
  const CollectiveTime pass = is_tree                        ? double_tree(levels, bytes_b)
                              : algorithm == Algorithm::ring ? ring(levels, bytes_b)
                                                             : hierarchical(levels, bytes_b);
  return {passes(operation) * pass.latency_s, passes(operation) * pass.transfer_s};
}

double bus_bandwidth_b_per_s(Collective operation, int ranks, double bytes_b, double time_s) {
  if (operation == Collective::point_to_point) return bytes_b / time_s;
  return ranks < 2 ? 0.0 : passes(operation) * sent_fraction(ranks) * bytes_b / time_s;
}

FittedTime fit_two_sizes(const MeasuredTime& small, const MeasuredTime& large) {
  const double slope =
      (std::sqrt(large.time_s) - std::sqrt(small.time_s)) / (std::sqrt(large.bytes_b) - std::sqrt(small.bytes_b));
  const double root_of_startup = std::sqrt(small.time_s) - slope * std::sqrt(small.bytes_b);
  return {std::max(0.0, root_of_startup) * std::max(0.0, root_of_startup), 1.0 / (slope * slope)};
}

}  // namespace wattloop::network
