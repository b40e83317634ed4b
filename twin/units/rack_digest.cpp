#include "twin/units/rack_digest.hpp"

#include <algorithm>

namespace wattloop::twin {

DieDigest DieLanes::digest() const noexcept {
  const double hottest_k = largest_of(hottest_k_);
  std::int64_t hottest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (hottest_k_[lane] == hottest_k) hottest = std::min(hottest, hottest_[lane] + static_cast<std::int64_t>(lane));
  }
  return {hottest_k, smallest_of(coolest_k_), sum_of(sum_k_), static_cast<std::size_t>(hottest)};
}

DieDigest digest_dies(std::span<const double> die_k) {
  DieLanes lanes;
  visit_by_lanes(die_k.size(), [&](std::size_t first, auto count) {
    lanes.add(read_lanes(die_k.data() + first, count), first, count);
  });
  return lanes.digest();
}

bool has_full_clocks(std::span<const double> clock_fraction) {
  return std::all_of(clock_fraction.begin(), clock_fraction.end(), [](double clock) { return clock >= 1.0; });
}

}  // namespace wattloop::twin
