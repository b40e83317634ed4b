// Plate exchanger between two water systems: liquid of the warm one, moved by a pump of its own, past liquid of the cold one, which
// the pumps of that system move. A three-way valve leads part of the warm liquid around the plates, so that the mixture that leaves
// meets the set-point of the warm system. As a pre-cooler it cools the water from the users before that enters the return header.
// Where the cold liquid is not colder than the warm one, the valve closes and the pump is off.
//
//   Q = eps C_min (T_warm - T_cold),  counterflow,  C_warm = x m_w c_w        x: position of the valve, the share through the plates
//   1/UA = (1/UA_0) (s (x m_w/m_w0)^-n + (1 - s) (m_c/m_c0)^-n)               or eps as it is given, whatever the flows
//   dx/dt = (u PI(sensor - set-point) - x) / tau_v,  ds/dt = (T_mixed - s) / tau_s
//   df/dt = (u order - f) / tau_p,  u = (T_warm - T_cold) / changeover, from 0 to 1
//
// Source: [incropera2011] ch. 11 (counterflow, films in series); exponent 0.8, constant effectiveness and the valve around the
// plates [modelica_buildings]; PI [astrom_hagglund2006]; the pump: physics/water/water_pump.hpp. Valid without phase change or
// fouling that grows. Verified in tests/verification/water/plate_exchanger.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/parts/fault_setting.hpp"
#include "core/parts/field.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/pi_controller.hpp"
#include "physics/fluids/stream.hpp"
#include "physics/water/water_pump.hpp"

