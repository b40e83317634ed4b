// Moist air against the tables of ASHRAE, wet bulb against a Modelica reference result, and by its own
// definition.
//
// Source: [ashrae_fundamentals2017] ch. 1 table 3 (saturation pressure, formula within 300 ppm of the table),
// table 2 (saturated air at 101,325 Pa), example 1; [murphy_koop2005] table C1 (supercooled water, 240
// K: 37.667 Pa); [modelica_buildings] Psychrometrics.Examples.TWetBul_TDryBulPhi, which balances enthalpy of
// moist air in mass fractions with another fit of the saturation pressure: 0.03 K is the size of such
// differences at 29 degC.
#include "physics/air/psychrometrics.hpp"

#include <array>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

TEST_CASE("saturation pressure agrees with ASHRAE's table within 300 ppm", "[psychrometrics]") {
  struct Point {
    double celsius, pressure_pa;
  };
  for (const auto& [celsius, pressure_pa] :
       {Point{5.0, 872.6}, Point{25.0, 3169.7}, Point{50.0, 12351.3}, Point{100.0, 101418.0}}) {
    const double ours_pa = saturation_pressure_pa(freezing_k + celsius);
    CHECK(std::abs(ours_pa / pressure_pa - 1.0) < 3e-4);
    tests::report_verification({"saturated vapour at " + std::to_string(int(celsius)) + " degC",
                                "ashrae_fundamentals2017", "pressure", ours_pa, pressure_pa, 3e-4 * pressure_pa, "Pa"});
  }
}

TEST_CASE("the extrapolation to supercooled water is within 0.5 % of a formula made for it", "[psychrometrics]") {
  CHECK(std::abs(saturation_pressure_pa(240.0) / 37.667 - 1.0) < 5e-3);
}

TEST_CASE("the slope of the saturation pressure is its derivative", "[psychrometrics]") {
  for (double t = 235.0; t < 370.0; t += 7.5) {
    const double step = 1e-3;
    const double difference =
        std::log(saturation_pressure_pa(t + step) / saturation_pressure_pa(t - step)) / (2.0 * step);
    CHECK(saturation_log_slope_per_k(t) == Approx(difference).epsilon(1e-7));
  }
}

TEST_CASE("saturated air holds the water and the heat of ASHRAE's table within its 1 %", "[psychrometrics]") {
  struct Point {
    double celsius, ratio, enthalpy;
  };
  for (const auto& [celsius, ratio, enthalpy] :
       {Point{5.0, 0.005425, 18639.0}, Point{25.0, 0.020173, 76504.0}, Point{50.0, 0.086863, 275353.0}}) {
    const double t = freezing_k + celsius;
    const double water = humidity_ratio({t, 1.0, 101325.0});
    CHECK(std::abs(water / ratio - 1.0) < 0.01);
    CHECK(std::abs(moist_air_enthalpy_j_per_kg(t, water) / enthalpy - 1.0) < 0.01);
  }
}

TEST_CASE("air of 40 degC with a wet bulb of 20 degC is that of ASHRAE's first example", "[psychrometrics]") {
  const double dry_k = freezing_k + 40.0, wet_k = freezing_k + 20.0;
  const double water = humidity_ratio_at_wet_bulb(dry_k, wet_k, 101325.0);
  CHECK(water == Approx(0.0065).margin(1e-4));
  CHECK(moist_air_enthalpy_j_per_kg(dry_k, water) == Approx(56700.0).margin(100.0));
  const double vapour_pa = 101325.0 * water / (water_to_air_mass_ratio + water);
  const MoistAir air{dry_k, vapour_pa / saturation_pressure_pa(dry_k), 101325.0};
  CHECK(air.relative_humidity_fraction == Approx(0.14).margin(0.01));
  CHECK(dew_point_k(air) == Approx(freezing_k + 7.0).margin(0.5));  // read from a chart
  CHECK(wet_bulb_k(air) == Approx(wet_k).margin(1e-6));
}

TEST_CASE("wet bulb and dew point fulfil their definitions to 1e-6 K everywhere", "[psychrometrics]") {
  for (double dry_k = 235.0; dry_k <= 330.0; dry_k += 5.0) {
    for (double humidity : {0.01, 0.1, 0.3, 0.6, 0.9, 1.0}) {
      for (double pressure_pa : {70e3, 101325.0}) {
        const MoistAir air{dry_k, humidity, pressure_pa};
        const double wet_k = wet_bulb_k(air), dew_k = dew_point_k(air);
        CHECK(wet_k <= dry_k);
        CHECK(dew_k <= wet_k + 1e-6);
        const double slope = (humidity_ratio_at_wet_bulb(dry_k, wet_k + 1e-3, pressure_pa) -
                              humidity_ratio_at_wet_bulb(dry_k, wet_k - 1e-3, pressure_pa)) /
                             2e-3;
        const double missed_k = (humidity_ratio_at_wet_bulb(dry_k, wet_k, pressure_pa) - humidity_ratio(air)) / slope;
        CHECK(std::abs(missed_k) < 1e-6);
        CHECK(std::abs(std::log(saturation_pressure_pa(dew_k) / (humidity * saturation_pressure_pa(dry_k))) /
                       saturation_log_slope_per_k(dew_k)) < 1e-6);
        CHECK(relative_humidity_fraction(dry_k, dew_k) == Approx(humidity).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("the wet bulb at 29.4 degC follows the Modelica reference over all humidities", "[psychrometrics][data]") {
  const std::string folder = tests::reference_data();
  std::ifstream file(folder + "/modelica/Utilities_Psychrometrics_Examples_TWetBul_TDryBulPhi.csv");
  REQUIRE(file);
  std::string line;
  std::getline(file, line);
  int rows = 0;
  double worst_k = 0.0;
  while (std::getline(file, line)) {
    double humidity = 0.0, stull_k = 0.0, reference_k = 0.0;
    char comma = 0;
    std::istringstream(line) >> humidity >> comma >> stull_k >> comma >> reference_k;
    const double ours_k = wet_bulb_k({freezing_k + 29.4, humidity, 101325.0});
    worst_k = std::max(worst_k, std::abs(ours_k - reference_k));
    if (++rows == 51) {
      tests::report_verification({"air at 29.4 degC, 50 % relative humidity", "modelica_buildings", "wet bulb", ours_k,
                                  reference_k, 0.03, "K"});
    }
  }
  CHECK(rows == 101);
  CHECK(worst_k < 0.03);
}

TEST_CASE("vapour holds the heat that steam tables give it", "[psychrometrics]") {
  // [iapws_if97], saturated: enthalpy of vapour above water of 0 degC, and what evaporation takes; kJ/kg.
  struct Point {
    double celsius, vapour, evaporation;
  };
  for (const auto& [celsius, vapour, evaporation] :
       {Point{0.01, 2500.9, 2500.9}, Point{25.0, 2546.5, 2441.7}, Point{50.0, 2591.3, 2381.9}}) {
    const double t = freezing_k + celsius, water = 0.012;
    const double ours = (moist_air_enthalpy_j_per_kg(t, water) - moist_air_enthalpy_j_per_kg(t, 0.0)) / (1e3 * water);
    CHECK(ours == Approx(vapour).epsilon(2e-3));
    CHECK(latent_heat_j_per_kg(t) / 1e3 == Approx(evaporation).epsilon(5e-4));
  }
}
