// A cell of a wet tower with its pump: the pump brings return water, the fan follows the common controller. Heat and fan power
// leave with the air; the enthalpy of make-up water is left out.
//
// What the motors draw depends on the order: a cell that is off draws nothing. Equations and sources:
// physics/water/cooling_tower.hpp, physics/water/water_pump.hpp. Verified in tests/verification/water/cooling_tower.cpp and tower_water.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/air/air_density.hpp"
#include "physics/fluids/pi_controller.hpp"
#include "physics/water/cooling_tower.hpp"
#include "physics/water/freeze_protection.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct TowerCell {
  static constexpr std::string_view kind = "tower_cell";
  static constexpr std::string_view doc = "Cell of a wet cooling tower, with its fan and its pump.";
  static constexpr UseOfPower use{"tower", "towers, with their pumps", "towers"};
  struct Params {
    CoolingTowerParams tower;
    WaterPumpParams pump;
    PiSettings fan;
    double fan_lag_s;
  };

  struct State {
    double pump_fraction;
    double fan_fraction;
  };
  struct Now {
    Liquid water;
    WetAir outside;
    State state;
    Motor motor;
    double sensor_k;           ///< temperature that the common controller measures
    double integral_fraction;  ///< integral part of this controller
    double leaving_k;          ///< of the water in the basin
    double set_point_k;
    double fan_failed;  ///< 1: the fan is off, and the pump runs on
  };
  struct Effect {
    State rate;
    Power motor;
    Heat water;
    HeatAndWater outside;
  };

  static constexpr bool is_often_alike = true;  // cells differ where some of them failed
  static constexpr double flow_change_kg_per_s = 0.1;

  static constexpr auto states() {
    return std::array{
        StateOf<TowerCell>{&State::pump_fraction, {"speed", "1", 0.0, 1e-4}},
        StateOf<TowerCell>{&State::fan_fraction, {"fan_speed", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<TowerCell>{"water", &Now::water, &Effect::water, flow_change_kg_per_s},
        Port<TowerCell>{"outside", &Now::outside, &Effect::outside},
        Port<TowerCell>{"motor", &Now::motor, &Effect::motor},
        Port<TowerCell>{"sensor", "K", &Now::sensor_k},
        Port<TowerCell>{"integral", "1", &Now::integral_fraction},
        Port<TowerCell>{"leaving", "K", &Now::leaving_k},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<TowerCell>{&Now::set_point_k, "supply_temperature", "K"},
                      Setting<TowerCell>{&Now::fan_failed, "fan.failed", "1"}};
  }

  static constexpr PartTable table{"towers", "tower"};
  static constexpr Box box{3.60, 3.60, 4.40, BoxPlace::yard};
  static double given_up_w(const Instant<TowerCell>& reading) noexcept {
    const Liquid& water = reading.now.water;
    return water.flow_kg_per_s * water.specific_heat_j_per_kg_k * (water.temperature_k - reading.now.leaving_k);
  }
  static TowerFan turning(const Now& now, double fan_fraction) noexcept {
    return {fan_fraction, density_over_sea_level_ratio(now.outside.pressure_pa)};
  }
  static double fan_output(const Params& p, const Now& now) noexcept {
    return pi_control(p.fan, now.sensor_k - now.set_point_k, now.integral_fraction).output;
  }
  /// How far the way of its water to the air is open.
  static double open_fraction(const Params& p, const Now& now, double fan_output) noexcept {
    return freeze_protection_fraction(now.leaving_k, p.tower.lowest_leaving_k) *
           draught_control_fraction(fan_output, p.tower.natural_draught_ratio);
  }
  static double rejected_w(const Params& p, const Now& now, double fan_fraction) noexcept {
    return cooling_tower_now(p.tower, now.water, now.outside.wet_bulb_k, turning(now, fan_fraction)).heat_w;
  }
  static double pump_heat_w(const Params& p, const Now& now) noexcept {
    return pumped_heat(p.pump, is_on(now.motor), now.state.pump_fraction, now.water.flow_kg_per_s).water_w;
  }
  static constexpr auto columns() {
    using Reading = const Instant<TowerCell>&;
    return std::array{
        Column<TowerCell>{"leaving_temperature", "K", "water in the basin, and leaving it",
                          [](Reading reading) { return reading.now.leaving_k; }},
        Column<TowerCell>{"fan_speed", "1", "speed of the fan divided by full speed",
                          [](Reading reading) { return reported_fraction(reading.now.state.fan_fraction); }},
        Column<TowerCell>{"flow", "kg/s", "water through the cell",
                          [](Reading reading) { return reading.now.water.flow_kg_per_s; }},
        Column<TowerCell>{"heat", "W", "heat that the water gave off in the cell and its basin", given_up_w},
        Column<TowerCell>{"power", "W", "electric power of fan and pump",
                          [](Reading reading) { return reading.power_w; }},
        Column<TowerCell>{
            "loading", "1",
            "heat divided by the heat that it could reject with its set-point met (if it is not met: now), at most its "
            "rated heat",
            [](Reading reading) { return load_w(reading.params, reading.now) / left_w(reading.params, reading.now); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<TowerCell>{"heat", [](const Params& p) { return p.tower.rated_heat_w; },
                                        "all heat of the facility water", &left_w, &load_w}};
  }
  /// What it takes out of its water now, less what its pump brings; nothing where the air warms the water.
  static double load_w(const Params& p, const Now& now) noexcept {
    const double open = open_fraction(p, now, fan_output(p, now));
    return std::max(open * rejected_w(p, now, now.state.fan_fraction) - pump_heat_w(p, now), 0.0);
  }
  /// What the air at present leaves of its rating: with its fan at full speed, or as it stands where it failed; and with a set-point that is just
  /// held, where it is held.
  static double left_w(const Params& p, const Now& now) noexcept {
    const double most_k = now.set_point_k + set_point_tolerance_k, fan_fraction = 1.0 - now.fan_failed;
    double able_w = rejected_w(p, now, std::max(fan_fraction, now.state.fan_fraction));
    if (now.sensor_k <= most_k)
      able_w = std::max(
          able_w, cooling_tower_heat_w(p.tower, now.water, most_k, now.outside.wet_bulb_k, turning(now, fan_fraction)));
    return left_of(p.tower.rated_heat_w, able_w - pump_heat_w(p, now));
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const auto& [pump_fraction, fan_fraction] = now.state;
    const double flow_kg_per_s = now.water.flow_kg_per_s;
    const double on = is_on(now.motor);
    const double fan_on = on * (1.0 - now.fan_failed);
    const double output = fan_output(p, now);
    const TowerFan fan = turning(now, fan_fraction);
    const CoolingTowerNow tower = cooling_tower_now(p.tower, now.water, now.outside.wet_bulb_k, fan);
    const PumpedHeat pump = pumped_heat(p.pump, on, pump_fraction, flow_kg_per_s);
    const double open = open_fraction(p, now, output);
    const double heat_w = open * tower.heat_w;
    const double evaporation =
        open * evaporation_kg_per_s(p.tower, flow_kg_per_s, fan, tower.heat_w,
                                    {now.outside.dry_bulb_k, now.outside.humidity_ratio, now.outside.pressure_pa});
    const double fan_w = fan_on * tower.fan_power_w;
    return {
        .rate = {.pump_fraction = speed_rate_per_s(p.pump.start_lag_s, p.pump.coast_down_lag_s, pump_fraction,
                                                   now.motor.command_fraction),
                 .fan_fraction = (fan_on * output - fan_fraction) / p.fan_lag_s},
        .motor = {.power_w = fan_w + pump.electric_w},
        .water = {.heat_w = pump.water_w - heat_w},
        .outside = {.heat_w = heat_w + fan_w + pump.loss_w,
                    .water_kg_per_s = make_up_water_kg_per_s(p.tower, evaporation)},
    };
  }
};

static_assert(Part<TowerCell>);

}  // namespace wattloop::physics
