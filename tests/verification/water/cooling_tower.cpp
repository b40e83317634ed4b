// York's correlation against published points and a Modelica reference result; the tower around it against
// its own equation and its bounds. Its water: tower_water.cpp.
//
// Source: [modelica_buildings] YorkCalc (approach for range 5.56 K, wet bulb 25.55 degC, L 0.25 to 1.25; heat
// with the fan off one eighth of nominal).
#include "physics/water/cooling_tower.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

#include "physics/water/tower_cell.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double water_heat = 4180.0, design_wet_k = freezing_k + 25.55;

/// 2.5 MW at range 5.56 K, wet bulb 25.55 degC and York's reference flows: approach 3.845 K.
CoolingTowerParams cell_2500kw() {
  CoolingTowerParams cell;
  cell.rated_heat_w = 2.5e6;
  cell.water_design_flow_kg_per_s = 2.5e6 / (water_heat * 5.56);
  cell.fan_power_w = 30e3;
  cell.basin_volume_m3 = 5.0;
  return cell;
}

CoolingTowerNow at(double inlet_k, double wet_k, double fan, double flow_ratio = 1.0) {
  const CoolingTowerParams cell = cell_2500kw();
  return cooling_tower_now(cell, {inlet_k, flow_ratio * cell.water_design_flow_kg_per_s, water_heat}, wet_k, fan);
}

/// A cell of five times that rating, so that the rating is not what holds it; its pump stands.
TowerCell::Params wide_cell() {
  TowerCell::Params cell{};
  cell.tower = cell_2500kw();
  cell.tower.rated_heat_w = 12.5e6;
  cell.pump.rated_flow_kg_per_s = cell.pump.pressure_pa = 1.0;
  return cell;
}

TowerCell::Now cell_now(double inlet_k, double set_point_k, double fan_fraction) {
  TowerCell::Now now{};
  now.water = {inlet_k, cell_2500kw().water_design_flow_kg_per_s, water_heat};
  now.outside.wet_bulb_k = design_wet_k;
  now.outside.pressure_pa = 101325.0;
  now.leaving_k = inlet_k;  // far from freezing
  now.state.fan_fraction = fan_fraction;
  now.sensor_k = now.set_point_k = set_point_k;
  now.integral_fraction = 1.0;  // fans and way to the air as far open as they go
  return now;
}

}  // namespace

TEST_CASE("water that leaves with York's published approach leaves a cell its published range", "[cooling_tower]") {
  const CoolingTowerParams cell = cell_2500kw();
  const PortNow water{0.0, cell.water_design_flow_kg_per_s, water_heat};
  const double heat_w = cooling_tower_heat_w(cell, water, design_wet_k + 3.845, design_wet_k, 1.0);
  CHECK(heat_w == Approx(2.5e6).epsilon(6e-4 / 3.845 * 2.0));  // the approach is published to half a millikelvin
  for (const double wet_c : {-20.0, 0.0, 15.0, 26.0, 32.0}) {  // there and back again, inside the bounds and outside
    for (const double approach_k : {0.3, 1.5, 5.0, 20.0, 45.0}) {
      const double wet_k = freezing_k + wet_c;
      const double range_k = york::range_of_k(0.0, approach_k, wet_k, 1.0);
      CAPTURE(wet_c, approach_k, range_k);
      if (!std::isfinite(range_k)) continue;  // beyond the peak of the polynomial
      CHECK(york::range_k(approach_k + range_k, wet_k, 1.0) == Approx(range_k).epsilon(1e-9));
    }
  }
  CHECK(cooling_tower_heat_w(cell, water, design_wet_k - 1.0, design_wet_k, 1.0) < 0.0);
  for (const double fan : {1.0, 0.3, 0.0}) {  // also where part of the water meets no air
    CoolingTowerParams still = cell;
    still.natural_draught_ratio = 0.05;
    const PortNow warm{design_wet_k + 12.0, cell.water_design_flow_kg_per_s, water_heat};
    const CoolingTowerNow now = cooling_tower_now(still, warm, design_wet_k, fan);
    CHECK(cooling_tower_heat_w(still, warm, now.leaving_k, design_wet_k, fan) == Approx(now.heat_w).epsilon(1e-9));
  }
}

