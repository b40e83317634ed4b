// A pump of a water system whose flows follow from pressures: on its curve, and no faster than its drive needs to hold the pressure
// of the supply header. One that is ordered off draws nothing; what it may turn at most is a state, so that flows die
// with the coast-down.
//
//   n = min(n_most, speed at which the curve gives dp at m)        where the drive holds the pressure; else n = n_most
//
// The drive is taken as fast: its speed follows flow and pressure at once. The hydraulic part of the power ends in the water, the
// rest where the pump stands.
//
// Equations, source and verification: physics/water/water_pump.hpp; flows: physics/fluids/flow_network.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/limit.hpp"
#include "core/parts/part.hpp"
#include "physics/fluids/flow_branch.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct HeaderPump {
  static constexpr std::string_view kind = "header_pump";
  static constexpr std::string_view doc = "Pump of a water system with its pump curve.";
  struct Params {
    PumpOnCurve on_curve;
    bool holds_pressure;
  };

  struct State {
    double speed_fraction;
  };
  struct Now {
    State state;
    Motor motor;
    LiquidFlow water;  ///< through it
  };
  struct Effect {
    State rate;
    Power motor;
    Heat water;
    Heat surroundings;
  };

  static constexpr double flow_change_kg_per_s = 0.1;

  static constexpr auto states() {
    return std::array{StateOf<HeaderPump>{&State::speed_fraction, {"speed", "1", 0.0, 1e-4}}};
  }
  static constexpr auto ports() {
    return std::array{
        Port<HeaderPump>{"motor", &Now::motor, &Effect::motor},
        Port<HeaderPump>{"water", &Now::water, &Effect::water, flow_change_kg_per_s},
        Port<HeaderPump>{"surroundings", &Effect::surroundings},
    };
  }

  static constexpr PartTable table{"pumps", "pump"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<HeaderPump>&;
    return std::array{
        Column<HeaderPump>{
            "speed", "1", "speed divided by rated speed",
            [](Reading reading) { return reported_fraction(turning_fraction(reading.params, reading.now)); }},
        Column<HeaderPump>{"flow", "kg/s", "coolant or water through the pump",
                           [](Reading reading) { return reading.now.water.flow_kg_per_s; }},
        Column<HeaderPump>{"power", "W", "electric power", [](Reading reading) { return reading.power_w; }},
    };
  }

  static constexpr double end_of_curve_ratio = 1.3;  ///< of rated flow: where the table of the Wilo IL 80/220 ends
  static constexpr auto limits() {
    return std::array{Limit<HeaderPump>{
        "flow", "kg/s",
        [](const Params& p) { return endures_all_beyond(end_of_curve_ratio * p.on_curve.pump.rated_flow_kg_per_s); },
        Beyond::log, Side::above, "beyond the end of its pump curve: the pump would cavitate or overload its motor"}};
  }

  /// Over rated speed.
  static double turning_fraction(const Params& p, const Now& now) noexcept {
    const double most = now.state.speed_fraction;
    if (!p.holds_pressure) return most;
    return std::min(most, p.on_curve.speed_that_holds(now.water.flow_kg_per_s));
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double flow_kg_per_s = now.water.flow_kg_per_s, speed = turning_fraction(p, now);
    const double on = is_on(now.motor);
    const WaterPumpParams& pump = p.on_curve.pump;
    const double electric_w = on * p.on_curve.power_w(speed, flow_kg_per_s);
    const double pressure_pa = p.on_curve.pressure_pa(speed, flow_kg_per_s);
    const double water_w = on * std::max(pressure_pa * flow_kg_per_s / pump.density_kg_per_m3, 0.0);
    return {.rate = {.speed_fraction = speed_rate_per_s(pump.start_lag_s, pump.coast_down_lag_s,
                                                        now.state.speed_fraction, now.motor.command_fraction)},
            .motor = {.power_w = electric_w},
            .water = {.heat_w = water_w},
            .surroundings = {.heat_w = electric_w - water_w}};
  }
};

static_assert(Part<HeaderPump>);

/// Its curve in a network.
constexpr PumpCurve curve_of(const HeaderPump::Params& p) noexcept {
  const auto& [pump, curve] = p.on_curve;
  const double rated = pump.rated_flow_kg_per_s;
  return {.shutoff_pa = pump.pressure_pa * (1.0 + curve.shutoff_rise_ratio),
          .quadratic_pa_s2_per_kg2 = -pump.pressure_pa * curve.shutoff_rise_ratio / (rated * rated),
          .controlled_pa = p.holds_pressure ? pump.pressure_pa : 0.0};
}

}  // namespace wattloop::physics
