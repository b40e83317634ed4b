// Wet cooling tower cell: York's correlation of the approach, fan, natural draught, water.
//
//   A = sum of 27 terms c L^g r^s t_w^w,  g, s, w = 0..2     approach A = T_leaving - T_wb, range r = T_in - T_leaving
//   r + A(r, t_w, L) = T_in - T_wb                           quadratic in r: solved exactly
//   L = L_0 (m / m_0) / a                                    water over air, 1 at York's reference flows
//   a = fan ratio f from 2 a_0 up, below it a_0 + f^2 / 4 a_0      a_0: natural draught;  all by rho / rho_0
//   P by physics/air/fan_drive.hpp with f^n
//   evaporation = G (W_s(h_in + Q / G) - W_in)               air leaves saturated with the enthalpy that the heat gives it
//   G = G_0 a,  G_0 = m_0 / (L_0 R)                          dry air; R: water over air by mass at York's reference
//
// Source: [modelica_buildings] YorkCalc, fan-off heat there one eighth of nominal, and R = 1.2, the default of its Merkel
// tower for the same design point; also in EnergyPlus as CoolingTower:VariableSpeed, whose default for water is the same
// saturated exit. Valid for wet bulb -34.4 to 26.7 degC, range 1.1 to 22.2 K, approach 1.1 to 40 K, water 0.75 to 1.25 of
// design, L up to 8. Outside: below range 1.1 K the approach goes to 0 with the range, with the same value and slope at
// 1.1 K (a smooth step through inlet = wet bulb); above 22.2 K or 40 K of approach it goes on as a line; the wet bulb in
// the coefficients and L from below are held at the bounds; above L = 8 heat follows the air. Where L is below 0.75 the air
// beyond that passes dry: without water nothing evaporates. What would condense into the basin is not counted, nor is the
// enthalpy of what evaporates before it does, up to 5 % of the heat. Against freezing: physics/water/freeze_protection.hpp. Verified in
// tests/verification/water/cooling_tower.cpp and tower_water.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/air/fan_drive.hpp"
#include "physics/air/psychrometrics.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

/// One cell of a wet cooling tower.
struct CoolingTowerParams {
  double rated_heat_w = required;
  double water_design_flow_kg_per_s = required;
  double liquid_to_air_ratio = 1.0;
  double fan_power_w = required;
  double fan_exponent = 3.0;
  double natural_draught_ratio = 0.157;
  double reference_water_to_air_ratio = 1.2;
  double concentration_cycles_ratio = 4.0;
  double basin_volume_m3 = required;
  double lowest_leaving_k = 279.25;  ///< 43 degF

  static constexpr auto fields() {
    using P = CoolingTowerParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Heat that one cell rejects at its design point; used for checks and for the loading."},
        Field<P>{&P::water_design_flow_kg_per_s, "water_design_flow", "kg/s", Range::positive,
                 "Water flow of one cell at the design point."},
        Field<P>{&P::liquid_to_air_ratio, "liquid_to_air", "1", Range::positive,
                 "Water flow divided by air flow at design flows, relative to the York reference; a larger value means "
                 "a smaller tower."},
        Field<P>{&P::fan_power_w, "fan_power", "W", Range::non_negative, "Electric power of the fan at full speed."},
        Field<P>{&P::fan_exponent, "fan_exponent", "1", Range::positive,
                 "Exponent of the speed in the shaft power of the fan, 3 by the affinity laws; losses of motor and "
                 "drive are added."},
        Field<P>{&P::natural_draught_ratio, "natural_draught", "1", Range::positive_fraction,
                 "Air flow while the fan is off, divided by the design air flow; with 0.157 the cell rejects an eighth "
                 "of its heat at the York design point."},
        Field<P>{&P::reference_water_to_air_ratio, "reference_water_to_air", "1", Range::positive,
                 "Mass flow of water divided by mass flow of dry air at the York reference; the air flow that takes up "
                 "the evaporated water follows from it."},
        Field<P>{&P::concentration_cycles_ratio, "concentration_cycles", "1", Range::positive,
                 "Cycles of concentration: dissolved solids in the basin divided by dissolved solids in the make-up "
                 "water, above 1. The blow-down follows from this value."},
        Field<P>{&P::basin_volume_m3, "basin_volume", "m3", Range::positive, "Water in the basin of one cell."},
        Field<P>{&P::lowest_leaving_k, "lowest_leaving_temperature", "K", Range::positive,
                 "Freeze protection: at this basin temperature all water bypasses the fill; from 2 K above it no water "
                 "bypasses the fill."},
    };
  }
};

/// What one cell does now.
struct CoolingTowerNow {
  double leaving_k;
  double heat_w;  ///< from water to air; negative where the water is colder than the wet bulb
  double fan_power_w;
};

/// Air outside, as a tower takes it in.
struct TowerAir {
  double dry_bulb_k;
  double humidity_ratio;  ///< water per kg of dry air
  double pressure_pa;
};

