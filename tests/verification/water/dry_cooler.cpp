// A dry cooler against design points and laws.
//
//   plant at its design point    1 MW, liquid from 44 to 39 degC with outdoor air of 36 degC, fans at full speed: the end of two
//                                published trajectories, glycol and water [modelica_buildings]
//   data sheet                   2,931 kW, water from 46.11 to 40.55 degC with air of 35.0 degC [modelica_buildings]
//   exchanger                    eps(NTU, C_r) of [incropera2011] eq. 11.32, written out here
//   films                        1/UA = (1/UA_0) (s (m/m_0)^-0.85 + (1 - s) a^-0.8); fans P_0 f^3; at standstill an eighth of the air
//
// Tolerances: 7e-3 K, as far as the trajectories are from their own design; 0.5 % of the data sheet, whose conductance is rounded.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "physics/water/dry_cooler.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, water_heat = 4184.0, glycol_heat = 3944.64, air_heat = 1006.0;

double crossflow(double ntu, double cr) {
  return 1.0 - std::exp(std::pow(ntu, 0.22) / cr * (std::exp(-cr * std::pow(ntu, 0.78)) - 1.0));
}

/// Watts per kelvin between the inlets.
double exchanged(double liquid_rate, double air_rate, double ua) {
  const double smaller = std::min(liquid_rate, air_rate), larger = std::max(liquid_rate, air_rate);
  return crossflow(ua / smaller, smaller / larger) * smaller;
}

/// The conductance with which that much is exchanged, by halving.
double conductance_for(double w_per_k, double liquid_rate, double air_rate) {
  double low = 1e3, high = 1e8;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (exchanged(liquid_rate, air_rate, middle) < w_per_k ? low : high) = middle;
  }
  return low;
}

/// 1 MW at the design point of the published plant, whatever flow of air it is built for.
DryCooler::Params plant_cooler(double liquid_heat, double air_kg_per_s) {
  DryCooler::Params cooler;
  cooler.rated_heat_w = 1e6;
  cooler.design_flow_kg_per_s = 1e6 / (5.0 * liquid_heat);
  cooler.design_airflow_kg_per_s = air_kg_per_s;
  cooler.conductance_w_per_k = conductance_for(1e6 / 8.0, 1e6 / 5.0, air_kg_per_s * air_heat);
  cooler.fan_power_w = 50e3;
  cooler.volume_m3 = 0.2;
  cooler.pump_pressure_pa = 100e3;
  return cooler;
}

DryCooler::Now now_at(double flow, double liquid_heat, double in_c, double air_c, double fan) {
  return {.liquid = {in_c + zero_c, flow, liquid_heat},
          .state = {0.0, fan, in_c + zero_c, 0.0},
          .outside = {air_c + zero_c, air_c + zero_c, 0.0, 101325.0},
          .motor = {1.0},
          .leaving_k = in_c + zero_c,
          .set_point_k = 300.0,
          .fan_failed = 0.0};
}

double heat_of(const DryCooler::Params& cooler, const DryCooler::Now& now) {
  return -effect_of<DryCooler>(cooler, now).liquid.heat_w;
}

/// Temperatures at which a published trajectory ends, K: into the cooler, out of it.
std::pair<double, double> end_of(const std::string& name) {
  std::ifstream file(std::string(tests::reference_data()) + "/modelica_dc/" + name);
  REQUIRE(file);
  std::string line, last, cell;
  std::vector<std::string> names, values;
  std::getline(file, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  while (std::getline(file, line)) last = line;
  for (std::istringstream cells(last); std::getline(cells, cell, ',');) values.push_back(cell);
  const auto value = [&](const std::string& column) {
    return std::stod(values.at(static_cast<std::size_t>(std::ranges::find(names, column) - names.begin())));
  };
  return {value("senTTow_a.T"), value("senTTow_b.T")};
}

const std::vector<std::string> six_coolers{
    "hall.cooling.facility.towers=null",
    "parts={cooler: {hardware: dry_cooler_2900kw, count: 6, liquid: {from: facility.return, to: facility.supply}}}"};

}  // namespace

TEST_CASE("a dry cooler leaves the liquid of a published plant as warm as it was designed for", "[dry_cooler][data]") {
  for (const auto& [name, liquid_heat] :
       {std::pair{"plant_wse_design_glycol.csv", glycol_heat}, std::pair{"plant_wse_design_water.csv", water_heat}}) {
    const auto [in_k, out_k] = end_of(name);
    for (const double air_kg_per_s : {140.0, 260.0}) {
      CAPTURE(name, air_kg_per_s);
      const DryCooler::Params cooler = plant_cooler(liquid_heat, air_kg_per_s);
      const double heat_w = heat_of(cooler, now_at(cooler.design_flow_kg_per_s, liquid_heat, in_k - zero_c, 36.0, 1.0));
      CHECK(in_k - heat_w / (cooler.design_flow_kg_per_s * liquid_heat) == Approx(out_k).margin(7e-3));
    }
  }
}

TEST_CASE("the dry cooler of the library rejects what its data sheet says", "[dry_cooler]") {
  tests::ScenarioRun hall("h100_10k", six_coolers);
  const auto& cooler = std::any_cast<const DryCooler::Params&>(hall.scenario.parts.front().params);
  const double heat_w = heat_of(cooler, now_at(cooler.design_flow_kg_per_s, 4180.0, 46.11, 35.0, 1.0));
  CHECK(heat_w == Approx(2931e3).epsilon(5e-3));
  CHECK(heat_w == Approx(126.1 * 4180.0 * (46.11 - 40.55)).epsilon(5e-3));
}

