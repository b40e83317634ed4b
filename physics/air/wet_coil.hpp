// A coil of cold liquid in humid air: sensible heat, and heat of what condenses on it. Where the liquid is no colder than the dew point
// nothing condenses, and equations of the dry coil hold; below
//
//   h = c t + r W                                    enthalpy of air of the specific heat that its room counts, r of vapour
//   wet   Q = eps(NTU*, C*) min(m_a, m_w c_w / c_s) (h_in - h_s(T_w,in)),  1/UA* = c R_a + c_f R_w        R: of the films
//         c_s = (h_s(T_w,out) - h_s(T_w,in)) / (T_w,out - T_w,in)      of saturated air, as a specific heat, along the liquid
//         c_f = (h_s(T_m + Q R_w) - h_s(T_m)) / (Q R_w)                the same from the liquid, in its middle, to the surface
//         h_s(T_s) = h_in - (Q / m_a) / (1 - e^-N),  N = 1 / (m_a c R_a)                one surface that does the same
//         sensible m_a c (T_in - T_s) (1 - e^-N), latent m_a r (W_in - W_s(T_s)) (1 - e^-N)
//   dry   Q of the dry coil, all of it sensible
//   both  w wet + (1 - w) dry,  w = 1 / (1 + (1 + e^(2 cot x)) / (1 + e^(2 tan x))),  x = pi/2 (T_dew - T_so) / (T_si - T_so)
//
// T_so is the surface where air leaves the dry coil, T_si where it enters the wet one: with the dew point at the first condensation
// begins, at the second nothing is dry any more. Lewis number 1; r is that of 0 degC: what vapour brings above it, 1.86 kJ/(kg K) to the
// temperature of the room, and what condensate takes along, 4.19 kJ/(kg K) to that of the coil, cancel within 1 % of it.
//
// Source: wet coil [braun1988, mitchell_braun2012], who have c_s in both places, which overstates very humid coils by up to 12 %;
// weights [modelica_buildings]. Valid from 0.5 to 3 transfer units of the air. Beside a coil of many cells with the same films the
// total is within 2.5 % where all is wet. Where a part is, the weights overstate what stays dry: the total is 3 % too low in the mean,
// 16 % at worst (many transfer units, little liquid), sensible heat within 6 % of the total. Verified in
// tests/verification/air/wet_coil.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "core/parts/unit_model.hpp"
#include "physics/air/psychrometrics.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

/// Humidity of the air of a room.
struct Humidity {
  double dew_point_k;
  double pressure_pa;
};
/// Of air that no coil dries.
inline constexpr Humidity no_humidity{0.0, 101325.0};
/// The port of a part through which the heat of vapour comes that condenses on it: assembly joins it to the meter of its room.
inline constexpr std::string_view vapour_port = "vapour";
inline constexpr double noticeable_condensate_kg = 1e-3;  ///< from here on it is reported

/// Resistances of the two films of a coil at its flows.
struct CoilFilms {
  double air_k_per_w;
  double liquid_k_per_w;
};

/// From the share of the air in the resistance at design flows, and both films over what they are there.
inline CoilFilms coil_films(double design_w_per_k, double air_share_fraction, double air_film_ratio,
                            double liquid_film_ratio) noexcept {
  return {air_share_fraction / (design_w_per_k * air_film_ratio),
          (1.0 - air_share_fraction) / (design_w_per_k * liquid_film_ratio)};
}

/// Into the liquid: what the air gives as it cools, and what its vapour gives as it condenses.
struct CoilHeat {
  double sensible_w;
  double latent_w;

  double total_w() const noexcept { return sensible_w + latent_w; }
};

/// Water that condenses.
inline double condensate_kg_per_s(double latent_w) noexcept { return latent_w / evaporation_heat_j_per_kg; }

/// What a coil sees.
struct WetCoil {
  PortNow air, liquid;  ///< where they enter
  Humidity humidity;
  CoilFilms films;
  FlowArrangement arrangement;

  /// Water per kg of saturated air; bounded where water would boil.
  double saturated_ratio(double temperature_k) const noexcept {
    return humidity_ratio_of_vapour(std::min(saturation_pressure_pa(temperature_k), 0.9 * humidity.pressure_pa),
                                    humidity.pressure_pa);
  }
  double saturated_j_per_kg(double temperature_k) const noexcept {
    return air.specific_heat_j_per_kg_k * temperature_k + evaporation_heat_j_per_kg * saturated_ratio(temperature_k);
  }
  double liquid_rate_w_per_k() const noexcept { return capacity_rate_w_per_k(liquid); }

  /// Slope of the enthalpy of saturated air between two temperatures.
  double saturated_j_per_kg_k(double from_k, double to_k) const noexcept {
    return (saturated_j_per_kg(to_k) - saturated_j_per_kg(from_k)) / (to_k - from_k);
  }

  /// Total heat of the wet coil if its liquid left at that temperature.
  double wet_w(double leaving_k, double air_j_per_kg) const noexcept {
    constexpr double smallest_k = 1e-6;
    const double entering_k = liquid.temperature_k, rate = liquid_rate_w_per_k();
    const double middle_k = 0.5 * (entering_k + leaving_k);
    const double film_k = std::max(rate * (leaving_k - entering_k) * films.liquid_k_per_w, smallest_k);
    const double along = saturated_j_per_kg_k(entering_k, leaving_k);
    const double across = saturated_j_per_kg_k(middle_k, middle_k + film_k);
    const double kg_per_s = 1.0 / (air.specific_heat_j_per_kg_k * films.air_k_per_w + across * films.liquid_k_per_w);
    return exchanged_w_per_k(air.flow_kg_per_s, rate / along, kg_per_s, arrangement) *
           (air_j_per_kg - saturated_j_per_kg(entering_k));
  }

