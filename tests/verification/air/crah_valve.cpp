// The valve in the water of an air handler's coil: fans and valve in sequence, and rooms at part load at their set-point.
// Expected are
//
//   opening        that at which a cross-flow coil, both streams unmixed, leaves as much heat as the room has: found by bisection with
//                  the relation of [incropera2011] eq. 11.32, films and valve curve written down here
//   balance        heat that leaves the air, with that of the fan, is heat that comes to the water and to its pumps
#include <algorithm>
#include <cmath>
#include <string>

#include "physics/air/crah_valve.hpp"
#include "physics/water/cdu.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/run/meters/controlled_places.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15, set_k = zero_c + 28.0;
constexpr double air_j_per_kg_k = 1006.0;

/// A quarter of the work, and a room that is set to 28 degC: the case of a plant at part load.
const std::vector<std::string> quarter{"workload={ kind: constant, node_power: 2.6 kW }", "duration=1 h",
                                       "hall.cooling.crahs.air_temperature=28 degC"};

std::vector<std::string> with(std::vector<std::string> list, const std::string& one) {
  list.push_back(one);
  return list;
}

/// Heat per kelvin between the inlets of a coil, by hand.
double coil_w_per_k(const CrahParams& p, double air_kg_per_s, double water_w_per_k, double water_ratio) {
  const double air_film = std::pow(air_kg_per_s / p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio);
  const double water_film = std::pow(water_ratio, p.water_flow_exponent_ratio);
  const double ua =
      p.design_conductance_w_per_k / (p.air_side_fraction / air_film + (1.0 - p.air_side_fraction) / water_film);
  const double air_w_per_k = air_kg_per_s * air_j_per_kg_k;
  const double least = std::min(air_w_per_k, water_w_per_k), ratio = least / std::max(air_w_per_k, water_w_per_k);
  const double ntu = ua / least;
  return least * (1.0 - std::exp(std::pow(ntu, 0.22) / ratio * (std::exp(-ratio * std::pow(ntu, 0.78)) - 1.0)));
}

double column(const tests::ScenarioRun& hall, const std::string& crah, std::string_view name) {
  const std::size_t kind = twin::part_kind_number("crah");
  const auto& set = *hall.plant.components[kind];
  const auto found = std::ranges::find(set.names(), crah);
  return set.column_of(static_cast<std::size_t>(found - set.names().begin()),
                       twin::column_number(twin::part_kinds()[kind], name),
                       {hall.evaluation().signals, hall.evaluation().sinks});
}

}  // namespace

TEST_CASE("fans of an air handler slow down to their lowest speed before its valve closes", "[crah_valve]") {
  const CduParams curve = with_usual_authority(CduParams{}, true);
  const CrahSequence sequence = crah_sequence({0.1, 180.0, 0.3, 1.0}, 0.05, valve_position_fraction(curve, 0.05));
  CHECK(sequence.speed_fraction(0.8) == 0.8);
  CHECK(sequence.position_fraction(0.8) == 1.0);
  CHECK(sequence.speed_fraction(0.1) == 0.3);
  CHECK(sequence.position_fraction(0.1) == Approx(1.0 - 0.2 * 0.05 / 0.1).epsilon(1e-14));
  const double smallest = sequence.position_fraction(sequence.pi.lowest);
  CHECK(valve_flow_fraction(curve, smallest) == Approx(0.05).epsilon(1e-12));
  for (const double share : {0.001, 0.02, 0.3, 0.9, 1.0})
    CHECK(valve_flow_fraction(curve, valve_position_fraction(curve, share)) == Approx(share).epsilon(1e-12));
  CHECK(crah_sequence({0.1, 180.0, 0.3, 1.0}, 0.05, 1.0).pi.lowest == 0.3);  // without a valve: fans alone
}

