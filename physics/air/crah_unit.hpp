// An air handler: air of its room over a coil of chilled water, then the fan, whose speed is the motor's and follows the
// controller of the unit, as the valve of its water does (physics/air/crah_valve.hpp). Equations and sources: physics/air/crah.hpp, physics/air/wet_coil.hpp where water is colder than the dew point of
// the air. Verified in tests/verification/air/crah.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/air/crah_in_humid_air.hpp"
#include "physics/air/crah_valve.hpp"

namespace wattloop::physics {

struct CrahUnit {
  static constexpr std::string_view kind = "crah";
  static constexpr std::string_view doc = "Air handler with a chilled-water coil and variable-speed fans.";
  static constexpr UseOfPower use{"crah", "air handlers", "air handlers"};
  struct Params {
    CrahParams crah;
    CrahSequence sequence;
    ValveCurve valve;  ///< of its water
    double fan_lag_s;
    double air_specific_heat_j_per_kg_k;
  };

  struct State {
    double fan_fraction;
  };
  struct Now {
    Body air;
    Liquid water;
    State state;
    Motor motor;
    double sensor_k;           ///< of its controller
    double integral_fraction;  ///< of the same
    double set_point_k;
    double valve_fraction;   ///< position, of its water
    double filter_fraction;  ///< of the air of a clean one, at the same speed
    double dew_point_k;      ///< of the air
    double pressure_pa;
  };
  struct Effect {
    State rate;
    Power motor;
    Heat air;
    Heat water;
    Heat vapour;
  };

  static constexpr auto states() {
    return std::array{StateOf<CrahUnit>{&State::fan_fraction, {"speed", "1", 0.0, 1e-4}}};
  }
  static constexpr auto ports() {
    return std::array{
        Port<CrahUnit>{"air", &Now::air, &Effect::air},           Port<CrahUnit>{"water", &Now::water, &Effect::water},
        Port<CrahUnit>{"motor", &Now::motor, &Effect::motor},     Port<CrahUnit>{"sensor", "K", &Now::sensor_k},
        Port<CrahUnit>{"integral", "1", &Now::integral_fraction}, Port<CrahUnit>{"dew_point", "K", &Now::dew_point_k},
        Port<CrahUnit>{"pressure", "Pa", &Now::pressure_pa},      Port<CrahUnit>{vapour_port, &Effect::vapour},
        Port<CrahUnit>{"valve", "1", &Now::valve_fraction},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<CrahUnit>{&Now::set_point_k, "air_temperature", "K"},
                      Setting<CrahUnit>{&Now::filter_fraction, "filter.air.passage", "1"}};
  }

