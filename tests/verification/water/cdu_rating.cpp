// What the conductance of a CDU is taken from comes out of it again, and off the design point it obeys the logarithmic
// mean, which a second calculation gives. Ratings of makers are one point each, from which the conductance follows: they
// predict nothing, so that no row of the verification table stands here. What predicts is in cdu_part_flow.cpp.
//
//   counterflow:  Q = UA (dT_hot end - dT_cold end) / ln(dT_hot end / dT_cold end),  equal ends:  Q = UA dT
//
// Source: XDU1350, 1,368 kW, approach 4 K, 1,200 L/min [vertiv_xdu1350]; Deschutes, 2 MW, approach 3 K, 31.48
// and 32.30 kg/s, facility inlet 26.8 degC, PG25 [google_deschutes_cdu]; logarithmic mean [incropera2011]
// ch. 11.3. Approach: technology supply above facility inlet. UA comes from the logarithmic mean, the heat
// from effectiveness-NTU.
#include "physics/water/cdu.hpp"

#include <cmath>

#include "physics/fluids/fluid.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

double logarithmic_mean_k(double one_k, double other_k) {
  return std::abs(one_k - other_k) < 1e-9 ? one_k : (one_k - other_k) / std::log(one_k / other_k);
}

CduParams xdu1350() {
  CduParams cdu;
  cdu.rated_heat_w = 1.368e6;
  cdu.technology_design_flow_kg_per_s = 20.24;
  cdu.facility_design_flow_kg_per_s = 19.13;
  cdu.design_conductance_w_per_k = 342e3;
  return cdu;
}

}  // namespace

TEST_CASE("a conductance from 1,368 kW at 4 K approach and equal capacity rates gives them back", "[cdu]") {
  // 1,200 L/min at 40 degC are 20.21 kg/s of PG25 and 80.0 kW/K; 1,368 kW then cool it by 17.1 K; Q / 4 K =
  // 342 kW/K.
  const Fluid& pg25 = find_fluid("pg25");
  const double flow_kg_per_s = 0.02 * pg25.density_kg_per_m3(313.15);
  const double specific_heat = pg25.specific_heat_j_per_kg_k(313.15);
  const double cooled_by_k = 1.368e6 / (flow_kg_per_s * specific_heat);
  CHECK(cooled_by_k == Approx(17.1).margin(0.05));

  CduParams cdu = xdu1350();
  cdu.technology_design_flow_kg_per_s = flow_kg_per_s;
  const double facility_flow_kg_per_s = flow_kg_per_s * specific_heat / 4179.0;
  cdu.facility_design_flow_kg_per_s = facility_flow_kg_per_s;
  const double facility_k = 301.15, supply_k = facility_k + 4.0;
  const double heat_w = cdu_heat_w(cdu, {supply_k + cooled_by_k, flow_kg_per_s, specific_heat},
                                   {facility_k, facility_flow_kg_per_s, 4179.0});
  CHECK(heat_w == Approx(1.368e6).epsilon(1e-9));
}

TEST_CASE("the Deschutes record of 2 MW at 3 K approach is one point of the model", "[cdu]") {
  const Fluid& pg25 = find_fluid("pg25");
  const double facility_k = 273.15 + 26.8, supply_k = facility_k + 3.0;
  const double technology_cp = pg25.specific_heat_j_per_kg_k(311.0), facility_cp = 4179.0;
  const double return_k = supply_k + 2e6 / (31.48 * technology_cp);
  const double facility_out_k = facility_k + 2e6 / (32.30 * facility_cp);
  CduParams cdu;
  cdu.technology_design_flow_kg_per_s = 31.48;
  cdu.facility_design_flow_kg_per_s = 32.30;
  cdu.design_conductance_w_per_k = 2e6 / logarithmic_mean_k(return_k - facility_out_k, 3.0);
  const double heat_w = cdu_heat_w(cdu, {return_k, 31.48, technology_cp}, {facility_k, 32.30, facility_cp});
  const double approach_k = return_k - heat_w / (31.48 * technology_cp) - facility_k;
  CHECK(heat_w == Approx(2e6).epsilon(1e-9));
  CHECK(approach_k == Approx(3.0).epsilon(1e-9));
  CHECK(return_k - 273.15 == Approx(45.9).margin(0.1));
}