namespace york {

/// Coefficient of L^g r^s t_w^w at [9 g + 3 s + w]; t_w in degC, r and the approach in K.
inline constexpr std::array<double, 27> coefficients{
    -0.359741205,        -0.055053608,    0.0023850432,     0.173926877,      -0.0248473764,  0.00048430224,
    -0.005589849456,     0.0005770079712, -1.342427256e-05, 2.84765801111111, -0.121765149,   0.0014599242,
    1.680428651,         -0.0166920786,   -0.0007190532,    -0.025485194448,  4.87491696e-05, 2.719234152e-05,
    -0.0653766255555556, -0.002278167,    0.0002500254,     -0.0910565458,    0.00318176316,  3.8621772e-05,
    -0.0034285382352,    8.56589904e-06,  -1.516821552e-06};

inline constexpr double coldest_wet_bulb_k = freezing_k - 34.4, warmest_wet_bulb_k = freezing_k + 26.7;
inline constexpr double smallest_range_k = 1.1, largest_range_k = 22.2, largest_approach_k = 40.0;
inline constexpr double smallest_liquid_to_air = 0.75, largest_liquid_to_air = 8.0;

/// Coefficients of range^0, range^1, range^2 in the approach; no bounds are applied.
inline std::array<double, 3> approach_quadratic(double wet_bulb_k, double liquid_to_air_ratio) noexcept {
  const double wet = wet_bulb_k - freezing_k, ratio = liquid_to_air_ratio;
  std::array<double, 3> of_range{};
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t g = 3; g-- > 0;) {
      const double* c = &coefficients[9 * g + 3 * s];
      of_range[s] = of_range[s] * ratio + c[0] + wet * (c[1] + wet * c[2]);
    }
  }
  return of_range;
}

/// The correlation as published; no bounds are applied.
inline double approach_k(double range_k, double wet_bulb_k, double liquid_to_air_ratio) noexcept {
  const auto [a, b, c] = approach_quadratic(wet_bulb_k, liquid_to_air_ratio);
  return a + range_k * (b + range_k * c);
}

/// The range at which a quadratic approach leaves its bounds upwards: 22.2 K, 40 K of approach, or its peak.
inline double upper_range_k(double a, double b, double c) noexcept {
  const double missing_k = largest_approach_k - a;
  const double square = b * b + 4.0 * c * missing_k;
  const double reaches_k = missing_k <= 0.0 ? smallest_range_k
                           : square > 0.0   ? 2.0 * missing_k / (b + std::sqrt(square))
                                            : largest_range_k;
  const double peak_k = c < 0.0 ? -b / (2.0 * c) : largest_range_k;
  return std::clamp(std::min(reaches_k, peak_k), smallest_range_k, largest_range_k);
}

/// The range for which `of_range` range + approach = `driving_k`, with the continuations of the file's head: 1 with what the inlet is above the
/// wet bulb, 0 with what the outlet is, between where part of the water meets no air. Without end where no range has that approach.
inline double range_of_k(double of_range, double driving_k, double wet_bulb_k, double liquid_to_air_ratio) noexcept {
  const double ratio = std::clamp(liquid_to_air_ratio, smallest_liquid_to_air, largest_liquid_to_air);
  const double wet_k = std::clamp(wet_bulb_k, coldest_wet_bulb_k, warmest_wet_bulb_k);
  const auto [a, b, c] = approach_quadratic(wet_k, ratio);
  const double low = smallest_range_k;
  const double low_approach_k = a + low * (b + low * c), low_slope = b + 2.0 * low * c;
  const auto solve = [](double constant, double linear, double square) {  // the rising root
    return -2.0 * constant / (linear + std::sqrt(std::max(linear * linear - 4.0 * square * constant, 0.0)));
  };
  if (driving_k < of_range * low + low_approach_k) {
    const double linear = 2.0 * low_approach_k / low - low_slope;
    if (driving_k <= 0.0) return driving_k / (of_range + linear);
    return solve(-driving_k, of_range + linear, (low_slope - low_approach_k / low) / low);
  }
  const double high = upper_range_k(a, b, c);
  const double high_approach_k = a + high * (b + high * c);
  const double beyond_k = driving_k - of_range * high - high_approach_k;
  if (beyond_k <= 0.0) return solve(a - driving_k, of_range + b, c);
  return high + beyond_k / std::max(of_range + b + 2.0 * high * c, 0.0);
}

/// The range of water that enters that much above the wet bulb.
inline double range_k(double inlet_above_wet_bulb_k, double wet_bulb_k, double liquid_to_air_ratio) noexcept {
  return range_of_k(1.0, inlet_above_wet_bulb_k, wet_bulb_k, liquid_to_air_ratio);
}

}  // namespace york

/// Speed of the fan over full speed, and the density of what it moves over that at sea level.
struct TowerFan {
  double ratio;
  double density_ratio = 1.0;

  constexpr TowerFan(double ratio_, double density_ratio_ = 1.0) : ratio(ratio_), density_ratio(density_ratio_) {}
};

