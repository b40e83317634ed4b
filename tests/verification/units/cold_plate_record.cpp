// The cold plate of the H100 against the record of a measured plate: 14 points of case-to-inlet resistance with PG25, 0.4 to
// 2.4 L/min, [ocp_oam_cold_plate]. Water points of the same record (2 to 5 L/min) are another coolant and are not used.
// Coolant: PG25 of 40 degC, [melinder2010]; the record does not state its temperature, and m c moves by 0.3 % down to 20 degC.
// Tolerance: 5 % of each point, about what a reading of 0.01 K at 1 kW, a flow of 2 % and a fit of three numbers leave.
#include "physics/units/cold_plate.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/library_device.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::ColdPlate;

namespace {

struct Reading {
  double flow_l_per_min, resistance_k_per_w;
};

constexpr double tolerance_ratio = 0.05;
constexpr double density_kg_per_m3 = 1010.62, specific_heat_j_per_kg_k = 3957.6;

PortNow port_of(double flow_l_per_min) {
  return {300.0, flow_l_per_min / 60e3 * density_kg_per_m3, specific_heat_j_per_kg_k};
}

ColdPlate::Params h100() {
  tests::AnyDevice device;
  tests::read_library_device("h100_sxm5_cold_plate", device);
  return std::any_cast<ColdPlate::Params&>(device.params);
}

/// Case to inlet, from the heat that the model gives to coolant 10 K colder than the plate.
double resistance_k_per_w(const ColdPlate::Params& plate, double flow_l_per_min) {
  return 10.0 / ColdPlate::rates(plate, {{310.0, 310.0}, {port_of(flow_l_per_min)}, 0.0}).heat_w[ColdPlate::liquid];
}

std::vector<Reading> read_record() {
  std::ifstream file(tests::reference_data() + "/equipment/cold_plate_ocp_pg25.csv");
  REQUIRE(file.good());
  std::string line;
  std::getline(file, line);
  REQUIRE(line.starts_with("volume_flow_l_per_min,resistance_k_per_w"));
  std::vector<Reading> readings;
  Reading reading{};
  for (char comma = 0; file >> reading.flow_l_per_min >> comma >> reading.resistance_k_per_w;)
    readings.push_back(reading);
  return readings;
}

void check(const std::vector<Reading>& readings) {
  const ColdPlate::Params plate = h100();
  for (const Reading& reading : readings) {
    INFO(reading.flow_l_per_min << " L/min");
    CHECK(resistance_k_per_w(plate, reading.flow_l_per_min) ==
          Approx(reading.resistance_k_per_w).epsilon(tolerance_ratio));
  }
}

}  // namespace

TEST_CASE("the H100 cold plate meets every point of the measured plate within 5 %", "[cold_plate][data]") {
  const std::vector<Reading> readings = read_record();
  REQUIRE(readings.size() == 14);
  check(readings);
}

TEST_CASE("the H100 cold plate meets five quoted points of the measured plate within 5 %", "[cold_plate]") {
  const std::vector<Reading> quoted{{0.4, 0.0389}, {0.8, 0.0265}, {0.9, 0.0255}, {1.4, 0.0220}, {2.4, 0.0197}};
  check(quoted);
  const ColdPlate::Params plate = h100();
  for (const Reading& reading : quoted) {
    tests::report_verification(
        {"H100 cold plate, PG25, " + std::to_string(reading.flow_l_per_min).substr(0, 3) + " L/min",
         "ocp_oam_cold_plate", "case to inlet", resistance_k_per_w(plate, reading.flow_l_per_min),
         reading.resistance_k_per_w, tolerance_ratio * reading.resistance_k_per_w, "K/W"});
  }
}

TEST_CASE("die to inlet of the H100 is inside the band that measured dies imply", "[cold_plate]") {
  // 0.03 to 0.04 K/W: 41 to 50 degC of liquid-cooled H100 in training [latif2025cooling_matters].
  const ColdPlate::Params plate = h100();
  const double die_to_inlet_k_per_w = 1.0 / plate.die_to_plate_w_per_k + resistance_k_per_w(plate, 0.84);
  CHECK(die_to_inlet_k_per_w > 0.03);
  CHECK(die_to_inlet_k_per_w < 0.04);
  tests::report_verification({"H100 at 0.84 L/min of PG25", "latif2025cooling_matters", "die to inlet",
                              die_to_inlet_k_per_w, 0.035, 0.005, "K/W"});
}

TEST_CASE("beyond the record no coolant leaves warmer than the plate, and more flow never cools less", "[cold_plate]") {
  const ColdPlate::Params plate = h100();
  double before_w_per_k = 0.0;
  for (double flow_l_per_min = 1e-6; flow_l_per_min < 100.0; flow_l_per_min *= 1.1) {
    const double conductance_w_per_k = 1.0 / resistance_k_per_w(plate, flow_l_per_min);
    const PortNow port = port_of(flow_l_per_min);
    INFO(flow_l_per_min << " L/min");
    CHECK(conductance_w_per_k <= port.flow_kg_per_s * port.specific_heat_j_per_kg_k * (1.0 + 1e-12));
    CHECK(conductance_w_per_k > before_w_per_k);
    CHECK(conductance_w_per_k < 1.0 / plate.spreading_k_per_w);
    before_w_per_k = conductance_w_per_k;
  }
}

TEST_CASE("a spreading resistance is in series with film and stream, for walls of either kind", "[cold_plate]") {
  ColdPlate::Params plate = h100();
  plate.has_uniform_heat_flux = false;
  plate.flow_exponent_ratio = 0.0;  // the film holds its conductance
  const double capacity_w_per_k = port_of(1.0).flow_kg_per_s * specific_heat_j_per_kg_k;
  const double film_k_per_w =
      1.0 / (capacity_w_per_k * (1.0 - std::exp(-plate.design_conductance_w_per_k / capacity_w_per_k)));
  CHECK(resistance_k_per_w(plate, 1.0) == Approx(0.0151 + film_k_per_w).epsilon(1e-12));
  plate.has_uniform_heat_flux = true;
  CHECK(resistance_k_per_w(plate, 1.0) == Approx(0.0151 + 1.0 / 490.0 + 0.5 / capacity_w_per_k).epsilon(1e-12));
}
