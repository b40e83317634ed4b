// Water-cooled chiller as a fraction of the Carnot machine between its two waters, and without its compressor where
// condenser water is colder than chilled water.
//
//   P = g(x) Q (T_hot - T_cold) / (eta T_cold),  x = Q / Q_able            at full load: Carnot's fraction
//   T_cold = T_chilled,leaving - pinch_e,  T_hot = T_condenser,leaving + pinch_c,  T_hot - T_cold at least a minimum
//   Q_e = Q_m + Q,  Q_m = Q_rated min(k (T_chilled,leaving - T_condenser,in), share), never below 0     by itself
//   Q_c = Q_e + P,  T_condenser,leaving = T_condenser,in + Q_c / (m c)_c             linear in P: solved exactly
//   Q_e = least of: what the set point asks for, rated heat, Q_m and what the motor's rated power and the condenser limit let it lift
//   T_hot <= T_limit:  Q <= ((m c)_c (T_limit - pinch_c - T_condenser,in) - Q_m) COP_l / (1 + COP_l),  COP_l with T_hot = T_limit
//   g(x) = (a + b x + c x^2) / x,  a + b + c = 1;  below the smallest load the machine cycles: g as at that load
//
// g is what part load costs or spares beside Carnot: with fixed speed throttled gas and constant losses weigh more, with variable speed the
// compressor works better at two thirds than at full load. Its two presets are fitted to the curves of catalogue machines.
//
// Q_m is refrigerant that evaporates from the chilled water and flows to the colder condenser by itself, valves open and
// compressor off; machines without these valves have a share of 0. A machine does one or the other at a time: where Q_m is
// less than the demand the two are averages over its cycles. Q_m is never more than leaves the condenser water colder than
// the chilled water.
//
// The condenser limit is what machines of today have before they trip on high pressure: above the temperature that belongs to it they
// unload [trane_cvgf].
//
// A running machine does not go below its smallest load: hot gas passes the condenser by, and the power stays that of the
// smallest load less Q_m. Which machines run is decided outside.
//
// Source: [modelica_buildings] Chillers.Carnot_TEva; Carnot's limit; g: fitted here to every second machine of
// [energyplus_chillers]; migration: [trane_centravac],
// [energyplus_refrigerant_migration] for k = 6 %/K and a share of at most 40 %. Valid for steady compression between 5 and
// 40 degC with pinches that do not change with load and a lift T_hot - T_cold of at least the minimum: below it the power is
// that of the minimum, and an event of the run says so (twin/actions/staging/staging.cpp). Where motor power is the limit T_cold is that of
// the leaving temperature at rated heat: a little too cold. Verified in tests/verification/air/chiller.cpp,
// chiller_part_load.cpp and chiller_migration.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/field.hpp"
#include "core/parts/part_columns.hpp"
#include "core/parts/unit_model.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

/// Power over that of full load at the same waters, as far as Carnot's law does not give it: a + b x + c x^2.
struct PartLoad {
  double constant, linear, quadratic;
};
/// Fitted to medians of every second catalogue machine by the condenser water of its rating: 59 with vanes or slide valves, 19 with a drive.
inline constexpr PartLoad fixed_speed{0.260, 0.504, 0.236}, variable_speed{0.149, 0.230, 0.621};
/// Least load of the fit: below it, and below its smallest load, a machine cycles.
inline constexpr double least_fitted_load = 0.1;

/// A water-cooled chiller.
struct ChillerParams {
  double rated_heat_w = required;
  double rated_power_w = required;
  double carnot_fraction = required;
  double evaporator_pinch_k = 2.0;
  double condenser_pinch_k = 3.0;
  double minimum_lift_k = 10.0;
  double highest_condensing_k = 323.15;
  double minimum_part_load_fraction = 0.15;
  double migration_share_fraction = 0.0;
  double migration_share_per_k = 0.06;
  double chilled_design_flow_kg_per_s = required;
  double condenser_design_flow_kg_per_s = required;
  bool has_variable_speed = false;

