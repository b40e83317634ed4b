// Water that evaporates in a tower, against the balance of its air by hand with another formula of the saturation pressure.
//
//   G (h_out - h_in) = Q,   W_out = W_s(h_out),   evaporation = G (W_out - W_in),   h = 1.006 t + W (2501 + 1.86 t) kJ/kg
//   p_ws = (1.0016 + 3.15e-6 p - 0.074 / p) 6.112 exp(17.62 t / (243.12 + t)),  pressures in hPa
//
// Source: [wmo_guide8] annex 4.B for the saturation pressure, with the enhancement that our own formula leaves out;
// [ashrae_fundamentals2017] ch. 1 table 2 (saturated air at 101,325 Pa). Tolerance 1 %: what leaving the enhancement out is
// said to cost in docs/models/moist_air.md. Rule of thumb: 0.85 % of the water for 5.56 K of range [perry2008] sec. 12; 0.2 %
// for 1 K, the default of EnergyPlus where no balance is made [energyplus_io_reference].
#include <cmath>
#include <limits>
#include <string>

#include "physics/water/cooling_tower.hpp"
#include "physics/weather/weather.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double water_heat = 4180.0;

/// A cell of 2.5 MW: 85.4 kg/s of water over 81.3 kg/s of dry air.
CoolingTowerParams cell_2500kw() {
  CoolingTowerParams cell;
  cell.rated_heat_w = 2.5e6;
  cell.water_design_flow_kg_per_s = 85.4;
  cell.liquid_to_air_ratio = 0.875;
  cell.fan_power_w = 30e3;
  cell.basin_volume_m3 = 5.0;
  return cell;
}

// By hand, in degC and kJ/kg.
double saturation_by_hand_pa(double t, double p) {
  return (1.0016 + 3.15e-8 * p - 7.4 / p) * 611.2 * std::exp(17.62 * t / (243.12 + t));
}
double ratio_by_hand(double t, double p) {
  const double vapour_pa = saturation_by_hand_pa(t, p);
  return 0.62198 * vapour_pa / (p - vapour_pa);
}
double enthalpy_by_hand(double t, double ratio) { return 1.006 * t + ratio * (2501.0 + 1.86 * t); }

struct Outside {
  double dry_c, dew_c, pressure_pa;
};

double evaporation_by_hand_kg_per_s(const Outside& air, double air_kg_per_s, double heat_kw) {
  const double ratio_in = ratio_by_hand(air.dew_c, air.pressure_pa);
  const double enthalpy = enthalpy_by_hand(air.dry_c, ratio_in) + heat_kw / air_kg_per_s;
  double low_c = -60.0, high_c = 80.0;
  for (int step = 0; step < 80; ++step) {
    const double middle_c = 0.5 * (low_c + high_c);
    const double there = enthalpy_by_hand(middle_c, ratio_by_hand(middle_c, air.pressure_pa));
    (there < enthalpy ? low_c : high_c) = middle_c;
  }
  return air_kg_per_s * (ratio_by_hand(low_c, air.pressure_pa) - ratio_in);
}

TowerAir as_tower_air(const WeatherNow& now) {
  return {now.dry_bulb_k, humidity_ratio_of_vapour(saturation_pressure_pa(now.dew_point_k), now.pressure_pa),
          now.pressure_pa};
}

}  // namespace

TEST_CASE("saturated air of a given enthalpy holds the water of ASHRAE's table", "[cooling_tower]") {
  struct Point {
    double celsius, ratio, enthalpy_j_per_kg;
  };
  for (const auto& [celsius, ratio, enthalpy] :
       {Point{5.0, 0.005425, 18639.0}, Point{25.0, 0.020173, 76504.0}, Point{50.0, 0.086863, 275353.0}}) {
    const double ours = saturated_humidity_ratio_of_enthalpy(enthalpy, 101325.0);
    CAPTURE(celsius, ours);
    CHECK(std::abs(ours / ratio - 1.0) < 0.01);
  }
}

TEST_CASE("the water of saturated air by its enthalpy is that by its temperature", "[cooling_tower]") {
  for (double pressure_pa : {101325.0, 99.9e3, 85e3, 75e3}) {
    for (double celsius = -40.0; celsius <= 60.0; celsius += 0.5) {
      const double ratio = humidity_ratio({freezing_k + celsius, 1.0, pressure_pa});
      const double enthalpy = moist_air_enthalpy_j_per_kg(freezing_k + celsius, ratio);
      const double ours = saturated_humidity_ratio_of_enthalpy(enthalpy, pressure_pa);
      CAPTURE(pressure_pa, celsius);
      CHECK(std::abs(ours - ratio) < (pressure_pa > 95e3 ? 1.5e-6 : 4e-5));
    }
  }
  for (double enthalpy : {-1e9, -60e3, 0.0, 1e6, 1e9}) {
    CHECK(std::isfinite(saturated_humidity_ratio_of_enthalpy(enthalpy, 101325.0)));
  }
}

