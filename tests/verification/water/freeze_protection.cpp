// Towers and dry coolers in air that would freeze their water.
//
//   bound        C dT/dt = m c (T_in - T) - share(T) Q(T_in),  share = (T - T_lowest) / 2 K from 0 to 1: in steady state
//                T = T_in - Q / (m c) where that is at least 2 K above T_lowest, else the root of a straight line between; never below T_lowest
//   control      R^(x - 1) of the heat by natural draught at x of the output at which fans turn no more, R = 50, a straight line through 0 below 1 / ln R
//   makers       towers 43 degF = 6.1 degC [bac_series_3000], water in closed coils 50 degF = 10 degC [evapco_cold_weather]
#include <cmath>

#include "physics/water/dry_cooler.hpp"
#include "physics/water/tower_cell.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, water_heat = 4180.0;

/// Where the water that leaves is in steady state, given what its whole way to the air would take, by the straight line of the header.
double resting_k(double inlet_k, double whole_fall_k, double lowest_k) {
  const double unprotected_k = inlet_k - whole_fall_k;
  if (unprotected_k >= lowest_k + 2.0) return unprotected_k;
  return (inlet_k + 0.5 * whole_fall_k * lowest_k) / (1.0 + 0.5 * whole_fall_k);
}

/// The same by letting a volume of 10 s of flow come to rest; `heat_w(leaving_k)` is what leaves it.
template <class Heat>
double settled_k(double inlet_k, double rate_w_per_k, const Heat& heat_w) {
  double leaving_k = inlet_k;
  for (int step = 0; step < 4000; ++step)
    leaving_k += 0.1 * (inlet_k - leaving_k - heat_w(leaving_k) / rate_w_per_k) / 10.0;
  return leaving_k;
}

DryCooler::Params cooler_2900kw() {
  DryCooler::Params cooler;
  cooler.rated_heat_w = 2931e3;
  cooler.conductance_w_per_k = 845e3;
  cooler.design_flow_kg_per_s = 126.1;
  cooler.design_airflow_kg_per_s = 364.0;
  cooler.fan_power_w = 117.7e3;
  cooler.volume_m3 = 0.5;
  cooler.pump_pressure_pa = 150e3;
  return cooler;
}

TowerCell::Params cell_2500kw() {
  TowerCell::Params cell{};
  cell.tower.rated_heat_w = 2.5e6;
  cell.tower.water_design_flow_kg_per_s = 85.4;
  cell.tower.liquid_to_air_ratio = 0.875;
  cell.tower.fan_power_w = 30e3;
  cell.tower.basin_volume_m3 = 5.0;
  cell.pump.rated_flow_kg_per_s = cell.pump.pressure_pa = 1.0;
  return cell;
}

}  // namespace

TEST_CASE("a dry cooler with its fans off never makes its liquid colder than its freeze protection", "[freezing]") {
  const DryCooler::Params cooler = cooler_2900kw();
  CHECK(cooler.lowest_leaving_k == Approx(zero_c + 10.0));
  const double flow = cooler.design_flow_kg_per_s, rate = flow * water_heat;
  for (const double air_c : {15.0, -5.0, -23.0, -40.0}) {
    for (const double inlet_c : {40.0, 18.0, 12.5, 10.5}) {
      CAPTURE(air_c, inlet_c);
      DryCooler::Now now{};
      now.liquid = {inlet_c + zero_c, flow, water_heat};
      now.outside.dry_bulb_k = air_c + zero_c;
      now.outside.pressure_pa = 99e3;
      now.state.integral_fraction = 1.0;  // control leaves all open
      now.state.sensor_k = now.set_point_k = 40.0 + zero_c;
      const auto heat_w = [&](double leaving_k) {
        now.leaving_k = leaving_k;
        return -effect_of<DryCooler>(cooler, now).liquid.heat_w;
      };
      const double leaving_k = settled_k(inlet_c + zero_c, rate, heat_w);
      if (air_c < inlet_c) {
        CHECK(leaving_k == Approx(resting_k(inlet_c + zero_c, heat_w(400.0) / rate, zero_c + 10.0)).margin(1e-6));
      }
      CHECK(leaving_k >= zero_c + 10.0);
    }
  }
}

