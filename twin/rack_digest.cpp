#include "twin/rack_digest.hpp"

#include <algorithm>
#include "core/lanes.hpp"

namespace wattloop::twin {

namespace {

/// The first of the values that is `wanted`, eight at a time.
std::size_t place_of(double wanted, std::span<const double> values) {
  std::size_t k = 0;
  for (; k + lane_count <= values.size(); k += lane_count) {
    const auto is_wanted = lanes_at(values.data() + k) == wanted;
    bool any = false;
    for (std::size_t lane = 0; lane < lane_count; ++lane) any = any || is_wanted[lane] != 0;
    if (any) break;
  }
  const auto from = values.begin() + static_cast<std::ptrdiff_t>(k);
  return static_cast<std::size_t>(std::find(from, values.end(), wanted) - values.begin());
}

}  // namespace

RackDigest digest_dies(std::span<const double> die_k) {
  Lanes hottest_k = same_lanes(die_k.front()), coolest_k = hottest_k, sum_k{};
  std::size_t gpu = 0;
  for (; gpu + lane_count <= die_k.size(); gpu += lane_count) {
    const Lanes now_k = lanes_at(die_k.data() + gpu);
    hottest_k = larger(now_k, hottest_k);
    coolest_k = smaller(now_k, coolest_k);
    sum_k += now_k;
  }
  RackDigest digest{.hottest_k = largest_of(hottest_k), .coolest_k = smallest_of(coolest_k), .sum_die_k = sum_of(sum_k)};
  for (; gpu < die_k.size(); ++gpu) {
    digest.hottest_k = std::max(digest.hottest_k, die_k[gpu]);
    digest.coolest_k = std::min(digest.coolest_k, die_k[gpu]);
    digest.sum_die_k += die_k[gpu];
  }
  digest.hottest_gpu = std::min(place_of(digest.hottest_k, die_k), die_k.size() - 1);
  return digest;
}

bool has_full_clocks(std::span<const double> clock_fraction) {
  return std::all_of(clock_fraction.begin(), clock_fraction.end(), [](double clock) { return clock >= 1.0; });
}

}  // namespace wattloop::twin
