// Components of the water systems and the air handlers: pumps, tower cells, chillers, CRAHs and their controllers. Thin
// adapters that give the physics functions their signals and sinks, as in twin/plant/components.hpp.
//
// What a motor draws depends on its command: one that is off draws nothing. The speed of what still turns is a state, so
// that flows die with the coast-down.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "physics/chiller.hpp"
#include "physics/cooling_tower.hpp"
#include "physics/crah.hpp"
#include "physics/pi_controller.hpp"
#include "physics/water_pump.hpp"

namespace wattloop::twin {

inline double is_on(double command_fraction) noexcept { return command_fraction > 0.0 ? 1.0 : 0.0; }

/// An air handler: air of its room over a coil of chilled water, then the fan, whose speed is the motor's.
struct CrahUnit {
  enum Input : std::size_t {
    air_k,
    water_k,
    water_kg_per_s,
    fan_speed,
    command_fraction,
    sensor_k,
    set_point_k,
    integral_fraction
  };
  enum Output : std::size_t { fan_rate, electric_w, into_air_w, into_water_w };
  static constexpr std::array scale{1.0, 1.0, 0.01, 0.1, 0.1, 1.0, 1.0, 0.1};
  static constexpr std::size_t output_count = 4;
  struct Params {
    physics::CrahParams crah;
    physics::PiSettings fan;
    double fan_lag_s;
    double air_specific_heat_j_per_kg_k;
    double water_specific_heat_j_per_kg_k;
  };

  static std::array<double, output_count> evaluate(const Params& p, const std::array<double, 8>& in) noexcept {
    const double on = is_on(in[command_fraction]);
    const double wanted = on * physics::pi_control(p.fan, in[sensor_k] - in[set_point_k], in[integral_fraction]).output;
    const auto now =
        physics::crah_now(p.crah, {in[air_k], 0.0, p.air_specific_heat_j_per_kg_k},
                          {in[water_k], in[water_kg_per_s], p.water_specific_heat_j_per_kg_k}, in[fan_speed]);
    const double fan_w = on * now.fan_power_w;
    return {(wanted - in[fan_speed]) / p.fan_lag_s, fan_w, fan_w - now.heat_w, now.heat_w};
  }
};

/// Switches of a network rack: what they draw heats the air that passes them.
struct SwitchHeat {
  enum Input : std::size_t { power_w };
  enum Output : std::size_t { electric_w, into_air_w };
  static constexpr std::array scale{1.0};
  static constexpr std::size_t output_count = 2;
  struct Params {};

  static std::array<double, output_count> evaluate(const Params&, const std::array<double, 1>& in) noexcept {
    return {in[power_w], in[power_w]};
  }
};

}  // namespace wattloop::twin
