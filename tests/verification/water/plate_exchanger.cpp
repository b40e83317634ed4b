// A plate exchanger with a valve around its plates, against closed forms, published trajectories, and in a hall.
//
//   counterflow     Q = UA (dT_1 - dT_2) / ln(dT_1 / dT_2) between the ends of the plates [incropera2011] eq. 11.14: the method that
//                   does not know effectiveness
//   trajectories    effectiveness 0.8 of the smaller rate: 25.28 - 0.8 x 12.50 degC where the set-point cannot be reached, the
//                   set-point of 16.56 degC with the valve around the plates [modelica_buildings]
//   films           1/UA = (1/UA_0) (s (m_w/m_w0)^-n + (1 - s) (m_c/m_c0)^-n)
//
// Tolerance of the trajectories: 1.5e-5 K, half of the last digit of their single precision.
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "physics/water/plate_exchanger.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, water_heat = 4184.0;

PlateExchanger::Params exchanger(double conductance_w_per_k, double warm_kg_per_s, double cold_kg_per_s) {
  PlateExchanger::Params plates;
  plates.rated_heat_w = 2.5e6;
  plates.conductance_w_per_k = conductance_w_per_k;
  plates.warm_design_flow_kg_per_s = warm_kg_per_s;
  plates.cold_design_flow_kg_per_s = cold_kg_per_s;
  plates.warm_volume_m3 = plates.cold_volume_m3 = 0.5;
  plates.pump_pressure_pa = 80e3;
  return plates;
}

PlateExchanger::Now now_at(double warm_c, double warm_kg_per_s, double cold_c, double cold_kg_per_s,
                           double valve = 1.0) {
  return {.cold = {cold_c + zero_c, cold_kg_per_s, water_heat},
          .warm = {warm_c + zero_c, warm_kg_per_s, water_heat},
          .state = {0.0, valve, warm_c + zero_c, valve},
          .motor = {1.0},
          .leaving_k = warm_c + zero_c,
          .cold_leaving_k = cold_c + zero_c,
          .set_point_k = 290.0,
          .stuck_fraction = moves_freely};
}

double heat_of(const PlateExchanger::Params& plates, const PlateExchanger::Now& now) {
  return effect_of<PlateExchanger>(plates, now).cold.heat_w;
}

/// Where the warm liquid ends after two hours, K, its controls running: steps of a quarter of a second.
double settled_k(const PlateExchanger::Params& plates, PlateExchanger::Now now, double set_k) {
  constexpr double step_s = 0.25;
  now.set_point_k = set_k;
  const double held_j_per_k = plates.warm_volume_m3 * 998.0 * water_heat;
  for (int step = 0; step < 4 * 7200; ++step) {
    const PlateExchanger::Effect done = effect_of<PlateExchanger>(plates, now);
    const double carried_w = now.warm.flow_kg_per_s * water_heat * (now.warm.temperature_k - now.leaving_k);
    now.leaving_k += step_s * (carried_w + done.warm.heat_w) / held_j_per_k;
    now.state.valve_fraction += step_s * done.rate.valve_fraction;
    now.state.sensor_k += step_s * done.rate.sensor_k;
    now.state.integral_fraction += step_s * done.rate.integral_fraction;
  }
  return now.leaving_k;
}

