// What a control valve passes at a position, as a share of what it passes fully open at the same pressure drop.
//
//   equal percentage: f = R^(x-1) above x_0 = 1 / ln R, below it the tangent through 0
//   linear:           f = x
//   dx/dt = (requested - x) / tau; stuck at x_s: (x_s - x) / tau
//   authority N: share of the valve, fully open, in the pressure drop of all that it controls;
//   of a whole resistance W the valve has N W, what stands with it (1 - N) W
//
// Source: [modelica_buildings].
// Verified in tests/verification/water/cdu_rating.cpp (curve), flow_network.cpp (authority).
#pragma once

#include <algorithm>
#include <cmath>

namespace wattloop::physics {

/// Share of the full flow and what it changes with.
struct ValveOpening {
  double fraction = 1.0;
  double per_position = 0.0;
};

/// Opening of an equal-percentage valve: 0 at 0, 1 at 1, smooth, rising, clamped outside. Linear up to a rangeability of e.
inline ValveOpening equal_percentage_opening(double rangeability_ratio, double position_fraction) noexcept {
  const double position = std::clamp(position_fraction, 0.0, 1.0);
  const double moves = position == position_fraction ? 1.0 : 0.0;
  const double log_range = std::log(rangeability_ratio);
  if (log_range <= 1.0) return {position, moves};
  if (position < 1.0 / log_range) {
    return {position * log_range * std::exp(1.0 - log_range), moves * log_range * std::exp(1.0 - log_range)};
  }
  const double fraction = std::exp(log_range * (position - 1.0));
  return {fraction, moves * log_range * fraction};
}

/// The position at which an equal-percentage valve has that opening; its inverse.
inline double equal_percentage_position(double rangeability_ratio, double opening_fraction) noexcept {
  const double opening = std::clamp(opening_fraction, 0.0, 1.0);
  const double log_range = std::log(rangeability_ratio);
  if (log_range <= 1.0) return opening;
  const double end_of_tangent = std::exp(1.0 - log_range);
  return opening < end_of_tangent ? opening / (log_range * end_of_tangent) : 1.0 + std::log(opening) / log_range;
}

/// A control valve in a branch; without resistance there is none.
struct ControlValve {
  double open_resistance_pa_s2_per_kg2 = 0.0;  ///< fully open
  double rangeability_ratio = 1.0;             ///< 1: linear

  bool operator==(const ControlValve&) const = default;

  ValveOpening opening(double position_fraction) const noexcept {
    return equal_percentage_opening(rangeability_ratio, position_fraction);
  }
};

/// How the flow through a branch follows from the position of its valve at one pressure across both.
struct ValveCurve {
  double rangeability_ratio;
  double authority_fraction;  ///< of the valve, fully open, in the drop of the branch

  double flow_fraction(double position_fraction) const noexcept {
    const double opening = equal_percentage_opening(rangeability_ratio, position_fraction).fraction;
    return opening / std::sqrt(authority_fraction + (1.0 - authority_fraction) * opening * opening);
  }
  /// The inverse of `flow_fraction`.
  double position_fraction(double flow_fraction) const noexcept {
    if (flow_fraction <= 0.0) return 0.0;
    const double square = flow_fraction * flow_fraction;
    const double opening = std::sqrt(authority_fraction * square / (1.0 - (1.0 - authority_fraction) * square));
    return equal_percentage_position(rangeability_ratio, opening);
  }
};

/// How fast a valve moves, with the lag of its actuator: to what its controller wants, or to where it sticks.
inline double valve_rate_per_s(double position_fraction, double requested_fraction, double stuck_fraction,
                               double lag_s) noexcept {
  return ((stuck_fraction < 0.0 ? requested_fraction : stuck_fraction) - position_fraction) / lag_s;
}

/// The valve that has that authority over a branch whose whole resistance, valve fully open, is given.
constexpr ControlValve valve_of_authority(double whole_resistance_pa_s2_per_kg2, double authority_fraction,
                                          double rangeability_ratio) noexcept {
  return {authority_fraction * whole_resistance_pa_s2_per_kg2, rangeability_ratio};
}

}  // namespace wattloop::physics
