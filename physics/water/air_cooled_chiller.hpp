// Air-cooled chiller: water in its evaporator, moved by a pump of its own; its condenser gives the heat to outdoor air. It holds the
// set-point of its system in the water that leaves, as far as it can.
//
//   COP = Q / P = eta T_cold / (T_hot - T_cold),  T_cold = T_leaving - pinch,  T_hot = T_dry + approach,  a least T_hot - T_cold
//   Q = least of: what the set-point asks for, rated heat, what the rated power lifts      times what starting and flow allow
//   P_fan = P_0 (Q + P) / (Q_rated + P_rated)                    fans are staged with the heat, so that the approach stays
//   dl/dt = (order - l) / tau_l                                  l: share of its rating that a started machine may take
//
// Above its highest outdoor temperature it stops, over a kelvin. Its compressors, several of them, are staged with the load, and below the
// smallest load of one it cycles: power in proportion to heat.
//
// Source: the Carnot fraction of physics/water/chiller.hpp; held within 10 % of the map of a machine of
// [energyplus_chillers] for outdoor air of 25 to 45 degC, whose power is in proportion to its load. Valid for a dry condenser without free cooling: in cold air it draws the
// power of its least lift. Verified in tests/verification/air/air_cooled_chiller.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/limit.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/water/chiller.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct AirCooledChiller {
  static constexpr std::string_view kind = "air_cooled_chiller";
  static constexpr std::string_view doc = "Chiller whose condenser gives its heat to outdoor air.";
  struct Params {
    double rated_heat_w = required, rated_power_w = required, carnot_fraction = required;
    double evaporator_pinch_k = 2.0, condenser_approach_k = 10.0, minimum_lift_k = 10.0;
    double fan_power_w = required, highest_outdoor_k = 323.15;
    double design_flow_kg_per_s = required, volume_m3 = required;
    double loading_lag_s = 60.0, restart_delay_s = 120.0;
    double pump_pressure_pa = required, pump_efficiency_fraction = 0.7, pump_lag_s = 3.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                   "Highest heat that the chiller takes from the chilled water."},
          Field<P>{&P::rated_power_w, "rated_power", "W", Range::positive,
                   "Highest electric power of the compressors; it limits the heat when the outdoor air is hot."},
          Field<P>{&P::carnot_fraction, "carnot_fraction", "1", Range::positive_fraction,
                   "COP of the compressors over the Carnot COP between the refrigerant temperatures."},
          Field<P>{&P::evaporator_pinch_k, "evaporator_pinch", "delta_K", Range::non_negative,
                   "Temperature of the leaving chilled water minus the evaporating temperature."},
          Field<P>{&P::condenser_approach_k, "condenser_approach", "delta_K", Range::non_negative,
                   "Condensing temperature minus the temperature of the outdoor air."},
          Field<P>{&P::minimum_lift_k, "minimum_lift", "delta_K", Range::positive,
                   "Minimum lift: smallest difference of the refrigerant temperatures at which the compressors work."},
          Field<P>{
              &P::fan_power_w, "fan_power", "W", Range::non_negative,
              "Power of all its fans at rated heat and rated power; the fans are staged in proportion to the heat."},
          Field<P>{&P::highest_outdoor_k, "highest_outdoor_temperature", "K", Range::positive,
                   "Temperature of the outdoor air above which the chiller stops."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Chilled-water flow of its pump at full speed."},
          Field<P>{&P::volume_m3, "volume", "m3", Range::positive, "Volume of chilled water inside the chiller."},
          Field<P>{&P::loading_lag_s, "loading_lag", "s", Range::positive,
                   "Time constant with which a started chiller takes load."},
          Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                   "Time from the return of power to the start."},
          Field<P>{&P::pump_pressure_pa, "pump_pressure", "Pa", Range::positive,
                   "Pressure rise of its pump at full speed."},
          Field<P>{&P::pump_efficiency_fraction, "pump_efficiency", "1", Range::positive_fraction,
                   "Wire-to-water efficiency of pump, motor and drive."},
          Field<P>{&P::pump_lag_s, "pump_lag", "s", Range::positive, "Time constant of the pump speed."},
      };
    }
  };

  struct State {
    double pump_fraction;
    double loading_fraction;
  };
  struct Now {
    Liquid chilled;
    State state;
    DryAir outside;
    Motor motor;
    double leaving_k;
    double set_point_k;
  };
  struct Effect {
    State rate;
    Heat chilled;
    Heat outside;
    Power motor;
  };

  static constexpr UseOfPower use{"air_cooled_chiller", "air-cooled chillers, with their pumps", "air chillers"};

  static constexpr auto states() {
    return std::array{
        StateOf<AirCooledChiller>{&State::pump_fraction, {"speed", "1", 0.0, 1e-4}},
        StateOf<AirCooledChiller>{&State::loading_fraction, {"loading", "1", 1.0, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<AirCooledChiller>{"chilled", &Now::chilled, &Effect::chilled, 0.1}.pumping(&Params::volume_m3,
                                                                                        &Params::design_flow_kg_per_s),
        Port<AirCooledChiller>{"outside", &Now::outside, &Effect::outside},
        Port<AirCooledChiller>{"motor", &Now::motor, &Effect::motor}.turning(&State::pump_fraction, use,
                                                                             &Params::restart_delay_s),
        Port<AirCooledChiller>{"leaving", "K", &Now::leaving_k}.reading_inside("chilled"),
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<AirCooledChiller>{&Now::set_point_k, "supply_temperature", "K", Range::positive,
                                                "Set-point of the leaving chilled water."}
                          .of_system()};
  }

  static constexpr PartTable table{"air_cooled_chillers", "air_cooled_chiller"};
  static double cop_ratio(const Instant<AirCooledChiller>& reading) noexcept {
    const Machine machine = machine_of(reading.params, reading.now);
    return machine.power_w() > 0.0 ? machine.heat_w / machine.power_w() : std::numeric_limits<double>::quiet_NaN();
  }
  static constexpr auto columns() {
    using Reading = const Instant<AirCooledChiller>&;
    return std::array{
        Column<AirCooledChiller>{"supply_temperature", "K", "chilled water leaving",
                                 [](Reading reading) { return reading.now.leaving_k; }},
        Column<AirCooledChiller>{"return_temperature", "K", "chilled water entering",
                                 [](Reading reading) { return reading.now.chilled.temperature_k; }},
        Column<AirCooledChiller>{"outdoor_temperature", "K", "dry bulb of the air at its condenser",
                                 [](Reading reading) { return reading.now.outside.dry_bulb_k; }},
        Column<AirCooledChiller>{"flow", "kg/s", "chilled water through it",
                                 [](Reading reading) { return reading.now.chilled.flow_kg_per_s; }},
        Column<AirCooledChiller>{"heat", "W", "heat that it takes from the chilled water",
                                 [](Reading reading) { return machine_of(reading.params, reading.now).heat_w; }},
        Column<AirCooledChiller>{"power", "W", "electric power of compressors and fans, without its pump",
                                 [](Reading reading) { return machine_of(reading.params, reading.now).power_w(); }},
        Column<AirCooledChiller>{"pump_power", "W", "electric power of its pump",
                                 [](Reading reading) { return pump_of(reading.params, reading.now).electric_w; }},
        Column<AirCooledChiller>{"cop", "1", "heat divided by power; NaN while it is off", cop_ratio, "heat", "power"},
        Column<AirCooledChiller>{
            "loading", "1", "heat divided by the heat that it could move in the present air, at most its rated heat",
            [](Reading reading) {
              return machine_of(reading.params, reading.now).heat_w / left_w(reading.params, reading.now);
            }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<AirCooledChiller>{"heat", [](const Params& p) { return p.rated_heat_w; },
                                               "its share of the heat", &left_w}};
  }
  static constexpr auto limits() {
    return std::array{Limit<AirCooledChiller>{"outdoor_temperature", "K",
                                              [](const Params& p) { return endures_all_beyond(p.highest_outdoor_k); },
                                              Beyond::log, Side::above, "hotter than the air in which it can run"}};
  }
  static constexpr Box box{9.0, 2.3, 2.5, BoxPlace::yard};

  /// What its compressors and fans do now.
  struct Machine {
    double heat_w;  ///< from the chilled water
    double compressor_w;
    double fan_w;

    constexpr double power_w() const { return compressor_w + fan_w; }
  };
  /// How much of its rating it may use: by its order and loading, the flow through it, the air outside.
  static double allowed_share(const Params& p, const Now& now) noexcept {
    const double flow_ratio = now.chilled.flow_kg_per_s / p.design_flow_kg_per_s;
    const double flows =
        std::clamp((flow_ratio - blocked_flow_ratio) / (proven_flow_ratio - blocked_flow_ratio), 0.0, 1.0);
    constexpr double stops_over_k = 1.0;
    const double is_cool_enough =
        std::clamp((p.highest_outdoor_k + stops_over_k - now.outside.dry_bulb_k) / stops_over_k, 0.0, 1.0);
    return is_on(now.motor) * std::clamp(now.state.loading_fraction, 0.0, 1.0) * flows * is_cool_enough;
  }
  static Machine machine_of(const Params& p, const Now& now) noexcept {
    const double share = allowed_share(p, now);
    const double rate_w_per_k = capacity_rate_w_per_k(now.chilled);
    if (share <= 0.0) return {0.0, 0.0, 0.0};
    const double asked_w =
        std::clamp(rate_w_per_k * (now.chilled.temperature_k - now.set_point_k), 0.0, share * p.rated_heat_w);
    const double cold_k = now.chilled.temperature_k - asked_w / rate_w_per_k - p.evaporator_pinch_k;
    const double lift_k = std::max(now.outside.dry_bulb_k + p.condenser_approach_k - cold_k, p.minimum_lift_k);
    const double cop = p.carnot_fraction * cold_k / lift_k;
    const double heat_w = std::min(asked_w, share * p.rated_power_w * cop);
    const double fans = (heat_w + heat_w / cop) / (p.rated_heat_w + p.rated_power_w);
    return {heat_w, heat_w / cop, p.fan_power_w * fans};
  }
  static PumpedHeat pump_of(const Params& p, const Now& now) noexcept {
    return pumped_heat({.rated_flow_kg_per_s = p.design_flow_kg_per_s,
                        .pressure_pa = p.pump_pressure_pa,
                        .efficiency_fraction = p.pump_efficiency_fraction},
                       is_on(now.motor), now.state.pump_fraction, now.chilled.flow_kg_per_s);
  }

  /// What the air at present leaves of its rating, with chilled water that leaves at the set-point; all of it while it stands.
  static double left_w(const Params& p, const Now& seen) noexcept {
    Now now = seen;
    const double rate_w_per_k = capacity_rate_w_per_k(now.chilled);
    if (now.chilled.flow_kg_per_s < proven_flow_ratio * p.design_flow_kg_per_s || is_on(now.motor) <= 0.0)
      return p.rated_heat_w;
    now.state.loading_fraction = 1.0;
    now.chilled.temperature_k = now.set_point_k + p.rated_heat_w / rate_w_per_k;
    return std::max(machine_of(p, now).heat_w, smallest_left_fraction * p.rated_heat_w);
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const auto& [pump_fraction, loading_fraction] = now.state;
    const Machine machine = machine_of(p, now);
    const PumpedHeat pump = pump_of(p, now);
    return {
        .rate = {.pump_fraction = (now.motor.command_fraction - pump_fraction) / p.pump_lag_s,
                 .loading_fraction = (now.motor.command_fraction - loading_fraction) / p.loading_lag_s},
        .chilled = {.heat_w = pump.water_w - machine.heat_w},
        .outside = {.heat_w = machine.heat_w + machine.power_w() + pump.loss_w},
        .motor = {.power_w = machine.power_w() + pump.electric_w},
    };
  }
};

static_assert(Part<AirCooledChiller>);
static_assert(IsWritable<AirCooledChiller>);

}  // namespace wattloop::physics
