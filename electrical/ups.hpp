// A double-conversion UPS module with its battery.
//
//   loss = P_r (a + b L + c L^2),  L = P / P_r
//
// Overload: 125 % for 10 min, 150 % for 1 min, 165 % for 1 s [mge_galaxy_pw]; the time falls exponentially from point to point, and up to
// 110 % is carried without limit (estimate). Beyond that its static bypass takes the load (electrical/ups_bypass.hpp); without one it switches off.
//
// Its rating holds in air of up to 40 degC; above it falls by 2 % for each kelvin, to 80 % at 50 degC, where it switches off
// (estimates: data sheets allow 0 to 40 degC, and 50 degC with less load).
//
// Its loss warms its electronics, and these the air; its batteries follow the air. Both where a heat capacity says so:
//   C_e dT_e/dt = loss - K_e (T_e - T_air),  K_e = rated loss / rise        C_b dT_b/dt = K_b (T_air - T_b),  K_b = C_b / time
//
// Verified in tests/verification/power/equipment_losses.cpp and ups_battery.cpp, overload in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Ups {
  static constexpr std::string_view kind = "ups", noun = "UPS", plural = "UPS";
  static constexpr std::string_view doc = "A double-conversion UPS module.";
  struct Params {
    double rated_w = required;
    double constant_loss_fraction = required;
    double linear_loss_fraction = required;
    double quadratic_loss_fraction = required;
    double battery_time_s = 300.0;
    double recharge_fraction = 0.1;
    double overload_limit_ratio = 1.1;
    double overload_125_s = 600.0;
    double overload_150_s = 60.0;
    double overload_165_s = 1.0;
    double overload_recovery_s = 600.0;
    double bypass_limit_ratio = 1.25;
    double bypass_loss_fraction = 0.005;
    double bypass_return_s = 60.0;
    double rated_air_k = 313.15;
    double derating_per_k = 0.02;
    double shutdown_air_k = 323.15;
    double electronics_j_per_k = 0.0;
    double electronics_rise_k = 25.0;
    double battery_j_per_k = 0.0;
    double battery_warming_s = 18000.0;
    double input_power_factor = 0.99;
    double short_circuit_ratio = 2.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated output power of one module."},
          Field<P>{&P::constant_loss_fraction, "constant_loss", "1", Range::fraction,
                   "No-load loss divided by rated power."},
          Field<P>{&P::linear_loss_fraction, "linear_loss", "1", Range::fraction,
                   "Loss proportional to load, divided by rated power."},
          Field<P>{&P::quadratic_loss_fraction, "quadratic_loss", "1", Range::fraction,
                   "Loss at rated power that follows the square of the load, divided by rated power."},
          Field<P>{&P::battery_time_s, "battery_time", "s", Range::non_negative,
                   "Autonomy: time for which the battery carries rated power."},
          Field<P>{&P::recharge_fraction, "recharge_power", "1", Range::fraction,
                   "Power that recharges an empty battery while the UPS is fed, divided by rated power."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power."},
          Field<P>{&P::overload_125_s, "overload_125_time", "s", Range::positive,
                   "Permitted overload time at 125 % of rated power."},
          Field<P>{&P::overload_150_s, "overload_150_time", "s", Range::positive,
                   "Permitted overload time at 150 % of rated power; between these points the time falls exponentially "
                   "with the load."},
          Field<P>{&P::overload_165_s, "overload_165_time", "s", Range::positive,
                   "Permitted overload time at 165 % of rated power; above this load the time falls at the same rate "
                   "as between 150 and 165 %."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
          Field<P>{&P::bypass_limit_ratio, "bypass_limit", "1", Range::positive,
                   "Power that its static bypass carries continuously, divided by rated power."},
          Field<P>{&P::bypass_loss_fraction, "bypass_loss", "1", Range::fraction,
                   "Loss of its static bypass divided by the power that flows through the bypass."},
          Field<P>{&P::bypass_return_s, "bypass_return_time", "s", Range::positive,
                   "Time from the transfer to the bypass to the first attempt to return, and between attempts."},
          Field<P>{&P::rated_air_k, "rated_air_temperature", "K", Range::positive,
                   "Highest temperature of the surrounding air at which the UPS carries its rated power."},
          Field<P>{&P::derating_per_k, "derating", "delta_K-1", Range::non_negative,
                   "Derating: share of the rated power that is lost for each kelvin above this temperature."},
          Field<P>{&P::shutdown_air_k, "shutdown_air_temperature", "K", Range::positive,
                   "Temperature of the surrounding air at which the UPS switches off."},
          Field<P>{&P::electronics_j_per_k, "electronics_heat_capacity", "J/K", Range::non_negative,
                   "Heat capacity of the electronics of one module; 0: the loss heats the air at once."},
          Field<P>{&P::electronics_rise_k, "electronics_rise", "delta_K", Range::positive,
                   "Temperature difference between its electronics and the air at rated power."},
          Field<P>{&P::battery_j_per_k, "battery_heat_capacity", "J/K", Range::non_negative,
                   "Heat capacity of the battery of one module; 0: it stores no heat."},
          Field<P>{&P::battery_warming_s, "battery_warming_time", "s", Range::positive,
                   "Time constant with which the battery follows the air temperature: heat capacity over conductance."},
          Field<P>{&P::input_power_factor, "input_power_factor", "1", Range::positive_fraction,
                   "Input power factor (estimate); used if voltages are computed."},
          Field<P>{&P::short_circuit_ratio, "short_circuit_current", "1", Range::positive,
                   "Short-circuit current of its inverter divided by rated current (estimate)."},
      };
    }
  };

  struct State {
    double charge_fraction;
  };
  /// Tight, since recharging is metered at the feed: a charge off by 1e-6 is 1e-6 of all energy in the battery.
  static constexpr auto states() {
    return std::array{StateOf<Ups>{&State::charge_fraction, {"state_of_charge", "1", 1.0, 1e-6}}};
  }

  static constexpr std::array charge_columns{
      ReadingColumn{"battery_power", "W", "power from the batteries; negative while they recharge",
                    [](const Reading& reading) { return reading.flow.branch_battery_w[reading.number]; }},
      ReadingColumn{"state_of_charge", "1",
                    "energy in its batteries divided by the energy of full batteries; 0 without batteries",
                    [](const Reading& reading) { return reading.charge_fraction; }},
  };
  static constexpr bool is_of_one_side = true;
  static constexpr auto events = switch_events;
  static constexpr PartTable table = {"ups", "ups"};
  static constexpr Box box{1.20, 7.50, 2.00, BoxPlace::room};  ///< a line of cabinets
  static constexpr auto columns() { return with_more(passage_columns, charge_columns); }
  static constexpr auto ratings() {
    return std::array{Rating<Ups>{"power", [](const Params& p) { return p.rated_w; }, "racks, PDUs, CDU pumps"}};
  }

  static Endurance endurance(const Params& p) noexcept {
    return endures_points(p.overload_limit_ratio, {1.25, p.overload_125_s}, {1.5, p.overload_150_s},
                          {1.65, p.overload_165_s}, {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto relations(const Params& p) noexcept {
    constexpr std::string_view falls =
        "a higher load has a shorter permitted time: lower the first of the two times, or raise the second";
    return std::array{
        Relation{"overload_150_time",
                 p.overload_150_s,
                 "overload_125_time",
                 p.overload_125_s,
                 "s",
                 true,
                 {"overload_150_time", "overload_125_time"},
                 falls},
        Relation{"overload_165_time",
                 p.overload_165_s,
                 "overload_150_time",
                 p.overload_150_s,
                 "s",
                 true,
                 {"overload_165_time", "overload_150_time"},
                 falls},
        Relation{"rated_air_temperature",
                 p.rated_air_k,
                 "shutdown_air_temperature",
                 p.shutdown_air_k,
                 "K",
                 true,
                 {"shutdown_air_temperature", "rated_air_temperature"},
                 "the air temperature at which it switches off must be above its rated air temperature"},
    };
  }
  static constexpr double short_circuit_ratio(const Params& p) noexcept { return p.short_circuit_ratio; }
  static constexpr double input_power_factor(const Params& p) noexcept { return p.input_power_factor; }
  static InAir in_air(const Params& p) noexcept { return {p.rated_air_k, p.derating_per_k, p.shutdown_air_k}; }
  static constexpr auto limits() { return std::array{Limit<Ups>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr LossCurve loss_curve(const Params& p) noexcept {
    return {.constant_w = p.constant_loss_fraction * p.rated_w,
            .linear_ratio = p.linear_loss_fraction,
            .quadratic_per_w = p.quadratic_loss_fraction / p.rated_w};
  }
  /// From the electronics to the air, and between air and batteries.
  static constexpr double electronics_w_per_k(const Params& p) noexcept {
    return loss_w(loss_curve(p), p.rated_w) / p.electronics_rise_k;
  }
  static constexpr double battery_w_per_k(const Params& p) noexcept { return p.battery_j_per_k / p.battery_warming_s; }
  /// It carries rated output, and the loss that goes with it, for the battery time.
  static constexpr Battery battery(const Params& p) noexcept {
    return {.energy_j = (p.rated_w + loss_w(loss_curve(p), p.rated_w)) * p.battery_time_s,
            .charger_w = p.recharge_fraction * p.rated_w};
  }
};

static_assert(PassageKind<Ups>);

}  // namespace wattloop::electrical