TEST_CASE("at a quarter of the load a valve holds the room at its set-point, at the opening of the coil's own relation",
          "[crah_valve][multirate]") {
  for (const auto by : {tests::ScenarioRun::By::multirate, tests::ScenarioRun::By::monolithic}) {
    tests::ScenarioRun hall("halls/dgx_h100_air", quarter, by);
    CHECK(std::abs(hall.node_k("room_1") - set_k) < 0.1);  // the start knows where the valve stands
    hall.until(1800.0);
    CHECK(std::abs(hall.node_k("room_1") - set_k) < 0.1);

    const CrahParams& coil = hall.scenario.cooling.crahs.front().crah;
    const double flow = column(hall, "crah_1", "flow"), heat_w = column(hall, "crah_1", "heat");
    const double water_k = hall.node_k("chilled_water.supply"),
                 water_j_per_kg_k = heat_w / flow / (column(hall, "crah_1", "return_temperature") - water_k);
    const double air_kg_per_s = column(hall, "crah_1", "airflow");
    CHECK(air_kg_per_s == Approx(0.3 * coil.air_design_flow_kg_per_s).epsilon(1e-6));
    double low = 0.01, high = 1.5;
    while (high - low > 1e-9) {
      const double ratio = 0.5 * (low + high);
      const double water_w_per_k = ratio * coil.water_design_flow_kg_per_s * water_j_per_kg_k;
      (coil_w_per_k(coil, air_kg_per_s, water_w_per_k, ratio) * (hall.node_k("room_1") - water_k) < heat_w ? low
                                                                                                           : high) =
          ratio;
    }
    CHECK(flow / coil.water_design_flow_kg_per_s == Approx(low).epsilon(1e-4));
    CHECK(low < 0.5);
    CHECK(std::abs(hall.energy_residual()) < 1e-9);
    if (by == tests::ScenarioRun::By::multirate)
      tests::report_verification({"dgx_h100_air at a quarter of its load, room of 28 degC", "incropera2011",
                                  "water through a coil", flow, low * coil.water_design_flow_kg_per_s, 0.01 * flow,
                                  "kg/s"});
  }
}

TEST_CASE("without valves a room at part load is colder than its set-point, and with them pumps take less",
          "[crah_valve]") {
  tests::ScenarioRun open("halls/dgx_h100_air", with(quarter, "hall.cooling.crahs.water_valve=false"));
  tests::ScenarioRun led("halls/dgx_h100_air", quarter);
  CHECK(open.node_k("room_1") < set_k - 2.0);
  CHECK(led.use_w("chilled_water_pump") < 0.6 * open.use_w("chilled_water_pump"));
  CHECK(open.link_kg_per_s("crah_1.supply") > 1.5 * led.link_kg_per_s("crah_1.supply"));
  for (const twin::ControlledPlace& place : twin::controlled_places(led.plant)) CHECK_FALSE(place.may_be_colder);
  std::size_t may_be_colder = 0;
  for (const twin::ControlledPlace& place : twin::controlled_places(open.plant))
    may_be_colder += place.may_be_colder ? 1 : 0;
  CHECK(may_be_colder == 1);
}

TEST_CASE("a valve of an air handler that sticks open lets the others close", "[crah_valve]") {
  tests::ScenarioRun hall("halls/dgx_h100_air",
                          with(quarter, "events=[{ at: 5 min, stick: crah_1.valve, at_position: 100 % }]"));
  hall.until(1800.0);
  CHECK(column(hall, "crah_1", "valve_position") == Approx(1.0).margin(1e-6));
  CHECK(column(hall, "crah_2", "valve_position") < 0.9);
  CHECK(std::abs(hall.node_k("room_1") - set_k) < 0.3);
}

TEST_CASE("an air handler without a valve has none that sticks", "[crah_valve]") {
  CHECK_THROWS_WITH(
      tests::ScenarioRun("halls/dgx_h100_air", with(with(quarter, "events=[{ at: 5 min, stick: crah_1.valve }]"),
                                                    "hall.cooling.crahs.water_valve=false")),
      Catch::Contains("crah_1"));
}