TEST_CASE("what evaporates on a winter, a mild and a summer day follows the balance of the air", "[cooling_tower]") {
  const CoolingTowerParams cell = cell_2500kw();
  const double full_air_kg_per_s = 85.4 / (0.875 * 1.2);
  double latent_before = 0.0;
  for (const char* day : {"winter", "mild", "summer"}) {
    const WeatherNow now = weather_at(design_day(day), 15.0 * 3600.0);
    const Outside outside{now.dry_bulb_k - freezing_k, now.dew_point_k - freezing_k, now.pressure_pa};
    for (double fan : {0.4, 1.0}) {
      for (double heat_kw : {800.0, 1400.0, 2500.0}) {
        const double ours = evaporation_kg_per_s(cell, 85.4, fan, 1e3 * heat_kw, as_tower_air(now));
        const double by_hand = evaporation_by_hand_kg_per_s(outside, fan * full_air_kg_per_s, heat_kw);
        CAPTURE(day, fan, heat_kw);
        CHECK(ours == Approx(by_hand).epsilon(0.01));
      }
    }
    const double ours = evaporation_kg_per_s(cell, 85.4, 1.0, 2.5e6, as_tower_air(now));
    const double by_hand = evaporation_by_hand_kg_per_s(outside, full_air_kg_per_s, 2500.0);
    tests::report_verification({std::string("water of a tower cell at 2.5 MW, ") + day + " at 15:00", "wmo_guide8",
                                "evaporation", ours, by_hand, 0.01 * by_hand, "kg/s"});
    const double latent = ours * 2.44e6 / 2.5e6;  // over the heat; the vapour's own warmth is not heat of the water
    CAPTURE(latent);
    CHECK(latent > latent_before + 0.15);
    latent_before = latent;
  }
}

TEST_CASE("over a summer day a tower evaporates what is commonly reckoned with, in winter half of it",
          "[cooling_tower]") {
  const CoolingTowerParams cell = cell_2500kw();
  const auto percent_per_kelvin = [&](const char* day) {
    const double range_k = 2.5e6 / (85.4 * water_heat);
    double sum = 0.0;
    for (int hour = 0; hour < 24; ++hour) {
      const TowerAir air = as_tower_air(weather_at(design_day(day), 3600.0 * hour));
      sum += 100.0 * evaporation_kg_per_s(cell, 85.4, 1.0, 2.5e6, air) / 85.4 / range_k;
    }
    return sum / 24.0;
  };
  const double summer = percent_per_kelvin("summer"), mild = percent_per_kelvin("mild");
  const double winter = percent_per_kelvin("winter");
  CAPTURE(winter, mild, summer);
  CHECK(summer == Approx(0.85 / 5.56).epsilon(0.1));
  CHECK(mild / summer == Approx(0.78).margin(0.05));
  CHECK(winter / summer == Approx(0.52).margin(0.05));
  CHECK(summer < 0.2);
}

TEST_CASE("water at the wet bulb saturates dry air without losing heat", "[cooling_tower]") {
  const Outside desert{40.0, 5.0, 95e3};
  const double ratio_in = ratio_by_hand(5.0, 95e3);
  const TowerAir air{freezing_k + 40.0, ratio_in, 95e3};
  CHECK(evaporation_kg_per_s(cell_2500kw(), 85.4, 1.0, 0.0, air) ==
        Approx(evaporation_by_hand_kg_per_s(desert, 85.4 / (0.875 * 1.2), 0.0)).epsilon(0.015));
}

TEST_CASE("without water nothing evaporates, with little water little, and never less than nothing",
          "[cooling_tower]") {
  const CoolingTowerParams cell = cell_2500kw();
  const TowerAir air{freezing_k + 30.0, 0.008, 101325.0};
  CHECK(evaporation_kg_per_s(cell, 0.0, 1.0, 0.0, air) == 0.0);
  CHECK(evaporation_kg_per_s(cell, -3.0, 1.0, 0.0, air) == 0.0);
  double before = 0.0;
  for (double water = 1e-9; water < 200.0; water *= 1.2) {
    const PortNow inlet{freezing_k + 33.0, water, water_heat};
    const double heat_w = cooling_tower_now(cell, inlet, freezing_k + 18.0, 0.7).heat_w;
    const double evaporated = evaporation_kg_per_s(cell, water, 0.7, heat_w, air);
    CHECK(evaporated >= before);
    CHECK(evaporated < 0.05 * water);
    before = evaporated;
  }
  for (double wet_c : {-60.0, 0.0, 45.0}) {
    for (double inlet_c : {-20.0, 10.0, 95.0}) {
      for (double fan : {0.0, 0.05, 1.0, 1.2}) {
        for (double flow : {-1.0, 0.0, std::numeric_limits<double>::denorm_min(), 1e-9, 25.0, 250.0, 4000.0}) {
          const PortNow inlet{freezing_k + inlet_c, flow, water_heat};
          const double heat_w = cooling_tower_now(cell, inlet, freezing_k + wet_c, fan).heat_w;
          const double ratio = humidity_ratio({freezing_k + wet_c, 1.0, 101325.0});
          const double evaporated =
              evaporation_kg_per_s(cell, flow, fan, heat_w, {freezing_k + wet_c, ratio, 101325.0});
          CAPTURE(wet_c, inlet_c, fan, flow, heat_w);
          CHECK(std::isfinite(evaporated));
          CHECK(evaporated >= 0.0);
          if (inlet_c < wet_c) CHECK(evaporated < 1e-3);  // would condense
        }
      }
    }
  }
}

TEST_CASE("make-up replaces what evaporates and what is blown down", "[cooling_tower]") {
  CHECK(make_up_water_kg_per_s(cell_2500kw(), 3.0) == Approx(4.0).epsilon(1e-12));
}