  /// Where the liquid of the wet coil leaves. The warmer it is taken to leave, the less it takes up: one root, between the
  /// temperatures of both inlets, by false position with the weights of Illinois.
  double wet_leaving_k(double air_j_per_kg) const noexcept {
    const auto excess_k = [&](double leaving_k) {
      return liquid.temperature_k + wet_w(leaving_k, air_j_per_kg) / liquid_rate_w_per_k() - leaving_k;
    };
    constexpr double smallest_rise_k = 1e-6, precise_k = 1e-10;
    double low_k = liquid.temperature_k + smallest_rise_k, high_k = air.temperature_k;
    double low = excess_k(low_k), high = excess_k(high_k);
    if (low <= 0.0) return low_k;
    if (high >= 0.0) return high_k;
    double root_k = high_k;
    for (int step = 0, side = 0; step < 60; ++step) {
      const double next_k = (low * high_k - high * low_k) / (low - high);
      const double moved_k = std::abs(next_k - root_k);
      root_k = next_k;
      if (moved_k < precise_k) break;
      const double excess = excess_k(root_k);
      if (excess > 0.0) {
        low_k = root_k;
        low = excess;
        if (std::exchange(side, 1) == 1) high *= 0.5;
      } else {
        high_k = root_k;
        high = excess;
        if (std::exchange(side, -1) == -1) low *= 0.5;
      }
    }
    return root_k;
  }

  /// Temperature of saturated air of that enthalpy: Newton from above, where the curve is convex.
  double saturated_k(double j_per_kg) const noexcept {
    double t = air.temperature_k;
    for (int step = 0; step < 30; ++step) {
      const double vapour_pa = std::min(saturation_pressure_pa(t), 0.9 * humidity.pressure_pa);
      const double slope = saturated_ratio(t) * saturation_log_slope_per_k(t) * humidity.pressure_pa /
                           (humidity.pressure_pa - vapour_pa);
      const double step_k =
          (saturated_j_per_kg(t) - j_per_kg) / (air.specific_heat_j_per_kg_k + evaporation_heat_j_per_kg * slope);
      t -= step_k;
      if (std::abs(step_k) < 1e-10) break;
    }
    return std::max(t, liquid.temperature_k);
  }

  /// Between air and liquid of those temperatures, while nothing condenses.
  double surface_k(double air_k, double liquid_k) const noexcept {
    return (air_k * films.liquid_k_per_w + liquid_k * films.air_k_per_w) / (films.air_k_per_w + films.liquid_k_per_w);
  }

  /// Weight of the wet coil where the dew point is so far above the coldest surface of the dry coil, and so the warmest of the wet one.
  static double share_of_wet(double dew_above_k, double warmest_above_k) noexcept {
    if (dew_above_k >= warmest_above_k) return 1.0;
    const double tangent = std::tan(0.5 * std::numbers::pi * dew_above_k / warmest_above_k);
    return 1.0 / (1.0 + (1.0 + std::exp(2.0 / tangent)) / (1.0 + std::exp(2.0 * tangent)));
  }

  /// What it does; `dry_w`, what it would if nothing condensed, must be positive.
  CoilHeat heat(double dry_w) const noexcept {
    const double air_rate = capacity_rate_w_per_k(air), dew_k = std::min(humidity.dew_point_k, air.temperature_k);
    const double dry_surface_k = surface_k(air.temperature_k - dry_w / air_rate, liquid.temperature_k);
    if (dry_surface_k >= dew_k) return {dry_w, 0.0};
    const double ratio = saturated_ratio(dew_k);
    const double air_j_per_kg = air.specific_heat_j_per_kg_k * air.temperature_k + evaporation_heat_j_per_kg * ratio;
    const double leaving_k = wet_leaving_k(air_j_per_kg);
    // Of little air much liquid takes up less than the smallest rise that is looked for.
    const double wet_total_w =
        std::min((leaving_k - liquid.temperature_k) * liquid_rate_w_per_k(), wet_w(leaving_k, air_j_per_kg));
    const double reached = -std::expm1(-1.0 / (air_rate * films.air_k_per_w));
    const double at_surface_k = saturated_k(air_j_per_kg - wet_total_w / (air.flow_kg_per_s * reached));
    const double latent_w = std::max(
        air.flow_kg_per_s * evaporation_heat_j_per_kg * (ratio - saturated_ratio(at_surface_k)) * reached, 0.0);
    const double wet_share =
        share_of_wet(dew_k - dry_surface_k, surface_k(air.temperature_k, leaving_k) - dry_surface_k);
    return {dry_w + wet_share * (wet_total_w - latent_w - dry_w), wet_share * latent_w};
  }
};

/// Whether a coil that would give `dry_w` if nothing condensed is worth a closer look.
inline bool may_condense(double dry_w, const PortNow& liquid, const Humidity& humidity) noexcept {
  return liquid.temperature_k < humidity.dew_point_k && dry_w > 0.0;
}

}  // namespace wattloop::physics
