// Inverse-time curves of overcurrent protection, and devices that have them.
//
//   t = m (k / (M^a - 1) + b),   M = I / I_pickup        IEC: b = 0, IEEE: k is called A, a is called p
//
// Above a short-time pickup a device operates after a fixed time, above its instantaneous pickup after the time that it needs to open; a stage for
// earth faults operates after a fixed time above its own. The fastest decides. Source: IEC curves [iec_60255_151], IEEE curves [ieee_c37_112].
// Verified in tests/verification/power/overcurrent_curves.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/parts/endurance.hpp"

namespace wattloop::electrical {

struct OvercurrentCurve {
  std::string_view name;
  InverseCurve inverse;
};

inline constexpr std::array overcurrent_curves{
    OvercurrentCurve{"iec_standard_inverse", standard_inverse},
    OvercurrentCurve{"iec_very_inverse", very_inverse},
    OvercurrentCurve{"iec_extremely_inverse", extremely_inverse},
    OvercurrentCurve{"iec_long_inverse", long_inverse},
    OvercurrentCurve{"ieee_moderately_inverse", {0.0515, 0.02, 0.114}},
    OvercurrentCurve{"ieee_very_inverse", {19.61, 2.0, 0.491}},
    OvercurrentCurve{"ieee_extremely_inverse", {28.2, 2.0, 0.1217}},
};

/// All names, as choices of a parameter.
inline constexpr std::string_view overcurrent_curve_names =
    "iec_standard_inverse|iec_very_inverse|iec_extremely_inverse|iec_long_inverse|"
    "ieee_moderately_inverse|ieee_very_inverse|ieee_extremely_inverse";
static_assert(std::ranges::all_of(overcurrent_curves, [](const OvercurrentCurve& curve) {
  return overcurrent_curve_names.find(curve.name) != std::string_view::npos;
}));

/// Null if no curve has this name.
constexpr const OvercurrentCurve* find_overcurrent_curve(std::string_view name) noexcept {
  const auto found = std::ranges::find(overcurrent_curves, name, &OvercurrentCurve::name);
  return found == overcurrent_curves.end() ? nullptr : &*found;
}

/// `multiple`: current over pickup. Infinity up to the pickup.
inline double operating_time_s(const OvercurrentCurve& curve, double time_multiplier, double multiple) noexcept {
  if (!(multiple > 1.0)) return for_ever_s;
  return time_multiplier *
         (curve.inverse.k_s / (std::pow(multiple, curve.inverse.exponent) - 1.0) + curve.inverse.added_s);
}

/// Operates after a fixed time above a current.
struct DefiniteTime {
  double pickup_a = std::numeric_limits<double>::infinity();
  double time_s = 0.0;
};

struct OvercurrentDevice {
  std::string_view name;
  OvercurrentCurve curve;
  double pickup_a;
  double time_multiplier = 1.0;
  DefiniteTime short_time = {};
  DefiniteTime instantaneous = {};
  DefiniteTime earth = {};  ///< of what flows to earth, where that is asked about
  double fastest_s = 0.0;   ///< that its breaker needs to open
  double selective_ratio =
      0.0;  ///< of pickups, from which it is selective with another that has one, as fuses are; 0: by times alone
};

/// Currents above it are those at which the device operates.
inline double lowest_pickup_a(const OvercurrentDevice& device) noexcept {
  return std::min(device.pickup_a, device.earth.pickup_a);
}

/// Infinity where the device does not operate.
inline double operating_time_s(const OvercurrentDevice& device, double current_a) noexcept {
  double time_s = operating_time_s(device.curve, device.time_multiplier, current_a / device.pickup_a);
  for (const DefiniteTime& stage : {device.short_time, device.instantaneous, device.earth}) {
    if (current_a > stage.pickup_a) time_s = std::min(time_s, stage.time_s);
  }
  return std::max(time_s, device.fastest_s);
}

}  // namespace wattloop::electrical