TEST_CASE("a tower cell bypasses its fill before its basin freezes, and nothing evaporates then", "[freezing]") {
  const TowerCell::Params cell = cell_2500kw();
  CHECK(cell.tower.lowest_leaving_k == Approx(zero_c + 6.1).margin(0.01));
  const double flow = cell.tower.water_design_flow_kg_per_s, rate = flow * water_heat;
  for (const double wet_c : {5.0, -12.0, -25.0}) {
    for (const double inlet_c : {30.0, 12.0, 7.0}) {
      CAPTURE(wet_c, inlet_c);
      TowerCell::Now now{};
      now.water = {inlet_c + zero_c, flow, water_heat};
      now.outside = {.dry_bulb_k = wet_c + 0.5 + zero_c,
                     .wet_bulb_k = wet_c + zero_c,
                     .humidity_ratio = 5e-4,
                     .pressure_pa = 99e3};
      now.sensor_k = now.set_point_k = 24.0 + zero_c;
      now.integral_fraction = 1.0;  // control leaves all open
      const auto heat_w = [&](double leaving_k) {
        now.leaving_k = leaving_k;
        return -effect_of<TowerCell>(cell, now).water.heat_w;
      };
      const double leaving_k = settled_k(inlet_c + zero_c, rate, heat_w);
      CHECK(leaving_k ==
            Approx(resting_k(inlet_c + zero_c, heat_w(400.0) / rate, cell.tower.lowest_leaving_k)).margin(1e-6));
      CHECK(leaving_k > zero_c + 6.0);
      now.leaving_k = cell.tower.lowest_leaving_k;
      CHECK(effect_of<TowerCell>(cell, now).outside.water_kg_per_s == 0.0);
      CHECK(effect_of<TowerCell>(cell, now).outside.heat_w == 0.0);
    }
  }
}

TEST_CASE("where natural draught takes too much, the controller of the fans closes the way to the air", "[freezing]") {
  DryCooler::Now liquid{};
  liquid.liquid = {320.0, 100.0, water_heat};
  liquid.outside.dry_bulb_k = 250.0;
  liquid.outside.pressure_pa = 99e3;
  liquid.leaving_k = liquid.set_point_k = liquid.state.sensor_k = 313.0;
  TowerCell::Now water{};
  water.water = {305.0, 80.0, water_heat};
  water.outside = {.dry_bulb_k = 260.0, .wet_bulb_k = 259.0, .humidity_ratio = 1e-3, .pressure_pa = 99e3};
  water.leaving_k = water.set_point_k = water.sensor_k = 300.0;
  const DryCooler::Params cooler = cooler_2900kw();
  const TowerCell::Params cell = cell_2500kw();
  const auto taken_w = [&](double of_draught) {
    liquid.state.integral_fraction = of_draught * cooler.draught_fraction;
    water.integral_fraction = of_draught * cell.tower.natural_draught_ratio;
    return std::pair{-effect_of<DryCooler>(cooler, liquid).liquid.heat_w, effect_of<TowerCell>(cell, water).outside};
  };
  const auto [all_w, sky] = taken_w(1.0);
  CHECK(all_w > 300e3);
  for (const double share : {0.0, 0.25, 0.5, 3.0}) {
    CAPTURE(share);
    const auto [cooler_w, cell_sky] = taken_w(share);
    const double position = std::min(share, 1.0);  // 1 / ln 50 = 0.2556: below it a straight line
    const double open =
        position > 0.2556 ? std::pow(50.0, position - 1.0) : position * std::log(50.0) * std::exp(1.0) / 50.0;
    CHECK(cooler_w == Approx(open * all_w).margin(1.0));
    CHECK(cell_sky.heat_w == Approx(open * sky.heat_w).margin(1.0));
    CHECK(cell_sky.water_kg_per_s == Approx(open * sky.water_kg_per_s).margin(1e-9));
  }
}

TEST_CASE("a hall with little load rides through a day of -30 degC on dry coolers and on towers", "[freezing]") {
  const std::vector<std::string> cold{"weather={design_day: winter, offset: -20 K}",
                                      "workload={kind: constant, node_power: 2 kW}", "duration=4 h"};
  for (const bool is_dry : {true, false}) {
    CAPTURE(is_dry);
    std::vector<std::string> overrides = cold;
    if (is_dry) {
      overrides.emplace_back("hall.cooling.facility.towers=null");
      overrides.emplace_back(
          "parts={cooler: {hardware: dry_cooler_2900kw, count: 6, liquid: {from: facility.return, to: "
          "facility.supply}}}");
    }
    tests::ScenarioRun hall("h100_10k", overrides, tests::ScenarioRun::By::multirate);
    hall.until(4.0 * 3600.0);
    const double supply_c = hall.node_k(system_named(hall.plant, "facility").supply_node) - zero_c;
    CHECK(supply_c > (is_dry ? 10.0 : 6.1));
    CHECK(supply_c < 26.0);
    const double set_point_k = hall.state().inputs[system_named(hall.plant, "facility").set_point_input];
    CHECK(supply_c + zero_c == Approx(set_point_k).margin(0.1));
    CHECK(std::abs(hall.energy_residual()) < 1e-9);
  }
}