  static constexpr double shut_fraction =
      1e-3;  ///< of the flow: a valve that passes less says nothing of what it would pass
  static constexpr PartTable table{"crahs", "crah"};
  static constexpr Box box{0.90, 2.60, 2.00, BoxPlace::room};  ///< its coil faces the hall
  /// What columns see besides.
  struct Shown {
    double leaving_k;     ///< of the water
    double air_kg_per_s;  ///< through the unit
  };
  static double taken_up_w(const Instant<CrahUnit>& reading) noexcept {
    const Liquid& water = reading.now.water;
    return water.flow_kg_per_s * water.specific_heat_j_per_kg_k * (reading.shown.leaving_k - water.temperature_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<CrahUnit>&;
    return std::array{
        Column<CrahUnit>{"return_temperature", "K", "water leaving the coil",
                         [](Reading reading) { return reading.shown.leaving_k; }},
        Column<CrahUnit>{"fan_speed", "1", "speed of the fans divided by full speed",
                         [](Reading reading) { return reported_fraction(reading.now.state.fan_fraction); }},
        Column<CrahUnit>{"flow", "kg/s", "chilled water through the coil",
                         [](Reading reading) { return reading.now.water.flow_kg_per_s; }},
        Column<CrahUnit>{"valve_position", "1", "position of its water valve",
                         [](Reading reading) { return reported_fraction(reading.now.valve_fraction); }},
        Column<CrahUnit>{"airflow", "kg/s", "air through the unit",
                         [](Reading reading) { return reading.shown.air_kg_per_s; }},
        Column<CrahUnit>{"heat", "W", "heat taken up by the chilled water", taken_up_w},
        Column<CrahUnit>{"power", "W", "electric power of the fans", [](Reading reading) { return reading.power_w; }},
        Column<CrahUnit>{
            "loading", "1",
            "heat divided by the heat that it could move with its set-point met (if it is not met: now), at most its "
            "rated heat",
            [](Reading reading) { return load_w(reading.params, reading.now) / left_w(reading.params, reading.now); }},
        Column<CrahUnit>{"latent_heat", "W", "heat of vapour that condenses on the coil",
                         [](Reading reading) { return latent_w(reading.params, reading.now); }},
        Column<CrahUnit>{"condensate", "kg/s", "water that condenses on the coil",
                         [](Reading reading) { return condensate_kg_per_s(latent_w(reading.params, reading.now)); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<CrahUnit>{"heat", [](const Params& p) { return p.crah.rated_heat_w; },
                                       "its share of the load", &left_w, &load_w}};
  }

  static constexpr auto limits() {
    constexpr double noticeable_kg_per_s = 1e-6;
    return std::array{Limit<CrahUnit>{"condensate", "kg/s",
                                      [](const Params&) { return endures_all_beyond(noticeable_kg_per_s); },
                                      Beyond::log, Side::above, "water condenses on its coil"}};
  }

  static HumidCrahNow unit_at(const Params& p, const Now& now, double air_k, double fan_fraction) noexcept {
    return crah_in_humid_air(p.crah, {air_k, 0.0, p.air_specific_heat_j_per_kg_k}, now.water, fan_fraction,
                             {now.dew_point_k, now.pressure_pa}, now.filter_fraction);
  }
  static HumidCrahNow unit_of(const Params& p, const Now& now) noexcept {
    return unit_at(p, now, now.air.temperature_k, now.state.fan_fraction);
  }
  /// With its valve open, at the same pressure across its water.
  static Now with_open_valve(const Params& p, Now now) noexcept {
    now.water.flow_kg_per_s /= std::max(p.valve.flow_fraction(now.valve_fraction), shut_fraction);
    return now;
  }
  /// Heat out of the air now; nothing where the coil warms it.
  static double load_w(const Params& p, const Now& now) noexcept { return std::max(unit_of(p, now).unit.heat_w, 0.0); }
  /// Heat that it could remove with fans at full speed, an open valve and its present water: at a set-point that is just met, or at the
  /// present air temperature where that is higher.
  static double left_w(const Params& p, const Now& now) noexcept {
    const double air_k = std::max(now.air.temperature_k, now.set_point_k + set_point_tolerance_k);
    return left_of(p.crah.rated_heat_w, unit_at(p, with_open_valve(p, now), air_k, 1.0).unit.heat_w);
  }
  /// Reading often, and mostly nothing.
  static double latent_w(const Params& p, const Now& now) noexcept {
    return now.water.temperature_k < now.dew_point_k ? unit_of(p, now).latent_w : 0.0;
  }
  static Effect effect(const Params& p, const Now& now) noexcept {
    const double fan_fraction = now.state.fan_fraction;
    const double on = is_on(now.motor);
    const PiNow pi = pi_control(p.sequence.pi, now.sensor_k - now.set_point_k, now.integral_fraction);
    const double requested = on * p.sequence.speed_fraction(pi.output);
    const HumidCrahNow humid = unit_of(p, now);
    const double fan_w = on * humid.unit.fan_power_w;
    return {.rate = {.fan_fraction = (requested - fan_fraction) / p.fan_lag_s},
            .motor = {.power_w = fan_w},
            .air = {.heat_w = fan_w - humid.sensible_w()},
            .water = {.heat_w = humid.unit.heat_w},
            .vapour = {.heat_w = -humid.latent_w}};
  }
};

static_assert(Part<CrahUnit>);

}  // namespace wattloop::physics
