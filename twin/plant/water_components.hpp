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

/// A chiller with its two pumps. A started compressor takes load with a lag; one that stops does so at once.
struct ChillerMachine {
  enum Input : std::size_t {
    chilled_k,
    chilled_kg_per_s,
    condenser_k,
    condenser_kg_per_s,
    set_point_k,
    loading_fraction,
    pump_speed,
    command_fraction
  };
  enum Output : std::size_t { pump_rate, loading_rate, electric_w, into_chilled_w, into_condenser_w, outdoors_w };
  static constexpr std::array scale{1.0, 0.1, 1.0, 0.1, 1.0, 0.1, 0.1, 0.1};
  static constexpr std::size_t output_count = 6;
  struct Params {
    physics::ChillerParams chiller;
    physics::WaterPumpParams chilled_pump, condenser_pump;
    double loading_lag_s;
    double specific_heat_j_per_kg_k;
  };

  static std::array<double, output_count> evaluate(const Params& p, const std::array<double, 8>& in) noexcept {
    const double on = is_on(in[command_fraction]);
    const double water = p.specific_heat_j_per_kg_k;
    physics::ChillerParams loaded = p.chiller;
    loaded.rated_heat_w *= on * in[loading_fraction];
    loaded.rated_power_w *= on * in[loading_fraction];
    const auto now = physics::chiller_now(loaded, {in[chilled_k], in[chilled_kg_per_s], water},
                                          {in[condenser_k], in[condenser_kg_per_s], water}, in[set_point_k]);
    const physics::PumpedHeat chilled = physics::pumped_heat(p.chilled_pump, on, in[pump_speed], in[chilled_kg_per_s]);
    const physics::PumpedHeat condenser =
        physics::pumped_heat(p.condenser_pump, on, in[pump_speed], in[condenser_kg_per_s]);
    return {physics::speed_rate_per_s(p.chilled_pump.start_lag_s, p.chilled_pump.coast_down_lag_s, in[pump_speed],
                                      in[command_fraction]),
            (in[command_fraction] - in[loading_fraction]) / p.loading_lag_s,
            now.power_w + chilled.electric_w + condenser.electric_w,
            chilled.water_w - now.evaporator_heat_w,
            condenser.water_w + now.condenser_heat_w,
            chilled.loss_w + condenser.loss_w};
  }
};

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
