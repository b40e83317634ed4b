// What holds the differential pressure between the headers of a technology loop: sensor and integral of the controller that
// all pumps of the loop follow. The sensor sees what the racks, in parallel, leave between the headers.
//
//   dp = R m |m|                                       m: flow of one rack
//
// and as in physics/pressure_control.hpp, where sources are. Verified in tests/verification/pressure_control.cpp.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "core/part.hpp"
#include "physics/pressure_control.hpp"

namespace wattloop::physics {

struct LoopPressure {
  static constexpr std::string_view kind = "loop_pressure";
  static constexpr std::string_view doc = "Controller of the differential pressure between the headers of a loop.";
  struct Params {
    PressureControlParams control;
    double rack_resistance_pa_s2_per_kg2;
  };

  using State = PressureControl;
  struct Now {
    double rack_kg_per_s;
    double set_point_pa;
    double highest_speed_fraction;
    State state;
  };
  struct Effect {
    State rate;
  };

  static constexpr auto states() {
    return std::array{
        StateOf<LoopPressure>{&State::sensor_pa, {"pressure_sensor", "Pa", 1e5, 20.0}},
        StateOf<LoopPressure>{&State::integral_fraction, {"pressure_integral", "1", 0.7, 1e-3}},
    };
  }
  static constexpr auto ports() { return std::array{Port<LoopPressure>{"rack_flow", "kg/s", &Now::rack_kg_per_s}}; }
  static constexpr auto settings() {
    return std::array{
        Setting<LoopPressure>{&Now::set_point_pa, "differential_pressure", "Pa"},
        Setting<LoopPressure>{&Now::highest_speed_fraction, "pump_speed", "1"},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double pressure_pa = p.rack_resistance_pa_s2_per_kg2 * now.rack_kg_per_s * std::abs(now.rack_kg_per_s);
    return {.rate = pressure_control_rates(p.control, {now.set_point_pa, now.highest_speed_fraction}, now.state,
                                           pressure_pa)};
  }
};

static_assert(Part<LoopPressure>);

}  // namespace wattloop::physics
