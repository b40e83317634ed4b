// The valve in the water of an air handler's coil. One controller leads fans and valve in sequence: fans slow down to their lowest speed
// first, then the valve closes.
//
//   u = K e + I, from u_min to 1, e = sensor - set-point       of physics/water/fan_control.hpp
//   fan:   n = max(u, n_min)
//   valve: dx/dt = (clamp(1 - (n_min - u) K_v / K) - x) / tau_v, x_min to 1;  u_min = n_min - (1 - x_min) K / K_v
//
// K: gain of the fans, K_v: of the valve; x_min passes the smallest flow at the pressure of the design point. A coil without a
// valve has x_min = 1.
//
// Source: equal-percentage valve [modelica_buildings]; PI [astrom_hagglund2006]; the sequence is an engineering estimate.
// Verified in tests/verification/air/crah_valve.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/fault_setting.hpp"
#include "core/parts/part.hpp"
#include "physics/fluids/pi_controller.hpp"
#include "physics/fluids/valve.hpp"

namespace wattloop::physics {

/// Fans and valve that one controller leads.
struct CrahSequence {
  PiSettings pi;                 ///< its lowest output: fans at their lowest speed, valve at its smallest opening
  double lowest_speed_fraction;  ///< of the fans
  double output_per_position;    ///< of the valve

  double speed_fraction(double output) const noexcept { return std::max(output, lowest_speed_fraction); }
  double position_fraction(double output) const noexcept {
    return std::min(1.0, 1.0 - (lowest_speed_fraction - output) / output_per_position);
  }
};

/// `fan`: as it would lead the fans alone.
inline CrahSequence crah_sequence(PiSettings fan, double valve_gain_per_k, double lowest_position_fraction) noexcept {
  const double output_per_position = fan.gain / valve_gain_per_k;
  const double lowest_speed_fraction = fan.lowest;
  fan.lowest -= (1.0 - lowest_position_fraction) * output_per_position;
  return {fan, lowest_speed_fraction, output_per_position};
}

struct CrahValve {
  static constexpr std::string_view kind = "crah_valve";
  static constexpr std::string_view doc =
      "Water valve of an air handler's coil, controlled by the air temperature of its room.";
  struct Params {
    CrahSequence sequence;
    double lag_s;
  };

  struct State {
    double valve_fraction;  ///< position
  };
  struct Now {
    double sensor_k;           ///< of its controller
    double integral_fraction;  ///< of the same
    double set_point_k;
    State state;
    double stuck_fraction;  ///< position where it sticks, or `moves_freely`
  };
  struct Effect {
    State rate;
  };

  static constexpr auto states() {
    return std::array{StateOf<CrahValve>{&State::valve_fraction, {"valve_position", "1", 1.0, 1e-3}}};
  }
  static constexpr auto ports() {
    return std::array{Port<CrahValve>{"sensor", "K", &Now::sensor_k},
                      Port<CrahValve>{"integral", "1", &Now::integral_fraction},
                      Port<CrahValve>{"set_point", "K", &Now::set_point_k}};
  }
  static constexpr auto settings() {
    return std::array{Setting<CrahValve>{&Now::stuck_fraction, "valve.stuck_at", "1"}};
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const PiNow pi = pi_control(p.sequence.pi, now.sensor_k - now.set_point_k, now.integral_fraction);
    return {
        .rate = {.valve_fraction = valve_rate_per_s(now.state.valve_fraction, p.sequence.position_fraction(pi.output),
                                                    now.stuck_fraction, p.lag_s)}};
  }
};

static_assert(Part<CrahValve>);

}  // namespace wattloop::physics
