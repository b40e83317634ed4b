// Valves and dampers between water and outdoor air: what they let through where fans alone would cool too much.
//
//   share of the heat = share by freeze protection * share by control
//   freeze protection  (T_leaving - T_lowest) / 2 K, from 0 to 1
//   control            opening of an equal-percentage valve at u / a_0
//                      u: output of the controller of the fans, a_0: natural draught over the air at full fan speed
//
// Freeze protection needs no power and no signal: water that comes in warmer than T_lowest never leaves colder. Control follows the
// fans in sequence: they slow down first, and where natural draught alone takes too much heat, a valve or dampers close. Towers: water
// bypasses the fill into the basin; makers ask for a bypass that is open or closed, of which the freeze protection is the mean.
// Dry coolers: dampers throttle the draught through the tubes.
//
// Source: the laws are an [engineering_estimate]; lowest temperature of towers, 43 degF, and bypass into the basin [bac_series_3000],
// [evapco_cold_weather]. Verified in tests/verification/water/freeze_protection.cpp.
#pragma once

#include <algorithm>

#include "physics/fluids/valve.hpp"

namespace wattloop::physics {

inline constexpr double freeze_protection_band_k = 2.0;
inline constexpr double draught_rangeability_ratio =
    50.0;  ///< as of other valves: small heats are held as steadily as large ones

/// How far freeze protection leaves the way to the air open.
inline double freeze_protection_fraction(double leaving_k, double lowest_leaving_k) noexcept {
  return std::clamp((leaving_k - lowest_leaving_k) / freeze_protection_band_k, 0.0, 1.0);
}

/// How far control leaves it open, at an output of the controller of the fans.
inline double draught_control_fraction(double output_fraction, double natural_draught_ratio) noexcept {
  if (output_fraction >= natural_draught_ratio) return 1.0;
  return equal_percentage_opening(draught_rangeability_ratio, output_fraction / natural_draught_ratio).fraction;
}

}  // namespace wattloop::physics
