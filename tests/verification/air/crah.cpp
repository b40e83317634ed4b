// An air handler at its maker's rating, its coil against the exact series of cross-flow, its fan against the
// cube.
//
//   eps = 1 / (C_r N) sum_n [1 - e^-N sum_{m<=n} N^m / m!] [1 - e^-C_r N sum_{m<=n} (C_r N)^m / m!]      both
//   unmixed
//
// Source: rating [vertiv_pw170], exact series [baclic1978]. The rating names no air temperatures: supply
// behind the fan at 27 degC is assumed. 175 L/min of plain water from 18 to 38 degC are 243 kW; of 25 %
// propylene glycol [melinder2010] they are the rated 233 kW.
#include "physics/air/crah.hpp"

#include <cmath>

#include "physics/air/crah_unit.hpp"
#include "physics/air/psychrometrics.hpp"
#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

double exact_crossflow(double ntu, double capacity_ratio) {
  double sum = 0.0, term_hot = 1.0, term_cold = 1.0, hot = 0.0, cold = 0.0;
  for (int n = 0; n < 200; ++n) {
    if (n > 0) term_hot *= ntu / n, term_cold *= capacity_ratio * ntu / n;
    hot += term_hot;
    cold += term_cold;
    sum += (1.0 - std::exp(-ntu) * hot) * (1.0 - std::exp(-capacity_ratio * ntu) * cold);
  }
  return sum / (capacity_ratio * ntu);
}

const Fluid& coolant() { return find_fluid("pg25"); }
double coolant_flow() { return 175e-3 / 60.0 * coolant().density_kg_per_m3(freezing_k + 28.0); }
double coolant_heat() { return coolant().specific_heat_j_per_kg_k(freezing_k + 28.0); }

constexpr double cubic_foot_m3 = 0.3048 * 0.3048 * 0.3048;
constexpr double air_flow = 29081.0 * cubic_foot_m3 / 60.0 * air_density_kg_per_m3;
constexpr double air_rate = air_flow * air_specific_heat_j_per_kg_k;
constexpr double return_k = freezing_k + 27.0 + (233e3 - 13.5e3) / air_rate;

/// UA from the exact series, so that the model's own relation is not asked for what it is checked with.
double exact_conductance() {
  const double water_rate = coolant_flow() * coolant_heat();
  double low = 0.0, high = 1e6;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    const double heat_w =
        exact_crossflow(middle / water_rate, water_rate / air_rate) * water_rate * (return_k - freezing_k - 18.0);
    (heat_w < 233e3 ? low : high) = middle;
  }
  return low;
}

CrahParams pw170() {
  CrahParams unit;
  unit.rated_heat_w = 233e3;
  unit.design_conductance_w_per_k = exact_conductance();
  unit.air_design_flow_kg_per_s = air_flow;
  unit.water_design_flow_kg_per_s = coolant_flow();
  unit.fan_power_w = 13.5e3;
  unit.water_volume_m3 = 0.05;
  return unit;
}

PortNow return_air() { return {return_k, 0.0, air_specific_heat_j_per_kg_k}; }
PortNow water(double ratio = 1.0) { return {freezing_k + 18.0, ratio * coolant_flow(), coolant_heat()}; }

}  // namespace

TEST_CASE("the water side of the PW170's rating closes with 25 % glycol", "[crah]") {
  const double heat_w = coolant_flow() * coolant_heat() * 20.0;
  CHECK(heat_w == Approx(233e3).epsilon(2e-3));
}

TEST_CASE("a PW170 moves its rated heat at its rated flows within the error of the relation", "[crah]") {
  const CrahNow now = crah_now(pw170(), return_air(), water(), 1.0);
  CAPTURE(pw170().design_conductance_w_per_k, return_k - freezing_k);
  CHECK(std::abs(now.heat_w / 233e3 - 1.0) < 0.025);
  CHECK(now.fan_power_w == 13.5e3);
  CHECK(now.supply_k == Approx(freezing_k + 27.0).margin(0.025 * 233e3 / air_rate));
  tests::report_verification({"crossflow coil with the UA that the exact series needs for 233 kW", "baclic1978", "heat",
                              now.heat_w, 233e3, 0.025 * 233e3, "W"});
}

