// In-row unit: air of the place where it stands over a coil of liquid, then its fans, which hold the temperature of that air.
//
//   Q, 1/UA, P of physics/air/crah.hpp           crossflow, both unmixed; fans by the cube of their speed, their heat in the air
//   df/dt = (PI(sensor - set-point) - f) / tau_f,  ds/dt = (T_air - s) / tau_s
//
// The place is a room or an aisle, of one temperature: what it gives back stands in the balance of the same air.
//
// Where liquid is colder than the dew point of the air its coil may be wet: physics/air/wet_coil.hpp.
//
// Source: [incropera2011] eq. 11.32 and 11.1; fan laws [asme_ashrae_pumps]; PI [astrom_hagglund2006]. Verified in
// tests/verification/air/in_row_unit.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/air/crah_in_humid_air.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/fluids/pi_controller.hpp"

namespace wattloop::physics {

struct InRowUnit {
  static constexpr std::string_view kind = "in_row_unit";
  static constexpr std::string_view doc = "Unit between racks that cools the air at its place with liquid.";
  struct Params {
    double rated_heat_w = required, conductance_w_per_k = required;
    double design_airflow_kg_per_s = required, design_flow_kg_per_s = required;
    double air_share_fraction = 0.8, air_exponent = 0.5, liquid_exponent = 0.8;
    double fan_power_w = required, volume_m3 = required;
    double lowest_speed_fraction = 0.2, fan_gain_per_k = 0.1, fan_integral_time_s = 120.0;
    double sensor_lag_s = 10.0, fan_lag_s = 5.0, restart_delay_s = 20.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive,
                   "Heat that one unit transfers at its design point; used for checks and for the loading."},
          Field<P>{&P::conductance_w_per_k, "conductance", "W/K", Range::positive,
                   "UA of the coil at the design flows of air and water."},
          Field<P>{&P::design_airflow_kg_per_s, "design_airflow", "kg/s", Range::positive,
                   "Air flow at full fan speed."},
          Field<P>{&P::design_flow_kg_per_s, "design_flow", "kg/s", Range::positive,
                   "Liquid flow while the pumps of its system run at full speed."},
          Field<P>{&P::air_share_fraction, "air_share", "1", Range::fraction,
                   "Share of the air film in the thermal resistance at design flows."},
          Field<P>{&P::air_exponent, "air_exponent", "1", Range::positive_fraction,
                   "Exponent of the air flow in the conductance of the air film."},
          Field<P>{&P::liquid_exponent, "liquid_exponent", "1", Range::positive_fraction,
                   "Exponent of the liquid flow in the conductance of the liquid film."},
          Field<P>{&P::fan_power_w, "fan_power", "W", Range::non_negative,
                   "Power of all its fans at full speed; it follows the cube of the speed."},
          Field<P>{&P::volume_m3, "volume", "m3", Range::positive, "Liquid in the coil."},
          Field<P>{&P::lowest_speed_fraction, "lowest_speed", "1", Range::fraction,
                   "Lowest fan speed that the controller sets."},
          Field<P>{&P::fan_gain_per_k, "fan_gain", "delta_K-1", Range::positive,
                   "Proportional gain: fan speed per kelvin above the set-point."},
          Field<P>{&P::fan_integral_time_s, "fan_integral_time", "s", Range::positive,
                   "Integral time of the fan controller."},
          Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive, "Time constant of the sensor in the air."},
          Field<P>{&P::fan_lag_s, "fan_lag", "s", Range::positive, "Time constant of the fan speed."},
          Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                   "Time from the return of power to the start of its fans."},
      };
    }
    /// As the equations that it shares with air handlers take them.
    constexpr CrahParams crah() const noexcept {
      return {.rated_heat_w = rated_heat_w,
              .design_conductance_w_per_k = conductance_w_per_k,
              .air_design_flow_kg_per_s = design_airflow_kg_per_s,
              .water_design_flow_kg_per_s = design_flow_kg_per_s,
              .air_side_fraction = air_share_fraction,
              .air_flow_exponent_ratio = air_exponent,
              .water_flow_exponent_ratio = liquid_exponent,
              .fan_power_w = fan_power_w,
              .fan_exponent = 3.0,
              .water_volume_m3 = volume_m3};
    }
  };

  struct State {
    double fan_fraction;
    double sensor_k;
    double integral_fraction;
  };
  struct Now {
    Liquid liquid;
    Body air;
    State state;
    Motor motor;
    double leaving_k;
    double dew_point_k;  ///< of the air
    double pressure_pa;
    double set_point_k;
    double filter_fraction;  ///< of the air of a clean one, at the same speed
  };
  struct Effect {
    State rate;
    Heat liquid;
    Heat air;
    Power motor;
    Heat vapour;
  };

  static constexpr UseOfPower use{"in_row_unit", "fans of in-row units", "in-row units"};

  static constexpr auto states() {
    return std::array{
        StateOf<InRowUnit>{&State::fan_fraction, {"speed", "1", 0.0, 1e-4}},
        StateOf<InRowUnit>{&State::sensor_k, {"sensor_temperature", "K", 298.0, 1e-2}},
        StateOf<InRowUnit>{&State::integral_fraction, {"fan_integral", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<InRowUnit>{"liquid", &Now::liquid, &Effect::liquid}.holding(&Params::volume_m3,
                                                                         &Params::design_flow_kg_per_s),
        Port<InRowUnit>{"air", &Now::air, &Effect::air},
        Port<InRowUnit>{"motor", &Now::motor, &Effect::motor}.turning(&State::fan_fraction, use,
                                                                      &Params::restart_delay_s),
        Port<InRowUnit>{"leaving", "K", &Now::leaving_k}.reading_inside("liquid"),
        Port<InRowUnit>{"dew_point", "K", &Now::dew_point_k}.reading_inside("air"),
        Port<InRowUnit>{"pressure", "Pa", &Now::pressure_pa}.reading_inside("air"),
        Port<InRowUnit>{vapour_port, &Effect::vapour},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<InRowUnit>{&Now::set_point_k, "air_temperature", "K", Range::positive,
                                         "Set-point of the air at the place of the unit."},
                      Setting<InRowUnit>{&Now::filter_fraction, "filter.air.passage", "1"}};
  }

  static constexpr PartTable table{"in_row_units", "in_row_unit"};
  static double heat_w(const Instant<InRowUnit>& reading) noexcept {
    const Liquid& liquid = reading.now.liquid;
    return liquid.flow_kg_per_s * liquid.specific_heat_j_per_kg_k * (reading.now.leaving_k - liquid.temperature_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<InRowUnit>&;
    return std::array{
        Column<InRowUnit>{"air_temperature", "K", "air at its place",
                          [](Reading reading) { return reading.now.air.temperature_k; }},
        Column<InRowUnit>{"supply_temperature", "K", "air that it blows out",
                          [](Reading reading) { return unit_of(reading.params, reading.now).unit.supply_k; }},
        Column<InRowUnit>{"return_temperature", "K", "liquid leaving the coil",
                          [](Reading reading) { return reading.now.leaving_k; }},
        Column<InRowUnit>{"flow", "kg/s", "liquid through the coil",
                          [](Reading reading) { return reading.now.liquid.flow_kg_per_s; }},
        Column<InRowUnit>{"airflow", "kg/s", "air through the unit",
                          [](Reading reading) { return unit_of(reading.params, reading.now).unit.air_flow_kg_per_s; }},
        Column<InRowUnit>{"heat", "W", "heat taken up by the liquid", heat_w},
        Column<InRowUnit>{"power", "W", "electric power of the fans", [](Reading reading) { return reading.power_w; }},
        Column<InRowUnit>{"fan_speed", "1", "speed of the fans divided by full speed",
                          [](Reading reading) { return reported_fraction(reading.now.state.fan_fraction); }},
        Column<InRowUnit>{
            "loading", "1",
            "heat divided by the heat that it could move with its set-point met (if it is not met: now), at most its "
            "rated heat",
            [](Reading reading) { return load_w(reading.params, reading.now) / left_w(reading.params, reading.now); }},
        Column<InRowUnit>{"latent_heat", "W", "heat of vapour that condenses on the coil",
                          [](Reading reading) { return latent_w(reading.params, reading.now); }},
        Column<InRowUnit>{"condensate", "kg/s", "water that condenses on the coil",
                          [](Reading reading) { return condensate_kg_per_s(latent_w(reading.params, reading.now)); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<InRowUnit>{"heat", [](const Params& p) { return p.rated_heat_w; },
                                        "heat of the air at its place", &left_w, &load_w}};
  }
  static constexpr Box box{0.30, 1.07, 2.00, BoxPlace::row};
  static constexpr auto limits() {
    constexpr double noticeable_kg_per_s = 1e-6;
    return std::array{Limit<InRowUnit>{"condensate", "kg/s",
                                       [](const Params&) { return endures_all_beyond(noticeable_kg_per_s); },
                                       Beyond::log, Side::above, "water condenses on its coil"}};
  }

  static HumidCrahNow unit_at(const Params& p, const Now& now, double air_k, double fan_fraction) noexcept {
    return crah_in_humid_air(p.crah(), {air_k, 0.0, air_specific_heat_j_per_kg_k}, now.liquid, fan_fraction,
                             {now.dew_point_k, now.pressure_pa}, now.filter_fraction);
  }
  static HumidCrahNow unit_of(const Params& p, const Now& now) noexcept {
    return unit_at(p, now, now.air.temperature_k, now.state.fan_fraction);
  }
  /// Heat out of the air now; nothing where the coil warms it.
  static double load_w(const Params& p, const Now& now) noexcept { return std::max(unit_of(p, now).unit.heat_w, 0.0); }
  /// Heat that it could remove with fans at full speed and its present liquid: at a set-point that is just met, or at the present air
  /// temperature where that is higher.
  static double left_w(const Params& p, const Now& now) noexcept {
    const double air_k = std::max(now.air.temperature_k, now.set_point_k + set_point_tolerance_k);
    return left_of(p.rated_heat_w, unit_at(p, now, air_k, 1.0).unit.heat_w);
  }
  /// It is read often, and is mostly zero.
  static double latent_w(const Params& p, const Now& now) noexcept {
    return now.liquid.temperature_k < now.dew_point_k ? unit_of(p, now).latent_w : 0.0;
  }
  static Effect effect(const Params& p, const Now& now) noexcept {
    const auto& [fan_fraction, sensor_k, integral_fraction] = now.state;
    const double on = is_on(now.motor);
    const PiNow pi = pi_control({p.fan_gain_per_k, p.fan_integral_time_s, p.lowest_speed_fraction, 1.0},
                                sensor_k - now.set_point_k, integral_fraction);
    const HumidCrahNow humid = unit_of(p, now);
    const double fan_w = on * humid.unit.fan_power_w;
    return {
        .rate = {.fan_fraction = (on * pi.output - fan_fraction) / p.fan_lag_s,
                 .sensor_k = (now.air.temperature_k - sensor_k) / p.sensor_lag_s,
                 .integral_fraction = pi.integral_rate_per_s},
        .liquid = {.heat_w = humid.unit.heat_w},
        .air = {.heat_w = fan_w - humid.sensible_w()},
        .motor = {.power_w = fan_w},
        .vapour = {.heat_w = -humid.latent_w},
    };
  }
};

static_assert(Part<InRowUnit>);
static_assert(IsWritable<InRowUnit>);

}  // namespace wattloop::physics