// A kelvin between set-point and air counts twice here, because the inlet warms as well: 1 %.
TEST_CASE("what a dry cooler can do at its set-point is what its data sheet says there", "[dry_cooler]") {
  tests::ScenarioRun hall("h100_10k", six_coolers);
  const auto& cooler = std::any_cast<const DryCooler::Params&>(hall.scenario.parts.front().params);
  for (const double in_c : {41.0, 46.11, 60.0}) {  // whatever comes now, and however slowly its fans turn
    DryCooler::Now now = now_at(126.1, 4180.0, in_c, 35.0, 0.2);
    now.set_point_k = 40.55 + zero_c;
    CHECK(DryCooler::most_heat_at_set_point_w(cooler, now) == Approx(2931e3).epsilon(1e-2));
    now.outside.dry_bulb_k = 40.6 + zero_c;
    CHECK(DryCooler::most_heat_at_set_point_w(cooler, now) == 0.0);
    now.liquid.flow_kg_per_s = 0.0;
    CHECK(std::isinf(DryCooler::most_heat_at_set_point_w(cooler, now)));
  }
  DryCooler::Now now = now_at(100.0, 4180.0, 45.0, 33.0, 1.0);  // its pump on: the liquid brings less
  now.set_point_k = 40.0 + zero_c;
  now.state.pump_fraction = 1.0;
  const double heat_w = DryCooler::most_heat_at_set_point_w(cooler, now);
  now.liquid.temperature_k = now.set_point_k + heat_w / (100.0 * 4180.0);
  CHECK(heat_of(cooler, now) == Approx(heat_w).epsilon(1e-9));
}

TEST_CASE("films, fans and draught of a dry cooler follow their laws", "[dry_cooler]") {
  const DryCooler::Params cooler = plant_cooler(water_heat, 200.0);
  struct Point {
    double flow_share, fan, power_ratio;  // of motor and drive by hand: fan_drive.cpp
  };
  for (const auto& [flow_share, fan, power_ratio] :
       {Point{1.0, 0.5, 0.157148896}, Point{0.6, 1.0, 1.0}, Point{0.8, 0.0, 0.0}}) {
    CAPTURE(flow_share, fan);
    const double flow = flow_share * cooler.design_flow_kg_per_s;
    const double air = std::max(fan, 0.125);
    const double ua =
        cooler.conductance_w_per_k / (std::pow(flow_share, -0.85) / 3.0 + 2.0 / 3.0 * std::pow(air, -0.8));
    const DryCooler::Now now = now_at(flow, water_heat, 40.0, 20.0, fan);
    CHECK(heat_of(cooler, now) ==
          Approx(20.0 * exchanged(flow * water_heat, air * 200.0 * air_heat, ua)).epsilon(1e-3));
    CHECK(effect_of<DryCooler>(cooler, now).motor.power_w == Approx(50e3 * power_ratio));
  }
  CHECK(heat_of(cooler, now_at(0.0, water_heat, 40.0, 20.0, 1.0)) == 0.0);
}

TEST_CASE("the pump of a dry cooler draws what it moves against its pressure, and warms the liquid by it",
          "[dry_cooler]") {
  const DryCooler::Params cooler = plant_cooler(water_heat, 200.0);
  DryCooler::Now now = now_at(cooler.design_flow_kg_per_s, water_heat, 30.0, 30.0, 0.0);
  now.state.pump_fraction = 1.0;
  const double moved_w = cooler.design_flow_kg_per_s / 998.0 * 100e3;
  CHECK(effect_of<DryCooler>(cooler, now).motor.power_w == Approx(moved_w / 0.7));
  CHECK(effect_of<DryCooler>(cooler, now).liquid.heat_w == Approx(moved_w));
  now.motor.command_fraction = 0.0;
  CHECK(effect_of<DryCooler>(cooler, now).motor.power_w == 0.0);
}

TEST_CASE("six dry coolers hold the facility water of a hall, and their heat is what the water left", "[dry_cooler]") {
  tests::ScenarioRun hall("h100_10k", six_coolers, tests::ScenarioRun::By::multirate);
  hall.until(600.0);
  const twin::ReadPlant read{hall.evaluation().signals, hall.evaluation().sinks};
  const std::size_t number = twin::part_kind_number(DryCooler::kind);
  const auto column = [&](std::size_t part, std::string_view name) {
    const auto& columns = twin::part_kinds()[number].columns;
    const auto at = std::ranges::find(columns, name, &twin::PartColumn::name) - columns.begin();
    return hall.plant.components[number]->column_of(part, static_cast<std::size_t>(at), read);
  };
  double fans_w = 0.0;
  for (std::size_t part = 0; part < 6; ++part) {
    CHECK(column(part, "supply_temperature") == Approx(zero_c + 24.0).margin(0.1));
    const double drop_k = column(part, "return_temperature") - column(part, "supply_temperature");
    CHECK(column(part, "heat") == Approx(column(part, "flow") * 4184.0 * drop_k).epsilon(2e-3));
    fans_w += column(part, "power");
  }
  CHECK(fans_w > 0.0);
  const twin::SystemPart& water = system_named(hall.plant, "facility");
  const auto flow = [&](std::size_t of) { return hall.evaluation().signals[hall.plant.map.flow(of)]; };
  CHECK(hall.node_k(water.supply_node) == Approx(zero_c + 24.0).margin(0.1));
  CHECK(flow(water.source_flow) == Approx(6.0 * 126.1).epsilon(1e-9));
  double condensers = 0.0;
  for (const twin::NamedPart& part : hall.plant.named) {
    if (part.kind == "chiller") condensers += hall.link_kg_per_s(part.name + ".condenser_supply");
  }
  CHECK(flow(water.source_flow) == Approx(flow(water.load_flow) + flow(water.bypass_flow) + condensers).epsilon(1e-9));
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}
