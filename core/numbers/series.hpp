// Series of samples in time: each value holds from its stamp until the next one.
//
// Instants reach the same boundary by different arithmetic (k * step, start + step, stamps read from a file),
// so a boundary is met already `boundary_slack_s` before its stamp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace wattloop {

/// Two instants closer than this are the same instant: far above round-off of a year in seconds, far below
/// any sample.
inline constexpr double boundary_slack_s = 1e-6;

/// Index of the sample that holds at `t_s`; a boundary belongs to the later sample; before the first stamp:
/// 0. `stamps_s` increases and is not empty.
inline std::size_t sample_at(std::span<const double> stamps_s, double t_s) {
  const auto later = std::upper_bound(stamps_s.begin(), stamps_s.end(), t_s + boundary_slack_s);
  return later == stamps_s.begin() ? 0 : static_cast<std::size_t>(later - stamps_s.begin()) - 1;
}

/// Integral of held values from the first stamp to `end_s`: values [sample] times seconds.
inline double hold_integral(std::span<const double> stamps_s, std::span<const double> values, double end_s) {
  double integral = 0.0;
  for (std::size_t i = 0; i < stamps_s.size() && stamps_s[i] < end_s; ++i) {
    const double until_s = i + 1 < stamps_s.size() ? std::min(stamps_s[i + 1], end_s) : end_s;
    integral += values[i] * (until_s - stamps_s[i]);
  }
  return integral;
}

}  // namespace wattloop
