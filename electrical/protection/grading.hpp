// Grading: the device nearer to the source operates later than the one nearer to the load, by a margin, at every current that both see.
//
//   t_upstream(I) >= t_downstream(I) + margin        for 1.01 pickup_downstream <= I <= largest current
//
// Currents within 1 % of the pickup, and a range of currents narrower than that, are within the errors of the devices and count as graded. The margin is for the opening of the breaker, overshoot and errors of both devices: 0.3 s is usual for numerical relays
// [engineering_estimate]. Verified in tests/verification/power/overcurrent_curves.cpp against closed forms.
#pragma once

#include <string_view>
#include <vector>

#include "electrical/protection/overcurrent_curve.hpp"

namespace wattloop::electrical {

struct GradingRule {
  double largest_a;  ///< fault level where the downstream device is
  double margin_s = 0.3;
  double smallest_a = 0.0;  ///< below which the upstream device does not see the current of the other
  const OvercurrentDevice* beside =
      nullptr;  ///< in series with the downstream device: either of both opens the same; null: none
};

/// Currents at which the margin is not kept.
struct GradingBreach {
  std::string_view upstream;
  std::string_view downstream;
  double from_a;
  double to_a;
  double from_multiple;  ///< over the pickup of the downstream device
  double to_multiple;
  double smallest_margin_s;  ///< negative: the upstream device is the first
  double worst_a = 0.0;      ///< where the margin is that small
};

/// All ranges of currents, smallest first; empty where the devices are graded. Ends are exact to 1e-9 of them.
std::vector<GradingBreach> grading_breaches(const OvercurrentDevice& upstream, const OvercurrentDevice& downstream,
                                            const GradingRule& rule);

}  // namespace wattloop::electrical
