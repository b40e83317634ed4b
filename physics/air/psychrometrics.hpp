// Moist air: saturation pressure, humidity ratio, enthalpy, dew point and wet bulb. Humidity is always
// against liquid water, below freezing too, as weather stations report it and as the film of a cooling tower
// sees it.
//
//   ln p_ws = a/T + b + c T + d T^2 + e T^3 + f ln T        W = 0.621945 p_w / (p - p_w)
//   h = 1006 t + W (2501000 + 1860 t)                       per kg of dry air, t in degC
//   W = ((2501 - 2.326 t*) W_s(t*) - 1.006 (t - t*)) / (2501 + 1.86 t - 4.186 t*)      defines the wet bulb
//   t*
//
// Source: [ashrae_fundamentals2017] ch. 1 eq. 6, 20, 30, 33; humidity against liquid water: [wmo_guide8].
// Valid for -40 to 90 degC; the fit of the saturation pressure is extrapolated below 0 degC. Both searches
// are Newton iterations that approach from one side and end below 1e-9 K. Verified in
// tests/verification/air/psychrometrics.cpp.
#pragma once

#include <algorithm>
#include <cmath>

namespace wattloop::physics {

inline constexpr double freezing_k = 273.15;
inline constexpr double water_to_air_mass_ratio = 0.621945;
inline constexpr double evaporation_heat_j_per_kg = 2.501e6;  ///< of water at 0 degC

/// Heat of evaporation of water, linear over temperature.
inline double latent_heat_j_per_kg(double temperature_k) noexcept {
  return evaporation_heat_j_per_kg - 2381.0 * (temperature_k - freezing_k);
}

/// Air by what a weather station reports.
struct MoistAir {
  double dry_bulb_k;
  double relative_humidity_fraction;
  double pressure_pa;
};

/// Pressure of water vapour above liquid water.
inline double saturation_pressure_pa(double temperature_k) noexcept {
  const double t = temperature_k;
  return std::exp(-5.8002206e3 / t + 1.3914993 + t * (-4.8640239e-2 + t * (4.1764768e-5 - t * 1.4452093e-8)) +
                  6.5459673 * std::log(t));
}

/// d(ln p_ws)/dT.
inline double saturation_log_slope_per_k(double temperature_k) noexcept {
  const double t = temperature_k;
  return 5.8002206e3 / (t * t) - 4.8640239e-2 + t * (8.3529536e-5 - t * 4.3356279e-8) + 6.5459673 / t;
}

/// Water per kg of dry air at a vapour pressure below the total pressure.
inline double humidity_ratio_of_vapour(double vapour_pressure_pa, double pressure_pa) noexcept {
  return water_to_air_mass_ratio * vapour_pressure_pa / (pressure_pa - vapour_pressure_pa);
}

/// Water per kg of dry air.
inline double humidity_ratio(const MoistAir& air) noexcept {
  return humidity_ratio_of_vapour(air.relative_humidity_fraction * saturation_pressure_pa(air.dry_bulb_k),
                                  air.pressure_pa);
}

/// Enthalpy per kg of dry air, 0 for dry air at 0 degC.
inline double moist_air_enthalpy_j_per_kg(double dry_bulb_k, double humidity_ratio) noexcept {
  const double t = dry_bulb_k - freezing_k;
  return 1006.0 * t + humidity_ratio * (evaporation_heat_j_per_kg + 1860.0 * t);
}

/// Temperature at which the vapour of the air condenses. Humidity below 0.1 % counts as 0.1 %.
inline double dew_point_k(const MoistAir& air) noexcept {
  const double log_vapour_pa =
      std::log(std::max(air.relative_humidity_fraction, 1e-3)) + std::log(saturation_pressure_pa(air.dry_bulb_k));
  double t = air.dry_bulb_k;
  for (int step = 0; step < 30; ++step) {  // over 1/T the logarithm is nearly a line
    const double excess = std::log(saturation_pressure_pa(t)) - log_vapour_pa;
    const double next = 1.0 / (1.0 / t + excess / (t * t * saturation_log_slope_per_k(t)));
    const double moved_k = std::abs(next - t);
    t = next;
    if (moved_k < 1e-9) break;
  }
  return t;
}

/// Relative humidity of air with the given dew point, at most 1.
inline double relative_humidity_fraction(double dry_bulb_k, double dew_point_k) noexcept {
  return std::min(saturation_pressure_pa(dew_point_k) / saturation_pressure_pa(dry_bulb_k), 1.0);
}

/// Humidity ratio of air whose wet bulb is known; negative where the pair cannot be.
inline double humidity_ratio_at_wet_bulb(double dry_bulb_k, double wet_bulb_k, double pressure_pa) noexcept {
  const double t = dry_bulb_k - freezing_k, wet = wet_bulb_k - freezing_k;
  const double saturated = humidity_ratio_of_vapour(saturation_pressure_pa(wet_bulb_k), pressure_pa);
  return ((2501.0 - 2.326 * wet) * saturated - 1.006 * (t - wet)) / (2501.0 + 1.86 * t - 4.186 * wet);
}

/// Water per kg of dry air in saturated air of the given enthalpy, which is held at -60 and 900 kJ/kg. Two steps of Newton
/// from a fit of the temperature over log(h + 60 kJ/kg), good to 3 K at sea level, leave 0.002 K there and 0.06 K at 75 kPa
/// from -40 to 60 degC; of that the ratio feels a third, because the enthalpy is kept.
inline double saturated_humidity_ratio_of_enthalpy(double enthalpy_j_per_kg, double pressure_pa) noexcept {
  const double enthalpy = std::clamp(enthalpy_j_per_kg, -60e3, 900e3);
  const double x = std::log(std::max(enthalpy + 60e3, 1e3)) - 11.0;
  double t = -5.59 + x * (36.5 + x * (0.486 - 1.46 * x));
  for (int step = 0; step < 2; ++step) {
    const double vapour_pa = std::min(saturation_pressure_pa(freezing_k + t), 0.9 * pressure_pa);
    const double water = humidity_ratio_of_vapour(vapour_pa, pressure_pa);
    const double vapour_heat = evaporation_heat_j_per_kg + 1860.0 * t;
    const double slope = water * saturation_log_slope_per_k(freezing_k + t) * pressure_pa / (pressure_pa - vapour_pa);
    t -= (1006.0 * t + water * vapour_heat - enthalpy) / (1006.0 + 1860.0 * water + slope * vapour_heat);
  }
  return (enthalpy - 1006.0 * t) / (evaporation_heat_j_per_kg + 1860.0 * t);
}

/// Temperature that a wet thermometer takes in moving air; never above the dry bulb.
inline double wet_bulb_k(const MoistAir& air) noexcept {
  const double t = air.dry_bulb_k - freezing_k, water = humidity_ratio(air);
  double wet_k = air.dry_bulb_k;
  for (int step = 0; step < 30; ++step) {  // the residual rises and is convex: from above, never past the root
    const double wet = wet_k - freezing_k;
    const double vapour_pa = saturation_pressure_pa(wet_k);
    const double saturated = humidity_ratio_of_vapour(vapour_pa, air.pressure_pa);
    const double slope =
        saturated * saturation_log_slope_per_k(wet_k) * air.pressure_pa / (air.pressure_pa - vapour_pa);
    const double residual =
        (2501.0 - 2.326 * wet) * saturated - 1.006 * (t - wet) - water * (2501.0 + 1.86 * t - 4.186 * wet);
    const double step_k = residual / ((2501.0 - 2.326 * wet) * slope - 2.326 * saturated + 1.006 + 4.186 * water);
    wet_k -= step_k;
    if (std::abs(step_k) < 1e-9) break;
  }
  return std::min(wet_k, air.dry_bulb_k);
}

}  // namespace wattloop::physics
