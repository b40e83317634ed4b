// An air-cooled chiller against the data sheet that it is made of, Carnot's law, the map of a machine, and in a hall.
//
//   data sheet   York YCAL0033EE, ten of them: 1,006 kW, COP 3.1 with water leaving at 6.67 degC in air of 35 degC [energyplus_chillers]
//   map          EIR(T_leaving, T_air) of the same machine, a quadratic in both, its coefficients written out here; full load
//   Carnot       P = Q (T_hot - T_cold) / (eta T_cold),  T_cold = T_leaving - 2 K,  T_hot = T_air + 10 K
//
// Tolerances: 0.5 % of the data sheet, whose Carnot fraction is rounded; 10 % of the map.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "physics/water/air_cooled_chiller.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, water_heat = 4186.0;

/// That of the library.
AirCooledChiller::Params machine_1mw() {
  AirCooledChiller::Params machine;
  machine.rated_heat_w = 1e6;
  machine.rated_power_w = 320e3;
  machine.carnot_fraction = 0.486;
  machine.fan_power_w = 25e3;
  machine.highest_outdoor_k = zero_c + 51.67;
  machine.design_flow_kg_per_s = 42.75;
  machine.volume_m3 = 0.45;
  machine.pump_pressure_pa = 80e3;
  machine.pump_efficiency_fraction = 0.75;
  return machine;
}

/// At full flow, so warm that it must take `heat_w` to leave water of `leaving_c`.
AirCooledChiller::Now now_at(double heat_w, double leaving_c, double air_c) {
  constexpr double flow_kg_per_s = 42.75;
  const double in_k = leaving_c + zero_c + heat_w / (flow_kg_per_s * water_heat);
  return {.chilled = {in_k, flow_kg_per_s, water_heat},
          .state = {0.0, 1.0},
          .outside = {air_c + zero_c},
          .motor = {1.0},
          .leaving_k = leaving_c + zero_c,
          .set_point_k = leaving_c + zero_c};
}

/// Energy input ratio of the catalogue's machine over that at its rating, at full load.
double map_of_york(double leaving_c, double air_c) {
  return 0.180701779 + 0.027153031 * leaving_c - 0.000455357 * leaving_c * leaving_c + 0.018817508 * air_c +
         0.000262328 * air_c * air_c - 0.001288119 * leaving_c * air_c;
}

}  // namespace

TEST_CASE("an air-cooled chiller draws what its data sheet says", "[air_cooled_chiller]") {
  const AirCooledChiller::Effect done = effect_of<AirCooledChiller>(machine_1mw(), now_at(1e6, 6.67, 35.0));
  CHECK(done.chilled.heat_w == Approx(-1e6));
  CHECK(done.motor.power_w == Approx(1e6 / 3.1).epsilon(5e-3));
  tests::report_verification({"air-cooled chiller, 1 MW, water of 6.67 degC, air of 35 degC", "energyplus_chillers",
                              "COP", 1e6 / done.motor.power_w, 3.1, 0.0155, "1"});
}

TEST_CASE("an air-cooled chiller is the Carnot fraction of its refrigerant", "[air_cooled_chiller]") {
  const AirCooledChiller::Params machine = machine_1mw();
  for (const double air_c : {20.0, 30.0, 40.0}) {
    for (const double heat_w : {3e5, 8e5}) {
      CAPTURE(air_c, heat_w);
      const double cold_k = zero_c + 15.0 - 2.0, lift_k = air_c + 10.0 - 13.0;
      const double compressor_w = heat_w * lift_k / (0.486 * cold_k);
      const double fans = (heat_w + compressor_w) / 1.32e6;
      const AirCooledChiller::Effect done = effect_of<AirCooledChiller>(machine, now_at(heat_w, 15.0, air_c));
      CHECK(done.chilled.heat_w == Approx(-heat_w));
      CHECK(done.motor.power_w == Approx(compressor_w + 25e3 * fans));
      CHECK(done.outside.heat_w == Approx(heat_w + done.motor.power_w));
    }
  }
}

TEST_CASE("an air-cooled chiller in cold air draws the power of its least lift", "[air_cooled_chiller]") {
  const double heat_w = 5e5, cold_k = zero_c + 18.0, compressor_w = heat_w * 10.0 / (0.486 * cold_k);
  for (const double air_c : {-10.0, 10.0, 18.0}) {
    const double power_w = effect_of<AirCooledChiller>(machine_1mw(), now_at(heat_w, 20.0, air_c)).motor.power_w;
    CHECK(power_w == Approx(compressor_w + 25e3 * (heat_w + compressor_w) / 1.32e6));
  }
}

