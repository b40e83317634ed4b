// A chiller with its two pumps. A started compressor takes load with a lag; one that stops does so at once.
//
//   dl/dt = (order - l) / tau_l          l: share of its rating that the compressor may take
//
// Equations and sources: physics/water/chiller.hpp, physics/water/water_pump.hpp. Verified in tests/verification/air/chiller.cpp and
// chiller_migration.cpp.
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/water/chiller.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct ChillerMachine {
  static constexpr std::string_view kind = "chiller";
  static constexpr std::string_view doc = "Chiller with its chilled-water and condenser pumps.";
  static constexpr UseOfPower use{"chiller", "chillers, with their pumps", "chillers"};
  struct Params {
    ChillerParams chiller;
    WaterPumpParams chilled_pump;
    WaterPumpParams condenser_pump;
    double loading_lag_s;
  };

  struct State {
    double loading_fraction;
    double pump_fraction;
  };
  struct Now {
    Liquid chilled;
    Liquid condenser;
    double set_point_k;
    State state;
    Motor motor;
  };
  struct Effect {
    State rate;
    Power motor;
    Heat chilled;
    Heat condenser;
    Heat surroundings;
  };

  static constexpr double flow_change_kg_per_s = 0.1;

  static constexpr auto states() {
    return std::array{
        StateOf<ChillerMachine>{&State::loading_fraction, {"loading", "1", 0.0, 1e-3}},
        StateOf<ChillerMachine>{&State::pump_fraction, {"speed", "1", 0.0, 1e-4}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<ChillerMachine>{"chilled", &Now::chilled, &Effect::chilled, flow_change_kg_per_s},
        Port<ChillerMachine>{"condenser", &Now::condenser, &Effect::condenser, flow_change_kg_per_s},
        Port<ChillerMachine>{"motor", &Now::motor, &Effect::motor},
        Port<ChillerMachine>{"surroundings", &Effect::surroundings},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<ChillerMachine>{&Now::set_point_k, "supply_temperature", "K"}};
  }

  static constexpr PartTable table{"chillers", "chiller"};
  static constexpr Box box{4.60, 1.90, 2.30, BoxPlace::yard};
  /// What columns see besides.
  struct Shown {
    double chilled_leaving_k;
    double condenser_leaving_k;
  };
  /// Its own heat and power, without its pumps: not what the water stored in it brings along.
  static ChillerNow machine_of(const Params& p, const Now& now) noexcept {
    const double loading_fraction = is_on(now.motor) * std::clamp(now.state.loading_fraction, 0.0, 1.0);
    return chiller_now(p.chiller, now.chilled, now.condenser, now.set_point_k, loading_fraction);
  }
  static double heat_w(const Params& p, const Now& now) noexcept { return machine_of(p, now).evaporator_heat_w; }
  static double left_w(const Params& p, const Now& now) noexcept {
    return chiller_left_w(p.chiller, now.chilled, now.condenser, now.set_point_k);
  }
  static double pumps_w(const Params& p, const Now& now) noexcept {
    const double on = is_on(now.motor);
    return pumped_heat(p.chilled_pump, on, now.state.pump_fraction, now.chilled.flow_kg_per_s).electric_w +
           pumped_heat(p.condenser_pump, on, now.state.pump_fraction, now.condenser.flow_kg_per_s).electric_w;
  }
  static double cop_ratio(const Instant<ChillerMachine>& reading) noexcept {
    const ChillerNow machine = machine_of(reading.params, reading.now);
    return machine.power_w > 0.0 ? machine.evaporator_heat_w / machine.power_w
                                 : std::numeric_limits<double>::quiet_NaN();
  }
  static constexpr auto columns() {
    using Reading = const Instant<ChillerMachine>&;
    return std::array{
        Column<ChillerMachine>{"supply_temperature", "K", "chilled water leaving the machine",
                               [](Reading reading) { return reading.shown.chilled_leaving_k; }},
        Column<ChillerMachine>{"condenser_leaving_temperature", "K", "condenser water leaving the machine",
                               [](Reading reading) { return reading.shown.condenser_leaving_k; }},
        Column<ChillerMachine>{"flow", "kg/s", "chilled water through the machine",
                               [](Reading reading) { return reading.now.chilled.flow_kg_per_s; }},
        Column<ChillerMachine>{"condenser_flow", "kg/s", "condenser water through the machine",
                               [](Reading reading) { return reading.now.condenser.flow_kg_per_s; }},
        Column<ChillerMachine>{"heat", "W", "heat that the machine takes from the chilled water",
                               [](Reading reading) { return heat_w(reading.params, reading.now); }},
        Column<ChillerMachine>{"power", "W", "electric power of the machine, without its pumps",
                               [](Reading reading) { return machine_of(reading.params, reading.now).power_w; }},
        Column<ChillerMachine>{"pump_power", "W", "electric power of its two pumps",
                               [](Reading reading) { return pumps_w(reading.params, reading.now); }},
        Column<ChillerMachine>{"cop", "1", "heat divided by power; NaN while the machine is off", cop_ratio, "heat",
                               "power"},
        Column<ChillerMachine>{
            "loading", "1",
            "heat divided by the heat that it could move with its present water, at most its rated heat",
            [](Reading reading) { return heat_w(reading.params, reading.now) / left_w(reading.params, reading.now); }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<ChillerMachine>{"heat", [](const Params& p) { return p.chiller.rated_heat_w; },
                                             "heat of doors and air handlers", &left_w}};
  }
  /// Reading from half a kelvin below: the machine stays there.
  static Endurance condenser_limit(const Params& p) noexcept {
    return endures_all_beyond(p.chiller.highest_condensing_k - p.chiller.condenser_pinch_k - 0.5);
  }
  static constexpr auto limits() {
    return std::array{Limit<ChillerMachine>{"condenser_leaving_temperature", "K", &condenser_limit, Beyond::log,
                                            Side::above, "it unloads at its condenser limit"}};
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const auto& [loading_fraction, pump_fraction] = now.state;
    const double on = is_on(now.motor);
    const ChillerNow machine = machine_of(p, now);
    const PumpedHeat chilled = pumped_heat(p.chilled_pump, on, pump_fraction, now.chilled.flow_kg_per_s);
    const PumpedHeat condenser = pumped_heat(p.condenser_pump, on, pump_fraction, now.condenser.flow_kg_per_s);
    return {
        .rate = {.loading_fraction = (now.motor.command_fraction - loading_fraction) / p.loading_lag_s,
                 .pump_fraction = speed_rate_per_s(p.chilled_pump.start_lag_s, p.chilled_pump.coast_down_lag_s,
                                                   pump_fraction, now.motor.command_fraction)},
        .motor = {.power_w = machine.power_w + chilled.electric_w + condenser.electric_w},
        .chilled = {.heat_w = chilled.water_w - machine.evaporator_heat_w},
        .condenser = {.heat_w = condenser.water_w + machine.condenser_heat_w},
        .surroundings = {.heat_w = chilled.loss_w + condenser.loss_w},
    };
  }
};

static_assert(Part<ChillerMachine>);

}  // namespace wattloop::physics