TEST_CASE("what the air leaves of a cell's rating holds its set-point, or is what full fans reject",
          "[cooling_tower]") {
  const TowerCell::Params cell = wide_cell();
  const double set_k = design_wet_k + 3.845 - set_point_tolerance_k;
  // However warm the water is and however fast the fan turns: with the set-point just met.
  for (const double inlet_above_k : {5.0, 9.0})
    CHECK(TowerCell::left_w(cell, cell_now(design_wet_k + inlet_above_k, set_k, 0.4)) == Approx(2.5e6).epsilon(4e-4));
  // Too warm to meet it: York's published point, which is that of 3.845 K, 2 K above the set-point.
  TowerCell::Now warm = cell_now(design_wet_k + 3.845 + 5.56, set_k - 2.0, 1.0);
  warm.sensor_k = set_k;
  CHECK(TowerCell::left_w(cell, warm) == Approx(2.5e6).epsilon(4e-4));
  CHECK(TowerCell::load_w(cell, warm) == TowerCell::left_w(cell, warm));
  TowerCell::Now beside_a_dead_one =
      cell_now(design_wet_k + 6.0, set_k, 1.0);  // its own water is cold enough, the supply is not
  CHECK(TowerCell::load_w(cell, beside_a_dead_one) < 0.9 * TowerCell::left_w(cell, beside_a_dead_one));
  beside_a_dead_one.sensor_k = set_k + 1.0;
  CHECK(TowerCell::load_w(cell, beside_a_dead_one) == TowerCell::left_w(cell, beside_a_dead_one));
  TowerCell::Now failed = warm;
  failed.fan_failed = 1.0;
  CHECK(TowerCell::left_w(cell, failed) == TowerCell::left_w(cell, warm));  // it still turns
  failed.state.fan_fraction = 0.0;
  CHECK(TowerCell::left_w(cell, failed) == Approx(2.5e6 / 8.0).epsilon(0.05));  // by natural draught
  TowerCell::Params rated = cell;
  rated.tower.rated_heat_w = 2e6;
  CHECK(TowerCell::left_w(rated, warm) == 2e6);
  TowerCell::Now colder = warm;
  colder.water.temperature_k = design_wet_k - 5.0;
  CHECK(TowerCell::load_w(cell, colder) == 0.0);
  TowerCell::Now dry = warm;
  dry.water.flow_kg_per_s = 0.0;
  CHECK(TowerCell::left_w(cell, dry) == Approx(0.01 * 12.5e6));
}

TEST_CASE("the approach has York's published values", "[cooling_tower]") {
  struct Point {
    double range_k, wet_bulb_c, approach_k;
  };
  for (const auto& [range_k, wet_bulb_c, approach_k] :
       {Point{5.56, 25.55, 3.845}, Point{5.56, 20.0, 5.058}, Point{5.56, 10.0, 7.771}, Point{10.0, 20.0, 7.964}}) {
    const double ours_k = york::approach_k(range_k, freezing_k + wet_bulb_c, 1.0);
    CHECK(std::abs(ours_k - approach_k) < 6e-4);
  }
}

TEST_CASE("the approach over water and air follows the Modelica reference", "[cooling_tower][data]") {
  const std::string folder = tests::reference_data();
  std::ifstream file(folder + "/modelica/Fluid_HeatExchangers_CoolingTowers_Correlations_Examples_YorkCalc.csv");
  REQUIRE(file);
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    double time = 0.0, of_water_k = 0.0, of_air_k = 0.0;
    char comma = 0;
    std::istringstream(line) >> time >> comma >> of_water_k >> comma >> of_air_k;
    const double approach_k = york::approach_k(5.56, design_wet_k, 0.25 + time);
    CHECK(approach_k == Approx(of_water_k).epsilon(1e-6));
    if (rows == 50) {
      tests::report_verification({"York's correlation as Modelica has it, range 5.56 K, wet bulb 25.55 degC, L 0.75",
                                  "modelica_buildings", "approach", approach_k, of_water_k, 1e-6 * of_water_k, "K"});
    }
    CHECK(york::approach_k(5.56, design_wet_k, 1.0 / (0.25 + time)) == Approx(of_air_k).epsilon(1e-6));
    ++rows;
  }
  CHECK(rows == 101);
}

TEST_CASE("the cell at its design point has York's approach and range", "[cooling_tower]") {
  const double approach_k = york::approach_k(5.56, design_wet_k, 1.0);
  const CoolingTowerNow now = at(design_wet_k + approach_k + 5.56, design_wet_k, 1.0);
  CHECK(now.leaving_k - design_wet_k == Approx(approach_k).epsilon(1e-10));
  CHECK(now.heat_w == Approx(2.5e6).epsilon(1e-10));
  CHECK(now.fan_power_w == Approx(30e3).epsilon(1e-12));
}

TEST_CASE("inside the bounds range and approach add up to the driving difference", "[cooling_tower]") {
  int inside = 0;
  for (double wet_c : {-30.0, -10.0, 5.0, 15.0, 26.0}) {
    for (double ratio : {0.8, 1.0, 1.25, 2.0, 4.0, 7.9}) {
      for (double driving_k = 1.0; driving_k < 50.0; driving_k += 1.7) {
        const double range = york::range_k(driving_k, freezing_k + wet_c, ratio);
        const double approach = york::approach_k(range, freezing_k + wet_c, ratio);
        if (range < 1.1 || range > 22.2 || approach > 40.0) continue;
        ++inside;
        CHECK(range + approach == Approx(driving_k).epsilon(1e-9));
      }
    }
  }
  CHECK(inside > 300);
}

