// A pump of a technology loop: while its order is above 0 it follows the controller of its loop, up to the order; its
// hydraulic power ends as heat in the coolant, the rest where it stands, or a share of it in the coolant, too. One that is ordered off draws nothing; what its
// rotor still gives while it coasts down is left out, as is its kinetic energy.
//
// Equations and sources: physics/fluids/pump.hpp, physics/water/pressure_control.hpp. Verified in
// tests/verification/water/pump_operating_point.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/fluids/pump.hpp"
#include "physics/water/pressure_control.hpp"

namespace wattloop::physics {

struct CoolantPump {
  static constexpr std::string_view kind = "coolant_pump";
  static constexpr std::string_view doc =
      "Pump of a technology loop with its pump curve, controlled by the differential pressure of the loop.";
  static constexpr UseOfPower use{"cdu_pump", "CDU pumps", "CDU pumps"};
  struct Params {
    PumpParams pump;
    PressureControlParams control;
    double density_kg_per_m3;
  };

  struct State {
    double speed_fraction;
  };
  struct Now {
    State state;
    Motor motor;
    LiquidFlow coolant;
    double set_point_pa;
    double sensor_pa;          ///< of the controller of the loop
    double integral_fraction;  ///< of the same
  };
  struct Effect {
    State rate;
    Power motor;
    Heat coolant;
    Heat room;
  };

  static constexpr auto states() {
    return std::array{StateOf<CoolantPump>{&State::speed_fraction, {"speed", "1", 0.0, 1e-4}}};
  }
  static constexpr auto ports() {
    return std::array{
        Port<CoolantPump>{"motor", &Now::motor, &Effect::motor},
        Port<CoolantPump>{"coolant", &Now::coolant, &Effect::coolant},
        Port<CoolantPump>{"room", &Effect::room},
        Port<CoolantPump>{"set_point", "Pa", &Now::set_point_pa},
        Port<CoolantPump>{"sensor", "Pa", &Now::sensor_pa},
        Port<CoolantPump>{"integral", "1", &Now::integral_fraction},
    };
  }

  static constexpr PartTable table{"pumps", "pump"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<CoolantPump>&;
    return std::array{
        Column<CoolantPump>{"speed", "1", "speed divided by rated speed",
                            [](Reading reading) { return reported_fraction(reading.now.state.speed_fraction); }},
        Column<CoolantPump>{"flow", "kg/s", "coolant or water through the pump",
                            [](Reading reading) { return reading.now.coolant.flow_kg_per_s; }},
        Column<CoolantPump>{"power", "W", "electric power", [](Reading reading) { return reading.power_w; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double speed = now.state.speed_fraction;
    const double flow_m3_per_s = now.coolant.flow_kg_per_s / p.density_kg_per_m3;
    const double on = is_on(now.motor);
    const double power_w = on * pump_power_w(p.pump, speed, flow_m3_per_s);
    const double pressure_pa = pump_pressure_pa(p.pump, speed, flow_m3_per_s);
    const double hydraulic_w = on * std::max(pressure_pa * flow_m3_per_s, 0.0);
    const double to_coolant_w = hydraulic_w + p.pump.loss_to_liquid_fraction * (power_w - hydraulic_w);
    const PressureDemand demand{now.set_point_pa, now.motor.command_fraction};
    const double ordered = on * ordered_speed(p.control, demand, {now.sensor_pa, now.integral_fraction}).output;
    return {.rate = {.speed_fraction = pump_speed_rate_per_s(p.pump, speed, ordered)},
            .motor = {.power_w = power_w},
            .coolant = {.heat_w = to_coolant_w},
            .room = {.heat_w = power_w - to_coolant_w}};
  }
};

static_assert(Part<CoolantPump>);

}  // namespace wattloop::physics
