// Freeze protection of water that gives its heat to outdoor air: near a lowest temperature of the water that leaves, a valve or
// dampers close its way to the air. They need no power and no signal.
//
//   share of the heat = (T_leaving - T_lowest) / 2 K, from 0 to 1
//
// Water that comes in warmer than T_lowest never leaves colder. Towers: water bypasses the fill into the basin; makers ask for a
// bypass that is open or closed, of which this is the mean. Dry coolers: dampers stop the draught through the tubes, fans off.
//
// Source: the law is an [engineering_estimate]; lowest temperature of towers, 43 degF, and bypass into the basin [bac_series_3000],
// [evapco_cold_weather]. Verified in tests/verification/freeze_protection.cpp.
#pragma once

#include <algorithm>

namespace wattloop::physics {

inline constexpr double freeze_protection_band_k = 2.0;

/// How far the way to the air is open.
inline double open_to_air_fraction(double leaving_k, double lowest_leaving_k) noexcept {
  return std::clamp((leaving_k - lowest_leaving_k) / freeze_protection_band_k, 0.0, 1.0);
}

}  // namespace wattloop::physics