TEST_CASE("heat rises with the inlet without a jump of value or slope, inside and outside the bounds",
          "[cooling_tower]") {
  for (double wet_c : {-40.0, -34.4, -20.0, 0.0, 15.0, 26.7, 32.0}) {
    for (double ratio : {0.1, 0.75, 1.0, 2.5, 3.5, 5.0, 8.0, 20.0}) {
      const auto slope = [&](double driving_k) {
        const auto range = [&](double k) { return york::range_k(k, freezing_k + wet_c, ratio); };
        return (range(driving_k + 1e-7) - range(driving_k - 1e-7)) / 2e-7;
      };
      CHECK(york::range_k(0.0, freezing_k + wet_c, ratio) == 0.0);
      CAPTURE(wet_c, ratio);
      for (double start_k = -10.0; start_k < 150.0; start_k += 0.02) {
        // A bend becomes smaller in a smaller interval, a kink does not.
        double from_k = start_k, to_k = start_k + 0.02;
        double bend = std::abs(slope(to_k) - slope(from_k));
        for (int halving = 0; halving < 14 && bend > 0.02; ++halving) {
          const double middle_k = 0.5 * (from_k + to_k), in_middle = slope(middle_k);
          const bool is_before = std::abs(in_middle - slope(from_k)) > std::abs(slope(to_k) - in_middle);
          (is_before ? to_k : from_k) = middle_k;
          bend = std::abs(slope(to_k) - slope(from_k));
        }
        const double at_start = slope(start_k);
        if (!(at_start > 0.0 && at_start <= 1.0 + 1e-6)) FAIL("slope " << at_start << " at " << start_k << " K");
        if (bend > 0.02) FAIL("slope jumps by " << bend << " at " << from_k << " K");
      }
    }
  }
}

TEST_CASE("more air never rejects less heat, and natural draught rejects an eighth with the fan off",
          "[cooling_tower]") {
  for (double wet_c : {-15.0, 0.0, 10.0, 25.55}) {
    for (double inlet_c : {30.0, 35.0, 42.0}) {
      double before_w = at(freezing_k + inlet_c, freezing_k + wet_c, 0.0).heat_w;
      for (double fan = 0.0; fan <= 1.0; fan += 0.01) {
        const double heat_w = at(freezing_k + inlet_c, freezing_k + wet_c, fan).heat_w;
        CHECK(heat_w >= before_w);
        CHECK(heat_w - before_w < 0.05 * at(freezing_k + inlet_c, freezing_k + wet_c, 1.0).heat_w);
        before_w = heat_w;
      }
    }
  }
  const double inlet_k = design_wet_k + 5.56 + york::approach_k(5.56, design_wet_k, 1.0);
  const double share = at(inlet_k, design_wet_k, 0.0).heat_w / 2.5e6;
  CHECK(std::abs(share - 0.125) < 0.01);
}

TEST_CASE("fan power falls with the cube of the speed, less what motor and drive lose", "[cooling_tower]") {
  CHECK(at(305.0, 290.0, 0.5).fan_power_w == Approx(30e3 * 0.157148896).epsilon(1e-6));  // by hand: fan_drive.cpp
  CHECK(at(305.0, 290.0, 0.0).fan_power_w == 0.0);
}

TEST_CASE("a cell without water does nothing, and nothing is ever not a number", "[cooling_tower]") {
  CHECK(at(305.0, 290.0, 1.0, 0.0).heat_w == 0.0);
  for (double wet_c : {-60.0, 0.0, 45.0}) {
    for (double inlet_c : {-20.0, 10.0, 95.0}) {
      for (double fan : {0.0, 0.05, 1.0, 1.2}) {
        for (double flow : {-1.0, 0.0, 1e-9, 0.3, 3.0, 50.0}) {
          const CoolingTowerNow now = at(freezing_k + inlet_c, freezing_k + wet_c, fan, flow);
          CHECK(std::isfinite(now.heat_w));
          CHECK(std::isfinite(now.leaving_k));
          CHECK((now.leaving_k - freezing_k - wet_c) * (inlet_c - wet_c) >= 0.0);  // never past the wet bulb
        }
      }
    }
  }
}

TEST_CASE("a cell built for a rated approach reaches it", "[cooling_tower]") {
  for (double approach_k : {3.0, 4.0, 7.0}) {
    CoolingTowerParams cell = cell_2500kw();
    cell.liquid_to_air_ratio = liquid_to_air_of_rating(5.56, approach_k, freezing_k + 24.0);
    const CoolingTowerNow now =
        cooling_tower_now(cell, {freezing_k + 24.0 + 5.56 + approach_k, cell.water_design_flow_kg_per_s, water_heat},
                          freezing_k + 24.0, 1.0);
    CHECK(now.leaving_k == Approx(freezing_k + 24.0 + approach_k).epsilon(1e-10));
  }
}
