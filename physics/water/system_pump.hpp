// A pump of a water system: its share of the flow is its speed over the number on duty, exact at full speed. The hydraulic
// part of its power ends in the water, the loss where it stands. One that is ordered off draws nothing; its speed is a state,
// so that flows die with the coast-down.
//
// Equations, source and verification: physics/water/water_pump.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct SystemPump {
  static constexpr std::string_view kind = "water_pump";
  static constexpr std::string_view doc = "One of the pumps on duty of a water system.";
  struct Params {
    WaterPumpParams pump;
    double duty;
  };

  struct State {
    double speed_fraction;
  };
  struct Now {
    State state;
    Motor motor;
    LiquidFlow system;  ///< of all pumps together
  };
  struct Effect {
    State rate;
    Power motor;
    Heat system;
    Heat surroundings;
  };

  static constexpr double flow_change_kg_per_s = 0.1;

  static constexpr auto states() {
    return std::array{StateOf<SystemPump>{&State::speed_fraction, {"speed", "1", 0.0, 1e-4}}};
  }
  static constexpr auto ports() {
    return std::array{
        Port<SystemPump>{"motor", &Now::motor, &Effect::motor},
        Port<SystemPump>{"system", &Now::system, &Effect::system, flow_change_kg_per_s},
        Port<SystemPump>{"surroundings", &Effect::surroundings},
    };
  }

  static constexpr PartTable table{"pumps", "pump"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<SystemPump>&;
    return std::array{
        Column<SystemPump>{"speed", "1", "speed divided by rated speed",
                           [](Reading reading) { return reported_fraction(reading.now.state.speed_fraction); }},
        Column<SystemPump>{"flow", "kg/s", "coolant or water through the pump",
                           [](Reading reading) {
                             return reading.now.system.flow_kg_per_s * reading.now.state.speed_fraction /
                                    reading.params.duty;
                           }},
        Column<SystemPump>{"power", "W", "electric power", [](Reading reading) { return reading.power_w; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double speed = now.state.speed_fraction;
    const PumpedHeat heat = pumped_heat(p.pump, is_on(now.motor), speed, now.system.flow_kg_per_s * speed / p.duty);
    return {.rate = {.speed_fraction = speed_rate_per_s(p.pump.start_lag_s, p.pump.coast_down_lag_s, speed,
                                                        now.motor.command_fraction)},
            .motor = {.power_w = heat.electric_w},
            .system = {.heat_w = heat.water_w},
            .surroundings = {.heat_w = heat.loss_w}};
  }
};

static_assert(Part<SystemPump>);

}  // namespace wattloop::physics
