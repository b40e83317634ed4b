// What something carries without limit, how long it carries more, and how it recovers: the law behind a limit.
//
//   carried without limit        value <= limit
//   trip time T(value)      exponential   T = T_1 (T_2 / T_1)^((value - v_1) / (v_2 - v_1)), through two points and on;
//                                         through a third in the same way from the second on
//                           inverse       T = m (k / ((value / limit)^a - 1) + b)             [iec_60255_151], [ieee_c37_112]
//                           no law: what is beyond the limit is reported, and carried
//   used share u of it      du/dt = 1 / T(value) above the limit, - 1 / recovery time at it and below, u >= 0; at u = 1 it is used up
//
// T is never shorter than what the switch needs. Any value that follows a limit: a loading, a temperature in K.
// Verified in tests/verification/power/overload.cpp against the formulas by hand, under constant and stepped values.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop {

inline constexpr double for_ever_s = std::numeric_limits<double>::infinity();

/// A value, and how long it is carried.
struct CarriedFor {
  double value;
  double time_s;
};

/// Constants of inverse-time curves: k, a and b.
struct InverseCurve {
  double k_s;
  double exponent;
  double added_s = 0.0;
};

// Those of relays [iec_60255_151].
inline constexpr InverseCurve standard_inverse{0.14, 0.02};
inline constexpr InverseCurve very_inverse{13.5, 1.0};
inline constexpr InverseCurve extremely_inverse{80.0, 2.0};
inline constexpr InverseCurve long_inverse{120.0, 1.0};

struct Endurance {
  enum class Law { none, exponential, inverse };
  Law law = Law::none;
  double limit = std::numeric_limits<double>::infinity();
  double scale_s = 0.0;    ///< exponential: time at `reference`; inverse: multiplier times k
  double reference = 0.0;  ///< of the exponential law
  double steepness = 0.0;  ///< of the exponential law: ln(T_1 / T_2) / (v_2 - v_1); the exponent of the inverse one
  double knee = std::numeric_limits<double>::infinity();  ///< of the exponential law: the second of three points
  double steepness_beyond_knee = 0.0;                     ///< ln(T_2 / T_3) / (v_3 - v_2)
  double added_s = 0.0;                                   ///< of the inverse law: multiplier times b
  double fastest_s = 0.0;                                 ///< what the switch needs
  double recovery_s = 1.0;                                ///< from all used to nothing
};

/// What switches a circuit, and how fast it is rested again.
struct TripTimes {
  double fastest_s;
  double recovery_s;
};

inline Endurance endures_points(double limit, CarriedFor first, CarriedFor second, TripTimes times) noexcept {
  return {.law = Endurance::Law::exponential,
          .limit = limit,
          .scale_s = first.time_s,
          .reference = first.value,
          .steepness = std::log(first.time_s / second.time_s) / (second.value - first.value),
          .fastest_s = times.fastest_s,
          .recovery_s = times.recovery_s};
}

inline Endurance endures_points(double limit, CarriedFor first, CarriedFor second, CarriedFor third,
                                TripTimes times) noexcept {
  Endurance endurance = endures_points(limit, first, second, times);
  endurance.knee = second.value;
  endurance.steepness_beyond_knee = std::log(second.time_s / third.time_s) / (third.value - second.value);
  return endurance;
}

constexpr Endurance endures_inversely(double limit, InverseCurve curve, double multiplier, TripTimes times) noexcept {
  return {.law = Endurance::Law::inverse,
          .limit = limit,
          .scale_s = multiplier * curve.k_s,
          .reference = 0.0,
          .steepness = curve.exponent,
          .added_s = multiplier * curve.added_s,
          .fastest_s = times.fastest_s,
          .recovery_s = times.recovery_s};
}

/// Of what is only reported beyond its limit.
constexpr Endurance endures_all_beyond(double limit) noexcept {
  Endurance endurance;
  endurance.limit = limit;
  return endurance;
}

/// How long that value is carried by what is rested; infinity up to the limit.
inline double trip_time_s(const Endurance& endurance, double value) noexcept {
  if (!(value > endurance.limit)) return for_ever_s;
  switch (endurance.law) {
    case Endurance::Law::exponential: {
      const double below_knee = std::min(value, endurance.knee) - endurance.reference;
      const double beyond_knee = std::max(0.0, value - endurance.knee);
      return std::max(endurance.fastest_s, endurance.scale_s * std::exp(-endurance.steepness * below_knee -
                                                                        endurance.steepness_beyond_knee * beyond_knee));
    }
    case Endurance::Law::inverse:
      return std::max(
          endurance.fastest_s,
          endurance.scale_s / (std::pow(value / endurance.limit, endurance.steepness) - 1.0) + endurance.added_s);
    case Endurance::Law::none:
      break;
  }
  return for_ever_s;
}

/// How fast the used share grows, or falls, 1/s.
inline double used_per_s(const Endurance& endurance, double value) noexcept {
  if (endurance.law == Endurance::Law::none) return 0.0;
  return value > endurance.limit ? 1.0 / trip_time_s(endurance, value) : -1.0 / endurance.recovery_s;
}

/// The used share after `duration_s` more at that value.
inline double used_after(const Endurance& endurance, double used_fraction, double value, double duration_s) noexcept {
  return std::max(0.0, used_fraction + used_per_s(endurance, value) * duration_s);
}

/// How long that value is still carried; infinity where without limit.
inline double time_left_s(const Endurance& endurance, double used_fraction, double value) noexcept {
  const double per_s = used_per_s(endurance, value);
  return per_s > 0.0 ? std::max(0.0, 1.0 - used_fraction) / per_s : for_ever_s;
}

}  // namespace wattloop
