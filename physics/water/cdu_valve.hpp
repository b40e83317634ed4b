// The valve on the facility side of a coolant distribution unit, led by the temperature of its supply.
//
//   ds/dt = (T_supply - s) / tau_s,  dx/dt = (PI(s - T_set) - x) / tau_v     a warmer supply opens the valve
//   x >= x_min where a smallest flow is given    the position that passes it, at the pressure of the design point
//   stuck at x_s: dx/dt = (x_s - x) / tau_v, and the PI goes on in vain, held by its bounds
//
// Source: equal-percentage valve and its lag [modelica_buildings]; PI [astrom_hagglund2006]. Verified in
// tests/verification/water/cdu_control.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/fault_setting.hpp"
#include "core/parts/part.hpp"
#include "physics/fluids/pi_controller.hpp"
#include "physics/water/cdu.hpp"

namespace wattloop::physics {

struct CduValve {
  static constexpr std::string_view kind = "cdu_valve";
  static constexpr std::string_view doc = "Valve on the facility side of a CDU, controlled by its supply temperature.";
  using Params = CduParams;

  struct State {
    double sensor_k;
    double integral_fraction;  ///< of the PI, in valve positions
    double valve_fraction;     ///< position
  };
  struct Now {
    double supply_k;
    double set_point_k;
    State state;
    double stuck_fraction;  ///< position where it sticks, or `moves_freely`
  };
  struct Effect {
    State rate;
  };

  static constexpr auto states() {
    return std::array{
        StateOf<CduValve>{&State::sensor_k, {"sensor_temperature", "K", 305.0, 1e-2}},
        StateOf<CduValve>{&State::integral_fraction, {"valve_integral", "1", 0.5, 1e-3}},
        StateOf<CduValve>{&State::valve_fraction, {"valve_position", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() { return std::array{Port<CduValve>{"supply", "K", &Now::supply_k}}; }
  static constexpr auto settings() {
    return std::array{Setting<CduValve>{&Now::set_point_k, "supply_temperature", "K"},
                      Setting<CduValve>{&Now::stuck_fraction, "valve.stuck_at", "1"}};
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const auto& [sensor_k, integral_fraction, valve_fraction] = now.state;
    const PiNow pi =
        pi_control({p.valve_gain_per_k, p.valve_integral_time_s, valve_position_fraction(p, p.smallest_flow_fraction)},
                   sensor_k - now.set_point_k, integral_fraction);
    return {.rate = {.sensor_k = (now.supply_k - sensor_k) / p.sensor_lag_s,
                     .integral_fraction = pi.integral_rate_per_s,
                     .valve_fraction = valve_rate_per_s(valve_fraction, pi.output, now.stuck_fraction, p.valve_lag_s)}};
  }
};

static_assert(Part<CduValve>);

}  // namespace wattloop::physics
