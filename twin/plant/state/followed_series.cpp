#include "twin/plant/state/followed_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/numbers/series.hpp"

namespace wattloop::twin {

namespace {

constexpr double fine_tick_s = 5.0;     ///< that of controls
constexpr double coarse_tick_s = 60.0;  ///< that of the weather, for samples as far apart as its own
constexpr double coarse_interval_s = 600.0;
constexpr double rounding_ratio = 1e-9;

}  // namespace

double FollowedSeries::at(double time_s) const {
  if (time_s <= stamps_s.front()) return values.front();
  const std::size_t sample = sample_at(stamps_s, time_s);
  if (between == Between::step || sample + 1 == stamps_s.size()) return values[sample];
  const double share = (time_s - stamps_s[sample]) / (stamps_s[sample + 1] - stamps_s[sample]);
  return values[sample] + std::clamp(share, 0.0, 1.0) * (values[sample + 1] - values[sample]);
}

FollowedSeries::Held FollowedSeries::held(double time_s) const {
  if (time_s + boundary_slack_s < stamps_s.front()) return {values.front(), stamps_s.front()};
  const std::size_t sample = sample_at(stamps_s, time_s);
  if (sample + 1 == stamps_s.size()) return {values.back(), std::numeric_limits<double>::infinity()};
  const double begin_s = stamps_s[sample], end_s = stamps_s[sample + 1];
  if (between == Between::step || values[sample] == values[sample + 1]) return {values[sample], end_s};
  const double tick_s = interval_s < coarse_interval_s ? fine_tick_s : coarse_tick_s;
  const double tick = std::floor(time_s / tick_s + rounding_ratio);
  const double from_s = std::max(begin_s, tick * tick_s), until_s = std::min(end_s, (tick + 1.0) * tick_s);
  return {at(0.5 * (from_s + until_s)), until_s};
}

double FollowedSeries::largest(double duration_s) const {
  double most = std::max(at(0.0), at(duration_s));
  for (std::size_t sample = 0; sample < values.size(); ++sample) {
    if (stamps_s[sample] >= 0.0 && stamps_s[sample] < duration_s) most = std::max(most, values[sample]);
  }
  return most;
}

}  // namespace wattloop::twin
