// Sensor and integral of a PI controller of fans: warmer than the set-point is faster. The fans themselves take the
// controller's output from the same settings.
//
//   ds/dt = (T - s) / tau_s,  dI/dt as in physics/fluids/pi_controller.hpp
//
// Source: [astrom_hagglund2006] ch. 3.5. Verified in tests/verification/integration/small_hall.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/fluids/pi_controller.hpp"

namespace wattloop::physics {

struct FanControl {
  static constexpr std::string_view kind = "fan_control";
  static constexpr std::string_view doc = "Controller of fans that keeps a temperature at its set-point.";
  struct Params {
    PiSettings settings;
    double sensor_lag_s;
  };

  struct State {
    double sensor_k;
    double integral_fraction;
  };
  struct Now {
    double measured_k;
    double set_point_k;
    State state;
  };
  struct Effect {
    State rate;
  };

  static constexpr auto states() {
    return std::array{
        StateOf<FanControl>{&State::sensor_k, {"sensor_temperature", "K", 300.0, 1e-2}},
        StateOf<FanControl>{&State::integral_fraction, {"fan_integral", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<FanControl>{"measured", "K", &Now::measured_k},
        Port<FanControl>{"set_point", "K", &Now::set_point_k},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const PiNow pi = pi_control(p.settings, now.state.sensor_k - now.set_point_k, now.state.integral_fraction);
    return {.rate = {.sensor_k = (now.measured_k - now.state.sensor_k) / p.sensor_lag_s,
                     .integral_fraction = pi.integral_rate_per_s}};
  }
};

static_assert(Part<FanControl>);

}  // namespace wattloop::physics
