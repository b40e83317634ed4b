// An in-row unit against the closed form of its coil, by hand, and in the room of a hall.
//
//   coil   Q = eps C_min (T_air - T_liquid),  eps = 1 - exp(NTU^0.22 (exp(-C_r NTU^0.78) - 1) / C_r)   [incropera2011] eq. 11.32, written out here
//   films  1/UA = (1/UA_0) (s (m_a/m_a0)^-n_a + (1 - s) (m_l/m_l0)^-n_l)
//   fans   P_0 f^3, in the air
#include <cmath>
#include <string>
#include <vector>

#include "physics/air/in_row_unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, water_heat = 4184.0, air_heat = 1006.0;

/// That of the library.
InRowUnit::Params unit_30kw() {
  InRowUnit::Params unit;
  unit.rated_heat_w = 30e3;
  unit.conductance_w_per_k = 5440.0;
  unit.design_airflow_kg_per_s = 3.0;
  unit.design_flow_kg_per_s = 1.025;
  unit.fan_power_w = 1200.0;
  unit.volume_m3 = 5e-3;
  return unit;
}

InRowUnit::Now now_at(double air_c, double liquid_c, double liquid_kg_per_s, double fan) {
  return {.liquid = {liquid_c + zero_c, liquid_kg_per_s, water_heat},
          .air = {air_c + zero_c},
          .state = {fan, air_c + zero_c, 0.5},
          .motor = {1.0},
          .leaving_k = liquid_c + zero_c,
          .dew_point_k = 200.0,  // dry
          .pressure_pa = 101325.0,
          .set_point_k = air_c + zero_c,
          .filter_fraction = 1.0};
}

double crossflow_w_per_k(double air_rate, double liquid_rate, double ua) {
  const double smaller = std::min(air_rate, liquid_rate), cr = smaller / std::max(air_rate, liquid_rate);
  const double ntu = ua / smaller;
  return smaller * (1.0 - std::exp(std::pow(ntu, 0.22) / cr * (std::exp(-cr * std::pow(ntu, 0.78)) - 1.0)));
}

}  // namespace

TEST_CASE("the coil of an in-row unit is a crossflow exchanger with films that follow their flows", "[in_row_unit]") {
  const InRowUnit::Params unit = unit_30kw();
  for (const double fan : {1.0, 0.6, 0.3}) {
    for (const double flow_share : {1.0, 0.5}) {
      CAPTURE(fan, flow_share);
      const double liquid = flow_share * 1.025;
      const double ua = 5440.0 / (0.8 * std::pow(fan, -0.5) + 0.2 * std::pow(flow_share, -0.8));
      const double heat_w = 15.0 * crossflow_w_per_k(fan * 3.0 * air_heat, liquid * water_heat, ua);
      const InRowUnit::Effect done = effect_of<InRowUnit>(unit, now_at(35.0, 20.0, liquid, fan));
      CHECK(done.liquid.heat_w == Approx(heat_w).epsilon(1e-9));
      CHECK(done.motor.power_w == Approx(1200.0 * fan * fan * fan));
      CHECK(done.air.heat_w == Approx(1200.0 * fan * fan * fan - heat_w).epsilon(1e-9));
    }
  }
}

TEST_CASE("the in-row unit of the library moves 30 kW from 35 degC to water of 20 degC", "[in_row_unit]") {
  const double heat_w = effect_of<InRowUnit>(unit_30kw(), now_at(35.0, 20.0, 1.025, 1.0)).liquid.heat_w;
  CHECK(heat_w == Approx(30e3).epsilon(2e-3));
  CHECK(heat_w / (1.025 * 4180.0) == Approx(7.0).epsilon(2e-3));
}