/// A value of a published trajectory at the last time before `time_s`.
double published(const std::string& name, const std::string& column, double time_s) {
  std::ifstream file(std::string(tests::reference_data()) + "/modelica_dc/" + name);
  REQUIRE(file);
  std::string line, cell;
  std::getline(file, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  const auto at = std::ranges::find(names, column) - names.begin();
  double value = 0.0;
  while (std::getline(file, line)) {
    std::vector<double> values;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    if (values.front() < time_s) value = values.at(static_cast<std::size_t>(at));
  }
  return value;
}

void check_published(const std::string& what, double ours_k, double theirs_k) {
  constexpr double tolerance_k = 1.5e-5;
  INFO(what);
  CHECK(ours_k == Approx(theirs_k).epsilon(0.0).margin(tolerance_k));
  tests::report_verification({.case_name = what,
                              .source = "modelica_buildings",
                              .quantity = "temperature of the water that leaves",
                              .ours = ours_k,
                              .theirs = theirs_k,
                              .tolerance = tolerance_k,
                              .unit = "K"});
}

/// The reference hall on a winter day, with facility water of 15 degC.
std::vector<std::string> winter(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides{"weather.design_day=winter", "hall.cooling.facility.supply_temperature=15 degC",
                                     "sequences=null",
                                     "hall.cooling.facility.pumps={count: 8, duty: 6, hardware: water_pump_77kgs}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return overrides;
}

/// A column of all parts of a kind.
std::vector<double> column_of(const tests::ScenarioRun& hall, std::string_view kind, std::string_view name) {
  const twin::ReadPlant read{hall.evaluation().signals, hall.evaluation().sinks};
  const std::size_t number = twin::part_kind_number(kind);
  const twin::PartSet& set = *hall.plant.components[number];
  std::vector<double> values;
  for (const twin::NamedPart& part : hall.plant.named) {
    if (part.kind == kind)
      values.push_back(set.column_of(values.size(), twin::column_number(twin::part_kinds()[number], name), read));
  }
  return values;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

TEST_CASE("plates exchange what their mean logarithmic difference of temperatures says", "[plate_exchanger]") {
  for (const auto& [warm_kg_per_s, cold_kg_per_s] : {std::pair{120.0, 120.5}, std::pair{60.0, 120.0}}) {
    for (const double ua : {2e5, 8e5, 3e6}) {
      CAPTURE(warm_kg_per_s, cold_kg_per_s, ua);
      PlateExchanger::Params plates = exchanger(ua, 120.0, 120.0);
      plates.flow_exponent = 0.0;
      const double heat_w = heat_of(plates, now_at(25.0, warm_kg_per_s, 15.0, cold_kg_per_s));
      const double warm_end_k = 10.0 - heat_w / (cold_kg_per_s * water_heat);
      const double cold_end_k = 10.0 - heat_w / (warm_kg_per_s * water_heat);
      CHECK(heat_w == Approx(ua * (warm_end_k - cold_end_k) / std::log(warm_end_k / cold_end_k)).epsilon(1e-9));
    }
  }
}

TEST_CASE("films of plates follow the flow that passes them", "[plate_exchanger]") {
  PlateExchanger::Params plates = exchanger(8e5, 120.0, 100.0);
  plates.warm_share_fraction = 0.4;
  const double warm = 0.7 * 90.0, cold = 70.0;  // seven tenths of 90 kg/s through the plates
  const double ua = 8e5 / (0.4 * std::pow(warm / 120.0, -0.8) + 0.6 * std::pow(cold / 100.0, -0.8));
  const double heat_w = heat_of(plates, now_at(25.0, 90.0, 15.0, cold, 0.7));
  const double warm_end_k = 10.0 - heat_w / (cold * water_heat), cold_end_k = 10.0 - heat_w / (warm * water_heat);
  CHECK(heat_w == Approx(ua * (warm_end_k - cold_end_k) / std::log(warm_end_k / cold_end_k)).epsilon(1e-9));
  CHECK(heat_of(plates, now_at(25.0, 0.0, 15.0, cold)) == 0.0);
  CHECK(heat_of(plates, now_at(25.0, 90.0, 15.0, 0.0)) == 0.0);
}

TEST_CASE("an exchanger of constant effectiveness ends where a published economiser does", "[plate_exchanger][data]") {
  PlateExchanger::Params plates = exchanger(1e6, 61.12, 71.91);
  plates.constant_effectiveness_fraction = 0.8;
  plates.pump_pressure_pa = 1e-6;  // theirs has no pump
  const std::string free = "wse_outlet_control.csv", held = "wse_hx_bypass_control.csv";
  const double set_k = zero_c + 13.56;  // that it cannot reach
  check_published("economiser of a published plant, tower water of 12.78 degC",
                  settled_k(plates, now_at(25.28, 61.12, 12.78, 71.91), set_k), published(free, "TSup.T", 7100.0));
  check_published("economiser of a published plant, tower water of 18.33 degC",
                  settled_k(plates, now_at(25.28, 61.12, 18.33, 71.91), set_k), published(free, "TSup.T", 14401.0));
  const PlateExchanger::Now even = now_at(25.28, 10.35, 12.78, 10.35, 0.2);
  plates.warm_volume_m3 = 0.1;
  check_published("exchanger with a valve around it", settled_k(plates, even, published(held, "TSet.y", 3601.0)),
                  published(held, "TSen1.T", 3601.0));
  check_published("exchanger without a valve around it", settled_k(plates, even, 280.0),
                  published(held, "TSen2.T", 3601.0));
}

TEST_CASE("an exchanger whose cold water is too warm closes its valve and rests its pump", "[plate_exchanger]") {
  const PlateExchanger::Params plates = exchanger(8e5, 120.0, 120.0);
  const auto rates_with = [&](double cold_c) {
    PlateExchanger::Now now = now_at(22.0, 120.0, cold_c, 120.0);
    now.state.pump_fraction = 1.0;
    now.state.integral_fraction = 1.0;
    return effect_of<PlateExchanger>(plates, now).rate;
  };
  CHECK(rates_with(24.0).valve_fraction == Approx(-1.0 / 30.0));
  CHECK(rates_with(24.0).pump_fraction == Approx(-1.0 / 3.0));
  CHECK(rates_with(21.5).valve_fraction == Approx(-0.5 / 30.0));  // half of the kelvin that it takes
  CHECK(rates_with(15.0).valve_fraction == Approx(0.0).margin(1e-12));
  CHECK(rates_with(15.0).pump_fraction == Approx(0.0).margin(1e-12));
}

TEST_CASE("the pump of an exchanger warms what it moves, its loss what is around", "[plate_exchanger]") {
  const PlateExchanger::Params plates = exchanger(8e5, 120.0, 120.0);
  PlateExchanger::Now now = now_at(20.0, 120.0, 20.0, 120.0);
  now.state.pump_fraction = 1.0;
  const PlateExchanger::Effect done = effect_of<PlateExchanger>(plates, now);
  const double moved_w = 120.0 / 998.0 * 80e3;
  CHECK(done.warm.heat_w == Approx(moved_w));
  CHECK(done.motor.power_w == Approx(moved_w / 0.7));
  CHECK(done.surroundings.heat_w == Approx(moved_w / 0.7 - moved_w));
}

TEST_CASE("economisers in front of chillers take their load on a winter day, and energy closes", "[plate_exchanger]") {
  using Run = tests::ScenarioRun;
  const std::string warm = "warm: {from: chilled_water.return, to: chilled_water.";
  const std::string cold = "cold: {from: facility.supply, to: facility.return}";
  Run without("h100_10k", winter(), Run::By::multirate);
  without.until(3600.0);
  const double load_w = sum_of(column_of(without, "chiller", "heat"));
  for (const std::string to : {"return", "supply"}) {
    CAPTURE(to);
    Run with(
        "h100_10k",
        winter({"parts={economiser: {hardware: plate_exchanger_2500kw, count: 2, " + warm + to + "}, " + cold + "}}"}),
        Run::By::multirate);
    with.until(3600.0);
    const std::vector<double> heats_w = column_of(with, "plate_exchanger", "heat");
    REQUIRE(heats_w.size() == 2);
    CHECK(heats_w[0] == Approx(heats_w[1]));
    CHECK(sum_of(heats_w) > 0.5 * load_w);
    CHECK(sum_of(heats_w) + sum_of(column_of(with, "chiller", "heat")) == Approx(load_w).epsilon(0.05));
    CHECK(with.used_j("chiller") < 0.8 * without.used_j("chiller"));
    CHECK(with.used_j("plate_exchanger") > 0.0);
    for (const double leaving_k : column_of(with, "plate_exchanger", "supply_temperature"))
      CHECK(leaving_k > zero_c + 19.8);  // the set-point of the chilled water, not below
    // Staging looks at heat: fewer machines run than the flow of doors asks for, and some return water passes them by.
    CHECK(with.node_k("chilled_water.supply") == Approx(zero_c + 20.0).margin(1.5));
    CHECK(std::abs(with.energy_residual()) < 1e-9);
  }
}

TEST_CASE("economisers rest while the facility water is too warm for them", "[plate_exchanger]") {
  tests::ScenarioRun hall(
      "h100_10k",
      {"weather.design_day=summer", "hall.cooling.facility.supply_temperature=26 degC", "sequences=null",
       "parts={economiser: {hardware: plate_exchanger_2500kw, warm: {from: chilled_water.return, to: "
       "chilled_water.return}, cold: {from: facility.supply, to: facility.return}}}"},
      tests::ScenarioRun::By::multirate);
  hall.until(600.0);
  CHECK(column_of(hall, "plate_exchanger", "heat").at(0) == Approx(0.0).margin(1e3));  // of 2.5 MW: what stands in it
  CHECK(column_of(hall, "plate_exchanger", "flow").at(0) == Approx(0.0).margin(0.1));
  CHECK(hall.use_w("plate_exchanger") == Approx(0.0).margin(1.0));
}

TEST_CASE("drops of pressure follow the square of the flow over the design flow of their own side",
          "[plate_exchanger]") {
  PlateExchanger::Params plates = exchanger(8e5, 120.0, 100.0);
  plates.warm_pressure_drop_pa = 60e3;
  plates.cold_pressure_drop_pa = 45e3;
  const PlateExchanger::Now now = now_at(25.0, 90.0, 15.0, 80.0);
  const auto column = [&](std::string_view name) {
    for (const auto& one : PlateExchanger::columns())
      if (one.name == name) return one.value(Instant<PlateExchanger>{plates, now, {}, 0.0});
    return -1.0;
  };
  CHECK(column("pressure_drop") == Approx(60e3 * 0.75 * 0.75));
  CHECK(column("cold_pressure_drop") == Approx(45e3 * 0.8 * 0.8));
}
