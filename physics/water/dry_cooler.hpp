// Dry cooler: liquid in finned tubes, moved by a pump of its own; outdoor air drawn over them by fans of variable speed, which hold
// the set-point of its system in the liquid that leaves.
//
//   Q = eps C_min (T_in - T_dry),   1/UA = (1/UA_0) (s (m/m_0)^-n_l + (1 - s) a^-n_a),   a = rho / rho_0 max(fan speed, natural draught)
//   P by physics/air/fan_drive.hpp,   df/dt = (PI(sensor - set-point) - f) / tau_f,   ds/dt = (T_out - s) / tau_s
//
// What it can do in the air at present, instead of what its maker rated it for: fans at full speed, liquid that leaves at its set-point, the inlet as warm as that heat makes it.
//
//   Q = w (T_in - T_dry) - Q_pump = C (T_in - T_set)   =>   Q = (w (T_set - T_dry) - Q_pump) / (1 - w / C),   w = eps C_min
//
// Where the draught of the warm tubes alone takes too much, dampers throttle it: physics/water/freeze_protection.hpp. Heat of the fans
// leaves with the air; the pump: physics/water/water_pump.hpp.
//
// Source: [incropera2011] ch. 11 (crossflow, both unmixed); exponents, shares and draught [modelica_buildings]; density of the air
// physics/air/air_density.hpp, by pressure alone. Verified in tests/verification/water/dry_cooler.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/limit.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/air/air_density.hpp"
#include "physics/air/fan_drive.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/fluids/pi_controller.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/water/freeze_protection.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct DryCooler {
  static constexpr std::string_view kind = "dry_cooler";
  static constexpr std::string_view doc = "Liquid cooled by outdoor air in finned tubes.";
  struct Params {
    double rated_heat_w = required, conductance_w_per_k = required, design_flow_kg_per_s = required;
    double design_airflow_kg_per_s = required, fan_power_w = required, volume_m3 = required;
    double liquid_share_fraction = 1.0 / 3.0, liquid_exponent = 0.85, air_exponent = 0.8, draught_fraction = 0.125;
    double fan_gain_per_k = 0.1, fan_integral_time_s = 120.0, sensor_lag_s = 10.0, fan_lag_s = 10.0;
    double restart_delay_s = 20.0;
    double lowest_leaving_k = 283.15;
    double density_kg_per_m3 = pumped_water_kg_per_m3;  ///< of its liquid; follows from its system
    double pump_pressure_pa = required, pump_efficiency_fraction = 0.7, pump_lag_s = 3.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive, "Heat rejected at the design point."},
          Field<P>{&P::conductance_w_per_k, "conductance", "W/K", Range::positive,
                   "UA of the tubes, from liquid to air, at design flows."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Liquid flow of its pump at full speed."},
          Field<P>{&P::design_airflow_kg_per_s, "design_airflow", "kg/s", Range::positive,
                   "Air flow at full fan speed at sea level."},
          Field<P>{&P::fan_power_w, "fan_power", "W", Range::positive,
                   "Power of all its fans at full speed at sea level; it falls with the cube of the speed, and losses "
                   "of drives are added."},
          Field<P>{&P::volume_m3, "volume", "m3", Range::positive, "Volume of liquid in the tubes."},
          Field<P>{&P::liquid_share_fraction, "liquid_share", "1", Range::fraction,
                   "Share of the liquid film in the thermal resistance at design flows."},
          Field<P>{&P::liquid_exponent, "liquid_exponent", "1", Range::positive_fraction,
                   "Exponent of the liquid flow in the conductance of the liquid film."},
          Field<P>{&P::air_exponent, "air_exponent", "1", Range::positive_fraction,
                   "Exponent of the air flow in the conductance of the air film."},
          Field<P>{&P::draught_fraction, "natural_draught", "1", Range::fraction,
                   "Air flow while the fans are off, divided by air flow at full speed."},
          Field<P>{&P::fan_gain_per_k, "fan_gain", "delta_K-1", Range::positive,
                   "Proportional gain: fan speed per kelvin above the set-point."},
          Field<P>{&P::fan_integral_time_s, "fan_integral_time", "s", Range::positive,
                   "Integral time of the fan controller."},
          Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive,
                   "Time constant of the sensor in the leaving liquid."},
          Field<P>{&P::fan_lag_s, "fan_lag", "s", Range::positive, "Time constant of the fan speed."},
          Field<P>{&P::lowest_leaving_k, "lowest_leaving_temperature", "K", Range::positive,
                   "Freeze protection: at this temperature of the leaving liquid the dampers are closed; from 2 K "
                   "above it they are open."},
          Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                   "Time from the return of power to the start of pump and fans."},
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
    double fan_fraction;
    double sensor_k;
    double integral_fraction;
  };
  struct Now {
    Liquid liquid;
    State state;
    WetAir outside;
    Motor motor;
    double leaving_k;
    double set_point_k;
    double fan_failed;  ///< 1: its fans are off, and the pump runs on
  };
  struct Effect {
    State rate;
    Heat liquid;
    Heat outside;
    Power motor;
  };

  static constexpr UseOfPower use{"dry_cooler", "dry coolers", "dry coolers"};

  static constexpr auto states() {
    return std::array{
        StateOf<DryCooler>{&State::pump_fraction, {"speed", "1", 0.0, 1e-4}},
        StateOf<DryCooler>{&State::fan_fraction, {"fan_speed", "1", 0.5, 1e-3}},
        StateOf<DryCooler>{&State::sensor_k, {"sensor_temperature", "K", 305.0, 1e-2}},
        StateOf<DryCooler>{&State::integral_fraction, {"fan_integral", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<DryCooler>{"liquid", &Now::liquid, &Effect::liquid, 0.1}.pumping(&Params::volume_m3,
                                                                              &Params::design_flow_kg_per_s),
        Port<DryCooler>{"outside", &Now::outside, &Effect::outside},
        Port<DryCooler>{"motor", &Now::motor, &Effect::motor}.turning(&State::pump_fraction, use,
                                                                      &Params::restart_delay_s),
        Port<DryCooler>{"leaving", "K", &Now::leaving_k}.reading_inside("liquid"),
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<DryCooler>{&Now::set_point_k, "supply_temperature", "K", Range::positive,
                                         "Set-point of the leaving liquid."}
                          .of_system(),
                      Setting<DryCooler>{&Now::fan_failed, "fan.failed", "1"}};
  }

  static constexpr PartTable table{"dry_coolers", "dry_cooler"};
  static double heat_w(const Instant<DryCooler>& reading) noexcept {
    const Liquid& liquid = reading.now.liquid;
    return liquid.flow_kg_per_s * liquid.specific_heat_j_per_kg_k * (liquid.temperature_k - reading.now.leaving_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<DryCooler>&;
    return std::array{
        Column<DryCooler>{"supply_temperature", "K", "liquid leaving",
                          [](Reading reading) { return reading.now.leaving_k; }},
        Column<DryCooler>{"return_temperature", "K", "liquid entering",
                          [](Reading reading) { return reading.now.liquid.temperature_k; }},
        Column<DryCooler>{"flow", "kg/s", "liquid through the tubes",
                          [](Reading reading) { return reading.now.liquid.flow_kg_per_s; }},
        Column<DryCooler>{"heat", "W", "heat that the liquid gave off in it", heat_w},
        Column<DryCooler>{"power", "W", "electric power of fans and pump",
                          [](Reading reading) { return reading.power_w; }},
        Column<DryCooler>{"fan_speed", "1", "fan speed divided by full speed",
                          [](Reading reading) { return reported_fraction(reading.now.state.fan_fraction); }},
        Column<DryCooler>{
            "loading", "1", "heat divided by the heat that it could reject in the present air, at most its rated heat",
            [](Reading reading) { return std::max(heat_w(reading), 0.0) / left_w(reading.params, reading.now); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{
        Rating<DryCooler>{"heat", [](const Params& p) { return p.rated_heat_w; }, "its share of the heat", &left_w}};
  }
  static constexpr auto limits() {
    return std::array{Limit<DryCooler>{"loading", "1", [](const Params&) { return endures_all_beyond(1.0); },
                                       Beyond::log, Side::above,
                                       "more heat than the air can take with the set-point met"}};
  }
  static constexpr Box box{11.0, 2.4, 2.5, BoxPlace::yard};

  static Params in_liquid(Params p, std::string_view, const LiquidBesideWater& liquid) noexcept {
    const TwoFilms films = with_first_film({p.conductance_w_per_k, p.liquid_share_fraction}, liquid.film_ratio);
    p.conductance_w_per_k = films.conductance_w_per_k;
    p.liquid_share_fraction = films.first_share_fraction;
    p.density_kg_per_m3 *= liquid.density_ratio;
    return p;
  }

  struct Rates {
    double liquid_kg_per_s;
    double liquid_j_per_kg_k;
    double fan_fraction;
    double pressure_pa;  ///< of the air
  };
  static constexpr Rates cached_from(const Now& now) noexcept {
    return {now.liquid.flow_kg_per_s, now.liquid.specific_heat_j_per_kg_k, now.state.fan_fraction,
            now.outside.pressure_pa};
  }
  /// Watts per kelvin between the inlets.
  static double cached(const Params& p, const Rates& by) noexcept {
    const double air_fraction =
        std::max(by.fan_fraction, p.draught_fraction) * density_over_sea_level_ratio(by.pressure_pa);
    const double films = two_film_ratio(film_ratio(by.liquid_kg_per_s, p.design_flow_kg_per_s, p.liquid_exponent),
                                        std::pow(air_fraction, p.air_exponent), p.liquid_share_fraction);
    return exchanged_w_per_k(std::max(by.liquid_kg_per_s, 0.0) * by.liquid_j_per_kg_k,
                             air_fraction * p.design_airflow_kg_per_s * air_specific_heat_j_per_kg_k,
                             p.conductance_w_per_k * films, FlowArrangement::crossflow_unmixed);
  }

  /// Heat, W, that its liquid may bring in the air at present; 0 where that is too warm for the set-point, without end where nothing flows.
  static double most_heat_at_set_point_w(const Params& p, const Now& now) noexcept {
    const double capacity_w_per_k = now.liquid.flow_kg_per_s * now.liquid.specific_heat_j_per_kg_k;
    if (capacity_w_per_k <= 0.0) return std::numeric_limits<double>::infinity();
    const double w_per_k =
        cached(p, {now.liquid.flow_kg_per_s, now.liquid.specific_heat_j_per_kg_k, 1.0, now.outside.pressure_pa});
    const double pump_w = effect(p, now, 0.0).liquid.heat_w;  // all that warms the liquid where the tubes take nothing
    const double k = now.set_point_k - now.outside.dry_bulb_k;
    return std::max((w_per_k * k - pump_w) / (1.0 - w_per_k / capacity_w_per_k), 0.0);
  }
  /// Heat that it could remove in the present air, with a set-point that is just met.
  static double left_w(const Params& p, const Now& seen) noexcept {
    Now now = seen;
    now.set_point_k += set_point_tolerance_k;
    return left_of(p.rated_heat_w, most_heat_at_set_point_w(p, now));
  }

  static Effect effect(const Params& p, const Now& now, double w_per_k) noexcept {
    const auto& [pump_fraction, fan_fraction, sensor_k, integral_fraction] = now.state;
    const double on = is_on(now.motor);
    const PumpedHeat pump = pumped_heat({.rated_flow_kg_per_s = p.design_flow_kg_per_s,
                                         .pressure_pa = p.pump_pressure_pa,
                                         .efficiency_fraction = p.pump_efficiency_fraction,
                                         .density_kg_per_m3 = p.density_kg_per_m3},
                                        on, pump_fraction, now.liquid.flow_kg_per_s);
    const PiNow pi =
        pi_control({p.fan_gain_per_k, p.fan_integral_time_s}, sensor_k - now.set_point_k, integral_fraction);
    const double open = freeze_protection_fraction(now.leaving_k, p.lowest_leaving_k) *
                        draught_control_fraction(pi.output, p.draught_fraction);
    const double heat_w = open * w_per_k * (now.liquid.temperature_k - now.outside.dry_bulb_k);
    const double fan_on = on * (1.0 - now.fan_failed);
    const double fan_w =
        fan_on * p.fan_power_w * fan_power_ratio(fan_fraction, density_over_sea_level_ratio(now.outside.pressure_pa));
    return {
        .rate = {.pump_fraction = (now.motor.command_fraction - pump_fraction) / p.pump_lag_s,
                 .fan_fraction = (fan_on * pi.output - fan_fraction) / p.fan_lag_s,
                 .sensor_k = (now.leaving_k - sensor_k) / p.sensor_lag_s,
                 .integral_fraction = pi.integral_rate_per_s},
        .liquid = {.heat_w = pump.water_w - heat_w},
        .outside = {.heat_w = heat_w + fan_w + pump.loss_w},
        .motor = {.power_w = fan_w + pump.electric_w},
    };
  }
};

static_assert(Part<DryCooler>);
static_assert(IsWritable<DryCooler>);

}  // namespace wattloop::physics