  static constexpr auto fields() {
    using P = ChillerParams;
    return std::array{
        Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                 "Highest heat that one chiller takes from the chilled water."},
        Field<P>{&P::rated_power_w, "rated_power", "W", Range::positive,
                 "Highest electric power of the compressor; it limits the heat when the condenser water is hot."},
        Field<P>{&P::carnot_fraction, "carnot_fraction", "1", Range::positive_fraction,
                 "COP at full load over the Carnot COP between the refrigerant temperatures."},
        Field<P>{&P::evaporator_pinch_k, "evaporator_pinch", "delta_K", Range::non_negative,
                 "Temperature of the leaving chilled water minus the evaporating temperature."},
        Field<P>{&P::condenser_pinch_k, "condenser_pinch", "delta_K", Range::non_negative,
                 "Condensing temperature minus the temperature of the leaving condenser water."},
        Field<P>{&P::minimum_lift_k, "minimum_lift", "delta_K", Range::positive,
                 "Minimum lift: smallest difference of the refrigerant temperatures at which the compressor works."},
        Field<P>{&P::highest_condensing_k, "highest_condensing_temperature", "K", Range::positive,
                 "Condensing temperature at the limit of the condenser pressure; above it the chiller unloads."},
        Field<P>{&P::minimum_part_load_fraction, "minimum_part_load", "1", Range::fraction,
                 "Smallest load of the running compressor, divided by the rated heat."},
        Field<P>{&P::migration_share_fraction, "migration_share", "1", Range::fraction,
                 "Refrigerant migration: highest heat that refrigerant transfers while the compressor is off, divided "
                 "by the rated heat; 0: the chiller has no valves for refrigerant migration."},
        Field<P>{&P::migration_share_per_k, "migration_per_kelvin", "delta_K-1", Range::non_negative,
                 "Refrigerant migration: share of the rated heat for each kelvin by which entering condenser water is "
                 "colder than leaving chilled water."},
        Field<P>{&P::chilled_design_flow_kg_per_s, "chilled_design_flow", "kg/s", Range::positive,
                 "Chilled-water flow of one chiller at the design point."},
        Field<P>{&P::condenser_design_flow_kg_per_s, "condenser_design_flow", "kg/s", Range::positive,
                 "Condenser-water flow of one chiller at the design point."},
        Field<P>{&P::has_variable_speed, "variable_speed",
                 "true: a variable-speed drive slows the compressor at part load. false: vanes or a slide valve "
                 "throttle it. The curve of power over load follows from it."},
    };
  }
};

/// What one running machine does now.
struct ChillerNow {
  double evaporator_heat_w;  ///< from the chilled water
  double condenser_heat_w;   ///< to the condenser water
  double power_w;
  double chilled_leaving_k;
  double condenser_leaving_k;
};

/// Refrigerant side of a machine at given waters: all that relates heat and power.
struct ChillerLift {
  double work_temperature_k;  ///< eta T_cold
  double inlet_lift_k;        ///< T_hot - T_cold if the condenser water did not warm up
  double minimum_lift_k;
  double limit_lift_k;            ///< T_limit - T_cold
  double condenser_rate_w_per_k;  ///< (m c)_c, positive
};

/// Heat that `power_w` can lift: the root of Q^2 / M + Q (L + P / M) = P eta T_cold.
inline double chiller_heat_w(const ChillerLift& lift, double power_w) noexcept {
  const double rate = lift.condenser_rate_w_per_k, work = lift.work_temperature_k;
  const double linear = rate * lift.inlet_lift_k + power_w;
  const double root = std::sqrt(linear * linear + 4.0 * power_w * work * rate);
  const double heat_w = linear > 0.0 ? 2.0 * power_w * work * rate / (linear + root) : 0.5 * (root - linear);
  return std::min(heat_w, power_w * work / lift.minimum_lift_k);
}

/// Heat that condenser water can take up to the condenser limit: none where it comes as warm as that.
inline double heat_to_condenser_limit_w(const ChillerLift& lift) noexcept {
  const double warming_k = std::max(lift.limit_lift_k - lift.inlet_lift_k, 0.0);
  const double cop = lift.work_temperature_k / std::max(lift.limit_lift_k, lift.minimum_lift_k);
  return lift.condenser_rate_w_per_k * warming_k * cop / (1.0 + cop);
}

/// g of a load: power over that of Carnot's fraction.
inline double part_load_factor(const ChillerParams& p, double load_fraction) noexcept {
  const PartLoad& of = p.has_variable_speed ? variable_speed : fixed_speed;
  const double load = std::clamp(load_fraction, std::max(p.minimum_part_load_fraction, least_fitted_load), 1.0);
  return of.constant / load + of.linear + of.quadratic * load;
}

/// Power that lifts `heat_w`; for heat up to what `chiller_heat_w` gives for some power.
inline double chiller_power_w(const ChillerLift& lift, double heat_w, double factor) noexcept {
  const double warming_k = heat_w / lift.condenser_rate_w_per_k, as_heat_w = factor * heat_w;
  const double least_w = as_heat_w * lift.minimum_lift_k / lift.work_temperature_k;
  const double lifted_k = lift.work_temperature_k - as_heat_w / lift.condenser_rate_w_per_k;
  return std::max(as_heat_w * (lift.inlet_lift_k + warming_k) / lifted_k, least_w);
}