TEST_CASE("water leaves an air handler as much of its rating as holds the air, or as fans at full speed move now",
          "[crah]") {
  CrahUnit::Params unit{};
  unit.crah = pw170();
  unit.crah.rated_heat_w = 1e6;
  unit.air_specific_heat_j_per_kg_k = air_specific_heat_j_per_kg_k;
  CrahUnit::Now now{};
  now.water = {freezing_k + 18.0, coolant_flow(), coolant_heat()};
  now.dew_point_k = 200.0;  // dry
  now.pressure_pa = 101325.0;
  now.filter_fraction = 1.0;
  now.valve_fraction = 1.0;
  now.state.fan_fraction = 0.3;
  const double full_w = 233e3,
               full_k = return_k - freezing_k - 18.0;  // by the maker; heat goes with the difference of inlets
  now.air.temperature_k = freezing_k + 18.0 + 0.4 * full_k;
  now.set_point_k = freezing_k + 18.0 + 0.5 * full_k - set_point_tolerance_k;
  CHECK(std::abs(CrahUnit::left_w(unit, now) / (0.5 * full_w) - 1.0) < 0.025);  // of the relation
  now.air.temperature_k = freezing_k + 18.0 + 0.8 * full_k;
  CHECK(std::abs(CrahUnit::left_w(unit, now) / (0.8 * full_w) - 1.0) < 0.025);
  unit.crah.rated_heat_w = 100e3;
  CHECK(CrahUnit::left_w(unit, now) == 100e3);
}

TEST_CASE("fan power is the cube of the speed and all of it warms the supply", "[crah]") {
  const CrahParams unit = pw170();
  for (double speed : {0.3, 0.5, 0.8, 1.0}) {
    const CrahNow now = crah_now(unit, return_air(), water(), speed);
    CHECK(now.fan_power_w == Approx(13.5e3 * speed * speed * speed).epsilon(1e-12));
    CHECK(now.air_flow_kg_per_s * air_specific_heat_j_per_kg_k * (return_k - now.supply_k) ==
          Approx(now.heat_w - now.fan_power_w).epsilon(1e-9));
  }
}

TEST_CASE("both films of the coil add up as resistances", "[crah]") {
  const CrahParams unit = pw170();
  const double conductance = unit.design_conductance_w_per_k;
  for (double air : {0.3, 1.0}) {
    for (double liquid : {0.2, 1.0}) {
      const double resistance = (0.8 * std::pow(air, -0.5) + 0.2 * std::pow(liquid, -0.8)) / conductance;
      CHECK(1.0 / crah_conductance_w_per_k(unit, air * air_flow, liquid * coolant_flow()) ==
            Approx(resistance).epsilon(1e-12));
    }
  }
}

TEST_CASE("a clogged filter leaves its share of the air at the same speed and watts", "[crah]") {
  const CrahParams unit = pw170();
  for (const double speed : {0.4, 1.0}) {
    for (const double left : {0.3, 0.7}) {
      const CrahNow clogged = crah_now(unit, return_air(), water(), speed, left);
      const CrahNow slower = crah_now(unit, return_air(), water(), speed * left);  // of a clean one
      CHECK(clogged.air_flow_kg_per_s == Approx(speed * left * unit.air_design_flow_kg_per_s));
      CHECK(clogged.heat_w == Approx(slower.heat_w));
      CHECK(clogged.fan_power_w == Approx(unit.fan_power_w * std::pow(speed, unit.fan_exponent)));
    }
  }
}

TEST_CASE("without fan or water an air handler moves nothing, and heat rises with both", "[crah]") {
  const CrahParams unit = pw170();
  const CrahNow still = crah_now(unit, return_air(), water(), 0.0);
  CHECK(still.heat_w == 0.0);
  CHECK(still.supply_k == return_k);
  const CrahNow dry = crah_now(unit, return_air(), water(0.0), 1.0);
  CHECK(dry.heat_w == 0.0);
  CHECK(dry.supply_k == Approx(return_k + 13.5e3 / air_rate).epsilon(1e-12));
  double before_w = 0.0;
  for (double share = 0.01; share <= 1.0; share += 0.01) {
    const double heat_w = crah_now(unit, return_air(), water(share), share).heat_w;
    CHECK(heat_w > before_w);
    before_w = heat_w;
  }
}