TEST_CASE("off its design point a CDU obeys the logarithmic mean with the UA of both films", "[cdu]") {
  const double film_ratio = GENERATE(0.5, 1.0, 1.64);
  CduParams cdu = xdu1350();
  cdu.film_conductance_ratio = film_ratio;
  // of two resistances in series, R_t = r R_f and R_t + R_f = 1 / UA
  const double facility_resistance = 1.0 / 342e3 / (1.0 + film_ratio);
  for (double technology : {0.3, 0.7, 1.0}) {
    for (double facility : {0.1, 0.5, 1.2}) {
      const PortNow hot{318.0, technology * 20.24, 3958.0}, cold{300.0, facility * 19.13, 4179.0};
      const double heat_w = cdu_heat_w(cdu, hot, cold);
      const double hot_end_k = hot.temperature_k - cold.temperature_k - heat_w / capacity_rate_w_per_k(cold);
      const double cold_end_k = hot.temperature_k - heat_w / capacity_rate_w_per_k(hot) - cold.temperature_k;
      const double resistance =
          facility_resistance * (film_ratio * std::pow(technology, -0.8) + std::pow(facility, -0.8));
      CHECK(heat_w == Approx(logarithmic_mean_k(hot_end_k, cold_end_k) / resistance).epsilon(1e-7));
    }
  }
}

TEST_CASE("a CDU without flow on either side moves no heat, and little with little flow", "[cdu]") {
  const CduParams cdu = xdu1350();
  const PortNow hot{318.0, 20.24, 3958.0}, cold{300.0, 19.13, 4179.0};
  CHECK(cdu_heat_w(cdu, {318.0, 0.0, 3958.0}, cold) == 0.0);
  CHECK(cdu_heat_w(cdu, hot, {300.0, 0.0, 4179.0}) == 0.0);
  CHECK(cdu_heat_w(cdu, {318.0, -1.0, 3958.0}, cold) == 0.0);  // reverse flow
  double before_w = 0.0;
  for (double flow = 1e-12; flow < 40.0; flow *= 1.5) {
    const double heat_w = cdu_heat_w(cdu, hot, {300.0, flow, 4179.0});
    CHECK(heat_w > before_w);                               // more water, more heat
    CHECK(heat_w <= 18.0 * flow * 4179.0 * (1.0 + 1e-12));  // never more than the water can take
    before_w = heat_w;
  }
}

TEST_CASE("the facility valve is equal percentage, tight, rising and smooth", "[cdu]") {
  CduParams cdu = xdu1350();
  for (double range : {1.5, 2.7182818, 20.0, 30.0, 50.0}) {
    cdu.valve_rangeability_ratio = range;
    CHECK(valve_flow_fraction(cdu, 0.0) == 0.0);
    CHECK(valve_flow_fraction(cdu, 1.0) == Approx(1.0).epsilon(1e-14));
    CHECK(valve_flow_fraction(cdu, -0.5) == 0.0);
    CHECK(valve_flow_fraction(cdu, 1.7) == Approx(1.0).epsilon(1e-14));
    constexpr double step = 1e-4;
    const double steepest = std::max(1.0, std::log(range));
    double before_slope = -1.0;
    for (double x = 0.0; x < 1.0 - 1.5 * step; x += step) {
      const double slope = (valve_flow_fraction(cdu, x + step) - valve_flow_fraction(cdu, x)) / step;
      CHECK(slope > 0.0);
      CHECK(slope <= steepest * (1.0 + 1e-6));
      if (before_slope >= 0.0) CHECK(std::abs(slope - before_slope) < 1.1 * steepest * steepest * step);
      before_slope = slope;
    }
  }
  cdu.valve_rangeability_ratio = 50.0;  // equal steps multiply the flow equally: 0.1 of travel by 50^0.1
  for (double x : {0.3, 0.5, 0.9}) {
    CHECK(valve_flow_fraction(cdu, x + 0.1) / valve_flow_fraction(cdu, x) ==
          Approx(std::pow(50.0, 0.1)).epsilon(1e-12));
  }
}
