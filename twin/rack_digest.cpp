#include "twin/rack_digest.hpp"

#include <algorithm>
#include <cstdint>

#include "core/lanes.hpp"

namespace wattloop::twin {

namespace {

/// Numbers of the values in the lanes.
using LaneNumbers [[gnu::vector_size(lane_count * sizeof(std::int64_t))]] = std::int64_t;

}  // namespace

RackDigest digest_dies(std::span<const double> die_k) {
  Lanes hottest_k = same_lanes(die_k.front()), coolest_k = hottest_k, sum_k{};
  LaneNumbers hottest{};  // lane by lane, counted in eights
  std::size_t gpu = 0;
  for (; gpu + lane_count <= die_k.size(); gpu += lane_count) {
    const Lanes now_k = lanes_at(die_k.data() + gpu);
    const auto is_hotter = now_k > hottest_k;
    hottest_k = is_hotter ? now_k : hottest_k;
    hottest = is_hotter ? static_cast<std::int64_t>(gpu) - LaneNumbers{} : hottest;
    coolest_k = smaller(now_k, coolest_k);
    sum_k += now_k;
  }
  RackDigest digest{.hottest_k = die_k.front(), .coolest_k = smallest_of(coolest_k), .sum_die_k = sum_of(sum_k)};
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (!(hottest_k[lane] > digest.hottest_k)) continue;
    digest.hottest_k = hottest_k[lane];
    digest.hottest_gpu = static_cast<std::size_t>(hottest[lane]) + lane;
  }
  for (; gpu < die_k.size(); ++gpu) {
    if (die_k[gpu] > digest.hottest_k) {
      digest.hottest_k = die_k[gpu];
      digest.hottest_gpu = gpu;
    }
    digest.coolest_k = std::min(digest.coolest_k, die_k[gpu]);
    digest.sum_die_k += die_k[gpu];
  }
  return digest;
}

bool has_full_clocks(std::span<const double> clock_fraction) {
  return std::all_of(clock_fraction.begin(), clock_fraction.end(), [](double clock) { return clock >= 1.0; });
}

}  // namespace wattloop::twin