TEST_CASE("liquid leaves an in-row unit as much of its rating as holds the air, or as fans at full speed move now",
          "[in_row_unit]") {
  const double per_k = crossflow_w_per_k(3.0 * air_heat, 1.025 * water_heat, 5440.0);
  InRowUnit::Now now = now_at(27.0, 20.0, 1.025, 0.3);
  CHECK(InRowUnit::left_w(unit_30kw(), now) == Approx(7.5 * per_k).epsilon(1e-9));  // held within half a kelvin
  now.set_point_k -= 5.0;
  CHECK(InRowUnit::left_w(unit_30kw(), now) == Approx(7.0 * per_k).epsilon(1e-9));
  now.liquid.temperature_k -= 20.0;
  CHECK(InRowUnit::left_w(unit_30kw(), now) == 30e3);
  now.liquid.temperature_k += 40.0;
  CHECK(InRowUnit::left_w(unit_30kw(), now) == Approx(300.0));
}

TEST_CASE("an in-row unit without liquid, air or power moves no heat", "[in_row_unit]") {
  CHECK(effect_of<InRowUnit>(unit_30kw(), now_at(35.0, 20.0, 0.0, 1.0)).liquid.heat_w == 0.0);
  CHECK(effect_of<InRowUnit>(unit_30kw(), now_at(35.0, 20.0, 1.0, 0.0)).liquid.heat_w == 0.0);
  InRowUnit::Now off = now_at(35.0, 20.0, 1.0, 0.5);
  off.motor.command_fraction = 0.0;
  CHECK(effect_of<InRowUnit>(unit_30kw(), off).motor.power_w == 0.0);
  CHECK(effect_of<InRowUnit>(unit_30kw(), off).rate.fan_fraction == Approx(-0.5 / 5.0));
}

TEST_CASE("the fans of an in-row unit follow the air", "[in_row_unit]") {
  const auto command_at = [](double warmer_k) {
    InRowUnit::Now now = now_at(25.0, 20.0, 1.0, 0.5);
    now.state.sensor_k += warmer_k;
    return 0.5 + 5.0 * effect_of<InRowUnit>(unit_30kw(), now).rate.fan_fraction;
  };
  CHECK(command_at(0.0) == Approx(0.5));
  CHECK(command_at(2.0) == Approx(0.7));
  CHECK(command_at(9.0) == Approx(1.0));
  CHECK(command_at(-9.0) == Approx(0.2));
}

TEST_CASE("in-row units hold the air of a hall instead of its air handlers", "[in_row_unit]") {
  tests::ScenarioRun hall(
      "h100_10k",
      {"hall.cooling.crahs=null", "hall.cooling.rear_doors.hardware=rdhx_passive_25kw",
       "parts={cooler: {hardware: in_row_unit_30kw, count: 80, liquid: {from: chilled_water.supply, to: "
       "chilled_water.return}, air: room_1, air_temperature: 26 degC}}"},
      tests::ScenarioRun::By::multirate);
  hall.until(1800.0);
  const twin::ReadPlant read{hall.evaluation().signals, hall.evaluation().sinks};
  const std::size_t number = twin::part_kind_number(InRowUnit::kind);
  const auto column = [&](std::size_t part, std::string_view name) {
    const std::size_t at = twin::column_number(twin::part_kinds()[number], name);
    return hall.plant.components[number]->column_of(part, at, read);
  };
  double drawn_w = 0.0;
  for (std::size_t part = 0; part < 80; ++part) {
    const double fan = column(part, "fan_speed");
    CHECK(fan > 0.2);
    CHECK(fan < 1.0);
    CHECK(column(part, "power") == Approx(1200.0 * fan * fan * fan));
    CHECK(column(part, "heat") > 1e3);
    CHECK(column(part, "supply_temperature") < column(part, "air_temperature") - 0.5);
    drawn_w += column(part, "power");
  }
  CHECK(hall.node_k("room_1") == Approx(zero_c + 26.0).margin(0.2));
  CHECK(hall.use_w("in_row_unit") == Approx(drawn_w).epsilon(1e-9));
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}
