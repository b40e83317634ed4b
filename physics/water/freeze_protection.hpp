// Ways of water to outdoor air that close in the cold: where fans are off and the draught alone takes too much, a valve or dampers hold
// the set-point of the water that leaves; near a lowest temperature, whatever the set-point is, they protect against frost.
//
//   share of the heat = min(set-point, frost), each from 0 to 1
//   set-point   (T_leaving - T_set + 0.5 K) / 0.25 K              open from 0.25 K below the set-point, where fans have stopped
//   frost       (T_leaving - T_lowest) / 2 K                      needs no power and no signal
//
// Water that comes in warmer than T_lowest never leaves colder. Towers: water bypasses the fill into the basin. Dry coolers: dampers stop
// the draught through the tubes (`natural_draught`).
//
// Source: the laws are an [engineering_estimate]: a modulating valve, its band within what counts as a set-point that is met; lowest
// temperature of towers, 43 degF, and bypass into the basin [bac_series_3000], [evapco_cold_weather]. Verified in
// tests/verification/freeze_protection.cpp.
#pragma once

#include <algorithm>

#include "core/part_columns.hpp"

namespace wattloop::physics {

inline constexpr double freeze_protection_band_k = 2.0;

/// What a way to the air keeps the water above.
struct KeptAbove {
  double set_point_k;
  double lowest_k;
};

/// How far the way to the air is open.
inline double open_to_air_fraction(double leaving_k, const KeptAbove& kept) noexcept {
  const double by_set_point = (leaving_k - kept.set_point_k + held_within_k) / (0.5 * held_within_k);
  const double by_frost = (leaving_k - kept.lowest_k) / freeze_protection_band_k;
  return std::clamp(std::min(by_set_point, by_frost), 0.0, 1.0);
}

}  // namespace wattloop::physics