namespace wattloop::physics {

struct PlateExchanger {
  static constexpr std::string_view kind = "plate_exchanger";
  static constexpr std::string_view doc =
      "Plate exchanger between two water systems, with a bypass valve at its plates.";
  struct Params {
    double rated_heat_w = required, conductance_w_per_k = required;
    double warm_design_flow_kg_per_s = required, cold_design_flow_kg_per_s = required;
    double flow_exponent = 0.8, warm_share_fraction = 0.5, constant_effectiveness_fraction = 0.0;
    double warm_volume_m3 = required, cold_volume_m3 = required;
    double warm_pressure_drop_pa = 0.0, cold_pressure_drop_pa = 0.0;
    double changeover_difference_k = 1.0;
    double valve_gain_per_k = 0.05, valve_integral_time_s = 120.0, sensor_lag_s = 10.0, valve_lag_s = 30.0;
    double pump_pressure_pa = required, pump_efficiency_fraction = 0.7, pump_lag_s = 3.0, restart_delay_s = 20.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_heat_w, "rated_heat", "W", Range::positive, "Heat exchanged at the design point."},
          Field<P>{&P::conductance_w_per_k, "conductance", "W/K", Range::positive,
                   "UA of the plates at both design flows."},
          Field<P>{&P::warm_design_flow_kg_per_s, "warm_design_flow", "kg/s", Range::positive,
                   "Flow of the warm liquid while its pump runs at full speed."},
          Field<P>{&P::cold_design_flow_kg_per_s, "cold_design_flow", "kg/s", Range::positive,
                   "Flow of the cold liquid while the pumps of its system run at full speed."},
          Field<P>{&P::flow_exponent, "flow_exponent", "1", Range::fraction,
                   "Exponent of each flow in the conductance of its film."},
          Field<P>{&P::warm_share_fraction, "warm_share", "1", Range::fraction,
                   "Share of the film of the warm liquid in the thermal resistance at design flows."},
          Field<P>{&P::constant_effectiveness_fraction, "constant_effectiveness", "1", Range::fraction,
                   "Effectiveness at all flows, instead of the conductance; 0: the effectiveness follows from the "
                   "conductance."},
          Field<P>{&P::warm_volume_m3, "warm_volume", "m3", Range::positive, "Volume of warm liquid inside."},
          Field<P>{&P::cold_volume_m3, "cold_volume", "m3", Range::positive, "Volume of cold liquid inside."},
          Field<P>{
              &P::warm_pressure_drop_pa, "warm_pressure_drop", "Pa", Range::non_negative,
              "Pressure drop of the warm side at its design flow; if it is given, `pump_pressure` sizes the pump."},
          Field<P>{&P::cold_pressure_drop_pa, "cold_pressure_drop", "Pa", Range::non_negative,
                   "Pressure drop of the cold side at its design flow; if it is given, the pumps of its system keep "
                   "their pressure."},
          Field<P>{&P::changeover_difference_k, "changeover_difference", "delta_K", Range::positive,
                   "Inlet temperature of the warm side minus that of the cold side, from which the exchanger works "
                   "fully; at 0 K the exchanger is off."},
          Field<P>{&P::valve_gain_per_k, "valve_gain", "delta_K-1", Range::positive,
                   "Proportional gain: valve position per kelvin above the set-point."},
          Field<P>{&P::valve_integral_time_s, "valve_integral_time", "s", Range::positive,
                   "Integral time of the valve controller."},
          Field<P>{&P::sensor_lag_s, "sensor_lag", "s", Range::positive,
                   "Time constant of the sensor in the leaving liquid."},
          Field<P>{&P::valve_lag_s, "valve_lag", "s", Range::positive, "Time constant of the valve."},
          Field<P>{&P::pump_pressure_pa, "pump_pressure", "Pa", Range::positive,
                   "Pressure rise of its pump at full speed."},
          Field<P>{&P::pump_efficiency_fraction, "pump_efficiency", "1", Range::positive_fraction,
                   "Wire-to-water efficiency of pump, motor and drive."},
          Field<P>{&P::pump_lag_s, "pump_lag", "s", Range::positive, "Time constant of the pump speed."},
          Field<P>{&P::restart_delay_s, "restart_delay", "s", Range::non_negative,
                   "Time from the return of power to the start of its pump."},
      };
    }
  };

  struct State {
    double pump_fraction;
    double valve_fraction;
    double sensor_k;
    double integral_fraction;
  };
  struct Now {
    Liquid cold;
    Liquid warm;
    State state;
    Motor motor;
    double leaving_k;
    double cold_leaving_k;
    double set_point_k;
    double stuck_fraction;  ///< position where its valve sticks, or `moves_freely`
  };
  struct Effect {
    State rate;
    Heat cold;
    Heat warm;
    Power motor;
    Heat surroundings;
  };

  static constexpr UseOfPower use{"plate_exchanger", "pumps of plate exchangers", "exchanger pumps"};
  static constexpr double flow_change_kg_per_s = 0.1;

  static constexpr auto states() {
    return std::array{
        StateOf<PlateExchanger>{&State::pump_fraction, {"speed", "1", 0.0, 1e-4}},
        StateOf<PlateExchanger>{&State::valve_fraction, {"valve_position", "1", 0.5, 1e-3}},
        StateOf<PlateExchanger>{&State::sensor_k, {"sensor_temperature", "K", 293.0, 1e-2}},
        StateOf<PlateExchanger>{&State::integral_fraction, {"valve_integral", "1", 0.5, 1e-3}},
    };
  }
  static constexpr auto ports() {
    return std::array{
        Port<PlateExchanger>{"cold", &Now::cold, &Effect::cold, flow_change_kg_per_s}.holding(
            &Params::cold_volume_m3, &Params::cold_design_flow_kg_per_s),
        Port<PlateExchanger>{"warm", &Now::warm, &Effect::warm, flow_change_kg_per_s}
            .pumping(&Params::warm_volume_m3, &Params::warm_design_flow_kg_per_s)
            .precooling(),
        Port<PlateExchanger>{"motor", &Now::motor, &Effect::motor}.turning(&State::pump_fraction, use,
                                                                           &Params::restart_delay_s),
        Port<PlateExchanger>{"surroundings", &Effect::surroundings},
        Port<PlateExchanger>{"leaving", "K", &Now::leaving_k}.reading_inside("warm"),
        Port<PlateExchanger>{"cold_leaving", "K", &Now::cold_leaving_k}.reading_inside("cold"),
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<PlateExchanger>{&Now::set_point_k, "supply_temperature", "K", Range::positive,
                                              "Set-point of the leaving warm liquid."}
                          .of_system(),
                      Setting<PlateExchanger>{&Now::stuck_fraction, "valve.stuck_at", "1"}};
  }

  static constexpr PartTable table{"plate_exchangers", "plate_exchanger"};
  static double heat_w(const Instant<PlateExchanger>& reading) noexcept {
    const Liquid& cold = reading.now.cold;
    return cold.flow_kg_per_s * cold.specific_heat_j_per_kg_k * (reading.now.cold_leaving_k - cold.temperature_k);
  }
  static double drop_pa(double design_pa, double flow_kg_per_s, double design_kg_per_s) noexcept {
    const double ratio = flow_kg_per_s / design_kg_per_s;
    return design_pa * ratio * ratio;
  }
  static constexpr auto columns() {
    using Reading = const Instant<PlateExchanger>&;
    return std::array{
        Column<PlateExchanger>{"supply_temperature", "K", "warm liquid leaving",
                               [](Reading reading) { return reading.now.leaving_k; }},
        Column<PlateExchanger>{"return_temperature", "K", "warm liquid entering",
                               [](Reading reading) { return reading.now.warm.temperature_k; }},
        Column<PlateExchanger>{"cold_supply_temperature", "K", "cold liquid entering",
                               [](Reading reading) { return reading.now.cold.temperature_k; }},
        Column<PlateExchanger>{"cold_return_temperature", "K", "cold liquid leaving",
                               [](Reading reading) { return reading.now.cold_leaving_k; }},
        Column<PlateExchanger>{"flow", "kg/s", "warm liquid, including the part that bypasses the plates",
                               [](Reading reading) { return reading.now.warm.flow_kg_per_s; }},
        Column<PlateExchanger>{"cold_flow", "kg/s", "cold liquid",
                               [](Reading reading) { return reading.now.cold.flow_kg_per_s; }},
        Column<PlateExchanger>{"pressure_drop", "Pa", "of the warm side",
                               [](Reading reading) {
                                 return drop_pa(reading.params.warm_pressure_drop_pa, reading.now.warm.flow_kg_per_s,
                                                reading.params.warm_design_flow_kg_per_s);
                               }},
        Column<PlateExchanger>{"cold_pressure_drop", "Pa", "of the cold side",
                               [](Reading reading) {
                                 return drop_pa(reading.params.cold_pressure_drop_pa, reading.now.cold.flow_kg_per_s,
                                                reading.params.cold_design_flow_kg_per_s);
                               }},
        Column<PlateExchanger>{"heat", "W", "heat that the cold liquid took up", heat_w},
        Column<PlateExchanger>{"power", "W", "electric power of its pump",
                               [](Reading reading) { return reading.power_w; }},
        Column<PlateExchanger>{"valve_position", "1", "share of the warm liquid through the plates",
                               [](Reading reading) { return reported_fraction(reading.now.state.valve_fraction); }},
        Column<PlateExchanger>{
            "loading", "1", "heat divided by rated heat",
            [](Reading reading) { return std::max(heat_w(reading), 0.0) / reading.params.rated_heat_w; }},
    };
  }
  static constexpr auto ratings() {
    return std::array{Rating<PlateExchanger>{"heat", [](const Params& p) { return p.rated_heat_w; }}};
  }
  static constexpr Box box{3.2, 1.1, 2.4, BoxPlace::yard};

  static Params in_liquid(Params p, std::string_view port, const LiquidBesideWater& liquid) noexcept {
    const double warm_share = p.warm_share_fraction;
    const bool is_warm = port == "warm";
    const TwoFilms films =
        with_first_film({p.conductance_w_per_k, is_warm ? warm_share : 1.0 - warm_share}, liquid.film_ratio);
    p.conductance_w_per_k = films.conductance_w_per_k;
    p.warm_share_fraction = is_warm ? films.first_share_fraction : 1.0 - films.first_share_fraction;
    return p;
  }

  struct Rates {
    double warm_kg_per_s;
    double warm_j_per_kg_k;
    double cold_kg_per_s;
    double cold_j_per_kg_k;
    double valve_fraction;
  };
  static constexpr Rates cached_from(const Now& now) noexcept {
    return {now.warm.flow_kg_per_s, now.warm.specific_heat_j_per_kg_k, now.cold.flow_kg_per_s,
            now.cold.specific_heat_j_per_kg_k, now.state.valve_fraction};
  }
  /// Watts per kelvin between the inlets.
  static double cached(const Params& p, const Rates& by) noexcept {
    const double plates_kg_per_s = std::clamp(by.valve_fraction, 0.0, 1.0) * std::max(by.warm_kg_per_s, 0.0);
    const double warm_w_per_k = plates_kg_per_s * by.warm_j_per_kg_k;
    const double cold_w_per_k = std::max(by.cold_kg_per_s, 0.0) * by.cold_j_per_kg_k;
    if (p.constant_effectiveness_fraction > 0.0)
      return p.constant_effectiveness_fraction * std::min(warm_w_per_k, cold_w_per_k);
    const double films = two_film_ratio(film_ratio(plates_kg_per_s, p.warm_design_flow_kg_per_s, p.flow_exponent),
                                        film_ratio(by.cold_kg_per_s, p.cold_design_flow_kg_per_s, p.flow_exponent),
                                        p.warm_share_fraction);
    return exchanged_w_per_k(warm_w_per_k, cold_w_per_k, p.conductance_w_per_k * films, FlowArrangement::counterflow);
  }

  static Effect effect(const Params& p, const Now& now, double w_per_k) noexcept {
    const auto& [pump_fraction, valve_fraction, sensor_k, integral_fraction] = now.state;
    const double warmer_k = now.warm.temperature_k - now.cold.temperature_k;
    const double useful = std::clamp(warmer_k / p.changeover_difference_k, 0.0, 1.0);
    const PumpedHeat pump = pumped_heat({.rated_flow_kg_per_s = p.warm_design_flow_kg_per_s,
                                         .pressure_pa = p.pump_pressure_pa,
                                         .efficiency_fraction = p.pump_efficiency_fraction},
                                        is_on(now.motor), pump_fraction, now.warm.flow_kg_per_s);
    const PiNow pi =
        pi_control({p.valve_gain_per_k, p.valve_integral_time_s}, sensor_k - now.set_point_k, integral_fraction);
    const double requested = now.stuck_fraction < 0.0 ? useful * pi.output : now.stuck_fraction;
    const double heat_w = w_per_k * warmer_k;
    return {
        .rate = {.pump_fraction = (useful * now.motor.command_fraction - pump_fraction) / p.pump_lag_s,
                 .valve_fraction = (requested - valve_fraction) / p.valve_lag_s,
                 .sensor_k = (now.leaving_k - sensor_k) / p.sensor_lag_s,
                 .integral_fraction = pi.integral_rate_per_s},
        .cold = {.heat_w = heat_w},
        .warm = {.heat_w = pump.water_w - heat_w},
        .motor = {.power_w = pump.electric_w},
        .surroundings = {.heat_w = pump.loss_w},
    };
  }
};

static_assert(Part<PlateExchanger>);
static_assert(IsWritable<PlateExchanger>);

}  // namespace wattloop::physics