TEST_CASE("an air-cooled chiller follows the map of a machine", "[air_cooled_chiller]") {
  for (const double leaving_c : {4.44, 6.67, 10.0}) {
    for (const double air_c : {25.0, 30.0, 35.0, 40.0, 45.0}) {
      CAPTURE(leaving_c, air_c);
      const AirCooledChiller::Effect done = effect_of<AirCooledChiller>(machine_1mw(), now_at(1e6, leaving_c, air_c));
      const double heat_w = -done.chilled.heat_w, cop = heat_w / done.motor.power_w;
      const double left_c =
          leaving_c + (1e6 - heat_w) / (42.75 * water_heat);  // where its compressors are at their limit
      const double theirs = 3.1 / map_of_york(left_c, air_c);
      CHECK(cop == Approx(theirs).epsilon(0.1));
    }
  }
}

TEST_CASE("at part load an air-cooled chiller draws in proportion, as its map says", "[air_cooled_chiller]") {
  const double full_w = effect_of<AirCooledChiller>(machine_1mw(), now_at(1e6, 6.67, 35.0)).motor.power_w;
  for (const double load : {0.25, 0.5, 0.75}) {  // EIRFPLR of the map: 0, 1, 0
    const double ours =
        effect_of<AirCooledChiller>(machine_1mw(), now_at(load * 1e6, 6.67, 35.0)).motor.power_w / full_w;
    CHECK(ours == Approx(load).epsilon(0.01));
    tests::report_verification({fmt::format("air-cooled chiller, {:.0f} % load", 100.0 * load), "energyplus_chillers",
                                "power over that of full load", ours, load, 0.01 * load, "1"});
  }
}

TEST_CASE("an air-cooled chiller takes no more than its rating and what its compressors lift", "[air_cooled_chiller]") {
  const AirCooledChiller::Params machine = machine_1mw();
  CHECK(effect_of<AirCooledChiller>(machine, now_at(1.4e6, 20.0, 30.0)).chilled.heat_w == Approx(-1e6));
  // 50 degC: refrigerant at 60 degC and, at rated heat, 2 K below water that leaves as warm as it then would.
  const AirCooledChiller::Now hot = now_at(1e6, 6.67, 50.0);
  const double lifted_w = 320e3 * 0.486 * (zero_c + 4.67) / (60.0 - 4.67);
  CHECK(effect_of<AirCooledChiller>(machine, hot).chilled.heat_w == Approx(-lifted_w));
  const AirCooledChiller::Effect stopped = effect_of<AirCooledChiller>(machine, now_at(5e5, 20.0, 52.68));
  CHECK(stopped.chilled.heat_w == 0.0);
  CHECK(stopped.motor.power_w == 0.0);
  CHECK(effect_of<AirCooledChiller>(machine, now_at(1.4e6, 20.0, 52.17)).chilled.heat_w == Approx(-5e5));
  AirCooledChiller::Now dry = now_at(5e5, 20.0, 30.0);
  dry.chilled.flow_kg_per_s = 4.2;
  CHECK(effect_of<AirCooledChiller>(machine, dry).chilled.heat_w == 0.0);
}

TEST_CASE("six air-cooled chillers hold the chilled water of a hall that has no others", "[air_cooled_chiller]") {
  tests::ScenarioRun hall("h100_10k",
                          {"weather.design_day=summer", "hall.cooling.chilled_water.chillers=null",
                           "parts={air_chiller: {hardware: air_cooled_chiller_1mw, count: 6, chilled: {from: "
                           "chilled_water.return, to: chilled_water.supply}}}"},
                          tests::ScenarioRun::By::multirate);
  hall.until(600.0);
  const twin::ReadPlant read{hall.evaluation().signals, hall.evaluation().sinks};
  const std::size_t number = twin::part_kind_number(AirCooledChiller::kind);
  const auto column = [&](std::size_t part, std::string_view name) {
    const std::size_t at = twin::column_number(twin::part_kinds()[number], name);
    return hall.plant.components[number]->column_of(part, at, read);
  };
  double drawn_w = 0.0;
  for (std::size_t part = 0; part < 6; ++part) {
    CHECK(column(part, "supply_temperature") == Approx(zero_c + 20.0).margin(0.2));
    const double drop_k = column(part, "return_temperature") - column(part, "supply_temperature");
    const double pump_w = column(part, "flow") / 998.0 * 80e3;  // into the water
    CHECK(column(part, "heat") == Approx(column(part, "flow") * 4184.0 * drop_k + pump_w).epsilon(2e-3));
    CHECK(column(part, "cop") > 3.0);
    drawn_w += column(part, "power") + column(part, "pump_power");
  }
  CHECK(drawn_w == Approx(hall.use_w("air_cooled_chiller")).epsilon(1e-9));
  // Fewer machines run than the flow of doors asks for: some return water passes them by.
  CHECK(hall.node_k("chilled_water.supply") == Approx(zero_c + 20.0).margin(0.5));
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}