/// Air through the cell by mass, as a share of design air.
inline double tower_air_ratio(const CoolingTowerParams& p, const TowerFan& turning) noexcept {
  const double draught = p.natural_draught_ratio, fan = std::max(turning.ratio, 0.0);
  return turning.density_ratio * (fan >= 2.0 * draught ? fan : draught + fan * fan / (4.0 * draught));
}

/// Electric power of the fan over that at full speed at sea level.
inline double tower_fan_power_ratio(const CoolingTowerParams& p, const TowerFan& fan) noexcept {
  return fan_power_ratio(fan.ratio, [&](double f) { return fan.density_ratio * std::pow(f, p.fan_exponent); });
}

/// The cell for its share of the water, the wet bulb outside and its fan.
inline CoolingTowerNow cooling_tower_now(const CoolingTowerParams& p, const PortNow& water_inlet, double wet_bulb_k,
                                         const TowerFan& fan) noexcept {
  const double flow_ratio = std::max(water_inlet.flow_kg_per_s, 0.0) / p.water_design_flow_kg_per_s;
  const double liquid_to_air = p.liquid_to_air_ratio * flow_ratio / tower_air_ratio(p, fan);
  const double air_share = std::min(york::largest_liquid_to_air / std::max(liquid_to_air, 1e-9), 1.0);
  const double range_k = air_share * york::range_k(water_inlet.temperature_k - wet_bulb_k, wet_bulb_k, liquid_to_air);
  const double heat_w = capacity_rate_w_per_k(water_inlet) * range_k;
  const double leaving_k = water_inlet.temperature_k - range_k;
  return {
      .leaving_k = leaving_k,
      .heat_w = heat_w,
      .fan_power_w = p.fan_power_w * tower_fan_power_ratio(p, fan),
  };
}

/// Heat that the cell takes out of its water where that leaves at `leaving_k`; it enters as warm as that asks for.
inline double cooling_tower_heat_w(const CoolingTowerParams& p, const PortNow& water_inlet, double leaving_k,
                                   double wet_bulb_k, const TowerFan& fan) noexcept {
  const double flow_ratio = std::max(water_inlet.flow_kg_per_s, 0.0) / p.water_design_flow_kg_per_s;
  const double liquid_to_air = p.liquid_to_air_ratio * flow_ratio / tower_air_ratio(p, fan);
  const double air_share = std::min(york::largest_liquid_to_air / std::max(liquid_to_air, 1e-9), 1.0);
  const double range_k =
      air_share * york::range_of_k(1.0 - air_share, leaving_k - wet_bulb_k, wet_bulb_k, liquid_to_air);
  return capacity_rate_w_per_k(water_inlet) * range_k;
}

/// Dry air through the cell that meets water.
inline double wetted_air_kg_per_s(const CoolingTowerParams& p, double water_kg_per_s, const TowerFan& fan) noexcept {
  const double design_kg_per_s =
      p.water_design_flow_kg_per_s / (p.liquid_to_air_ratio * p.reference_water_to_air_ratio);
  const double most_kg_per_s = water_kg_per_s / (york::smallest_liquid_to_air * p.reference_water_to_air_ratio);
  return std::clamp(most_kg_per_s, 0.0, design_kg_per_s * tower_air_ratio(p, fan));
}

/// Water that the air takes up with `heat_w`; 0 where it would give some back.
inline double evaporation_kg_per_s(const CoolingTowerParams& p, double water_kg_per_s, const TowerFan& fan,
                                   double heat_w, const TowerAir& air) noexcept {
  const double air_kg_per_s = wetted_air_kg_per_s(p, water_kg_per_s, fan);
  if (air_kg_per_s <= 0.0) return 0.0;
  const double leaving_j_per_kg =
      moist_air_enthalpy_j_per_kg(air.dry_bulb_k, air.humidity_ratio) + heat_w / air_kg_per_s;
  const double leaving_ratio = saturated_humidity_ratio_of_enthalpy(leaving_j_per_kg, air.pressure_pa);
  return air_kg_per_s * std::max(leaving_ratio - air.humidity_ratio, 0.0);
}

/// Water that must be added: evaporation plus the blow-down that keeps the basin at its concentration.
inline double make_up_water_kg_per_s(const CoolingTowerParams& p, double evaporation_kg_per_s) noexcept {
  return evaporation_kg_per_s * p.concentration_cycles_ratio / (p.concentration_cycles_ratio - 1.0);
}

/// The `liquid_to_air_ratio` of a cell that reaches a rated approach at a rated range and wet bulb; for
/// building, by bisection between the bounds of the correlation.
inline double liquid_to_air_of_rating(double range_k, double approach_k, double wet_bulb_k) noexcept {
  double low = york::smallest_liquid_to_air, high = york::largest_liquid_to_air;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    const bool is_too_small = york::range_k(range_k + approach_k, wet_bulb_k, middle) > range_k;
    (is_too_small ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace wattloop::physics