/// Share of design flow below which flow switches hold the compressor, and from which on it may do all it can; between
/// them a ramp, for the sake of integrators [engineering_estimate].
inline constexpr double blocked_flow_ratio = 0.1, proven_flow_ratio = 0.3;

/// How much of its rating a machine may use at these flows.
inline double proven_share(const ChillerParams& p, double chilled_kg_per_s, double condenser_kg_per_s) noexcept {
  const double flow_ratio = std::min(chilled_kg_per_s / p.chilled_design_flow_kg_per_s,
                                     condenser_kg_per_s / p.condenser_design_flow_kg_per_s);
  return std::clamp((flow_ratio - blocked_flow_ratio) / (proven_flow_ratio - blocked_flow_ratio), 0.0, 1.0);
}

/// Heat that refrigerant moves by itself to condenser water that enters colder by `colder_by_k` than chilled water leaves.
inline double migration_heat_w(const ChillerParams& p, double share, double colder_by_k,
                               double condenser_rate_w_per_k) noexcept {
  const double of_rated = std::min(p.migration_share_per_k * colder_by_k, p.migration_share_fraction);
  return std::max(std::min(share * p.rated_heat_w * of_rated, condenser_rate_w_per_k * colder_by_k), 0.0);
}

/// A running machine that cools to `set_point_k` as far as it can, with that share of its rating. Without water on either side,
/// or with so little that flow switches hold it, it moves no heat and draws no power.
inline ChillerNow chiller_now(const ChillerParams& p, const PortNow& chilled_inlet, const PortNow& condenser_inlet,
                              double set_point_k, double loading_fraction = 1.0) noexcept {
  const double chilled_rate = capacity_rate_w_per_k(chilled_inlet);
  const double condenser_rate = capacity_rate_w_per_k(condenser_inlet);
  ChillerNow now{0.0, 0.0, 0.0, chilled_inlet.temperature_k, condenser_inlet.temperature_k};
  const double share = loading_fraction * proven_share(p, chilled_inlet.flow_kg_per_s, condenser_inlet.flow_kg_per_s);
  if (share <= 0.0) return now;
  const double asked_w =
      std::clamp(chilled_rate * (chilled_inlet.temperature_k - set_point_k), 0.0, share * p.rated_heat_w);
  const double leaving_k = chilled_inlet.temperature_k - asked_w / chilled_rate;
  const double cold_k = leaving_k - p.evaporator_pinch_k;
  const double migrating_w = migration_heat_w(p, share, leaving_k - condenser_inlet.temperature_k, condenser_rate);
  const ChillerLift lift{
      .work_temperature_k = p.carnot_fraction * cold_k,
      .inlet_lift_k = condenser_inlet.temperature_k + migrating_w / condenser_rate + p.condenser_pinch_k - cold_k,
      .minimum_lift_k = p.minimum_lift_k,
      .limit_lift_k = p.highest_condensing_k - cold_k,
      .condenser_rate_w_per_k = condenser_rate,
  };
  const double able_w =
      std::min({p.rated_heat_w, chiller_heat_w(lift, p.rated_power_w), heat_to_condenser_limit_w(lift)});
  const double possible_w = share * able_w;
  const double requested_w = std::max(asked_w, p.minimum_part_load_fraction * share * p.rated_heat_w);
  const double compressed_w = std::clamp(requested_w - migrating_w, 0.0, possible_w);
  now.evaporator_heat_w = std::min(asked_w, migrating_w + possible_w);
  now.power_w = able_w > 0.0 ? chiller_power_w(lift, compressed_w, part_load_factor(p, compressed_w / able_w)) : 0.0;
  now.condenser_heat_w = now.evaporator_heat_w + now.power_w;
  now.chilled_leaving_k = chilled_inlet.temperature_k - now.evaporator_heat_w / chilled_rate;
  now.condenser_leaving_k = condenser_inlet.temperature_k + now.condenser_heat_w / condenser_rate;
  return now;
}

/// What these waters leave of its rating, with chilled water that leaves at the set-point; all of it where it stands without water.
inline double chiller_left_w(const ChillerParams& p, PortNow chilled_inlet, const PortNow& condenser_inlet,
                             double set_point_k) noexcept {
  const double chilled_rate = capacity_rate_w_per_k(chilled_inlet);
  if (proven_share(p, chilled_inlet.flow_kg_per_s, condenser_inlet.flow_kg_per_s) < 1.0) return p.rated_heat_w;
  chilled_inlet.temperature_k = set_point_k + p.rated_heat_w / chilled_rate;
  return std::max(chiller_now(p, chilled_inlet, condenser_inlet, set_point_k).evaporator_heat_w,
                  smallest_left_fraction * p.rated_heat_w);
}

}  // namespace wattloop::physics
