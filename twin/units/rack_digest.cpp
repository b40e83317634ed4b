#include "twin/units/rack_digest.hpp"

#include <algorithm>

namespace wattloop::twin {

DieDigest DieLanes::digest() const noexcept {
  const double hottest_k = largest_of(hottest_k_);
  constexpr LaneNumbers lanes{0, 1, 2, 3, 4, 5, 6, 7};
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const LaneNumbers candidates = hottest_k_ == hottest_k ? hottest_ + lanes : none - LaneNumbers{};
  std::int64_t hottest = none;
  for (std::size_t lane = 0; lane < lane_count; ++lane) hottest = std::min(hottest, candidates[lane]);
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
