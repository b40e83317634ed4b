// Heat, water and air from beyond what is modelled: by hand, and in halls whose plant is imposed instead of towers.
//
//   heat    what is put into a header comes out where the header is cooled: two halls in steady state differ by it
//   air     Q = m c (T_coming - T_room): a room that it alone cools, in steady state where it takes what is left in the room
//   water   Q = m c (T_leaving - T_entering); the supply header is as warm as the setting, and follows it
//   pressure  an open user takes its design flow at the rated one, m = m_d sqrt(p / p_r) at another; a passage clogged to s takes s of it
//
// All of it stands in the energy balance: the residual is that of any hall.
#include <cmath>
#include <string>
#include <vector>

#include "physics/air/imposed_air.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "physics/water/imposed_heat.hpp"
#include "physics/water/imposed_water.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/parts/part_catalog.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double zero_c = 273.15;

/// The reference hall with a measured plant instead of its towers, and with more parts.
std::vector<std::string> imposed_plant(const std::string& more = {}) {
  return {"hall.cooling.facility.towers=null", "workload={kind: constant}",
          "parts={plant: {kind: imposed_water, volume: 1 m3, flow: 700 kg/s, temperature: 24 degC, water: {from: "
          "facility.return, to: facility.supply}}" +
              more + "}",
          "events=[{at: 60 s, set: plant.temperature, to: 26 degC, over: 10 min}, {at: 60 s, set: plant.flow, to: 800 "
          "kg/s}]"};
}

/// A column of the first part of a kind.
double reported(const tests::ScenarioRun& hall, std::string_view kind, std::string_view name) {
  const std::size_t number = twin::part_kind_number(kind);
  return hall.plant.components[number]->column_of(0, twin::column_number(twin::part_kinds()[number], name),
                                                  {hall.evaluation().signals, hall.evaluation().sinks});
}

}  // namespace

TEST_CASE("imposed heat comes from beyond, and imposed water takes from there what its settings ask", "[imposed]") {
  const ImposedHeat::Effect heat = effect_of<ImposedHeat>({.share_fraction = 0.75}, {.into = {300.0}, .set_w = 2e5});
  CHECK(heat.into.heat_w == 1.5e5);
  CHECK(heat.beyond.heat_w == -1.5e5);
  const ImposedWater::Now now{.water = {300.0, 10.0, 4184.0}, .leaving_k = 297.0, .set_k = 295.0, .set_kg_per_s = 10.0};
  CHECK(effect_of<ImposedWater>({}, now).water.heat_w == Approx(-10.0 * 4184.0 * 5.0));
  CHECK(effect_of<ImposedWater>({}, now).beyond.heat_w == Approx(10.0 * 4184.0 * 5.0));
}

TEST_CASE("an imposed plant holds the facility water of a hall, and follows its events", "[imposed]") {
  tests::ScenarioRun hall("h100_10k", imposed_plant(), tests::ScenarioRun::By::multirate);
  hall.until(30.0);
  const twin::SystemPart& water = system_named(hall.plant, "facility");
  const auto flow = [&](std::size_t of) { return hall.evaluation().signals[hall.plant.map.flow(of)]; };
  CHECK(flow(water.source_flow) == Approx(700.0));
  CHECK(reported(hall, ImposedWater::kind, "flow") == Approx(700.0));
  CHECK(reported(hall, ImposedWater::kind, "leaving_temperature") == Approx(zero_c + 24.0).margin(1e-3));
  CHECK(hall.node_k("facility.supply") == Approx(zero_c + 24.0).margin(1e-2));
  CHECK(reported(hall, ImposedWater::kind, "heat") < -5e6);
  hall.until(2400.0);
  CHECK(flow(water.source_flow) == Approx(800.0));
  CHECK(reported(hall, ImposedWater::kind, "leaving_temperature") == Approx(zero_c + 26.0).margin(1e-3));
  CHECK(hall.node_k("facility.supply") == Approx(zero_c + 26.0).margin(1e-2));
  CHECK(std::abs(hall.energy_residual()) < 1e-9);
}

TEST_CASE("heat imposed on a header is what the plant takes more", "[imposed]") {
  using Run = tests::ScenarioRun;
  Run without("h100_10k", imposed_plant(), Run::By::multirate);
  Run with("h100_10k", imposed_plant(", neighbours: {kind: imposed_heat, heat: 1 MW, into: facility.return}"),
           Run::By::multirate);
  for (Run* hall : {&without, &with}) hall->until(30.0);
  CHECK(reported(with, ImposedHeat::kind, "heat") == 1e6);
  CHECK(reported(without, ImposedWater::kind, "heat") - reported(with, ImposedWater::kind, "heat") ==
        Approx(1e6).epsilon(1e-3));
  CHECK(std::abs(with.energy_residual()) < 1e-9);
}

TEST_CASE("imposed air takes what it is colder than its room, and two of them leave it between them", "[imposed]") {
  const ImposedAir::Effect air =
      effect_of<ImposedAir>({.mixing_fraction = 0.5}, {.into = {300.0}, .set_k = 290.0, .set_kg_per_s = 4.0});
  CHECK(air.into.heat_w == Approx(-0.5 * 4.0 * 1006.0 * 10.0));
  CHECK(air.beyond.heat_w == -air.into.heat_w);

  using Run = tests::ScenarioRun;
  Run rack("one_rack",
           {"workload={kind: constant}", "duration=20 min", "hall.cooling.room.mass_heat_capacity=1 J/K",
            "parts={vent: {kind: imposed_air, into: room_1, flow: 1000 kg/s, temperature: 22 degC}}",
            "events=[{at: 60 s, set: vent.temperature, to: 30 degC}]"},
           Run::By::multirate);
  rack.until(30.0);
  const auto room_k = [&] { return reported(rack, ImposedAir::kind, "temperature"); };
  const auto heat_w = [&] { return reported(rack, ImposedAir::kind, "heat"); };
  CHECK(room_k() == Approx(zero_c + 22.0).margin(0.1));
  CHECK(heat_w() == Approx(1000.0 * air_specific_heat_j_per_kg_k * (zero_c + 22.0 - room_k())));
  rack.until(600.0);
  CHECK(room_k() == Approx(zero_c + 30.0).margin(0.1));
  CHECK(std::abs(rack.energy_residual()) < 1e-9);
}

TEST_CASE("water at a held pressure flows as its square root, at an open valve as designed", "[imposed]") {
  const std::vector<std::string> held{"hall.cooling.facility.differential_pressure=100 kPa",
                                      "workload={kind: constant}", "duration=20 min",
                                      "events=[{at: 10 s, stick: cdu_1.valve, at_position: 100 %}, {at: 5 min, set: "
                                      "facility.differential_pressure, to: 64 kPa}, {at: 10 min, clog: cdu_1.facility, "
                                      "to: 50 %}, {at: 15 min, set: facility.differential_pressure, to: 0 kPa}]"};
  for (const auto by : {tests::ScenarioRun::By::multirate, tests::ScenarioRun::By::monolithic}) {
    tests::ScenarioRun hall("one_rack", held, by);
    const double design = hall.scenario.cooling.loops.front().cdu.facility_design_flow_kg_per_s;
    const auto flow = [&] { return reported(hall, CduExchanger::kind, "facility_flow"); };
    hall.until(280.0);
    CHECK(flow() == Approx(design).epsilon(1e-6));
    hall.until(590.0);
    CHECK(flow() == Approx(0.8 * design).epsilon(1e-6));
    hall.until(890.0);
    const double said = hall.scenario.cooling.loops.front().cdu.valve_authority_fraction;
    const double authority = said > 0.0 ? said : 0.5;  // half of the passage, the valve as it was
    CHECK(flow() == Approx(0.8 * design / std::sqrt((1.0 - authority) / 0.25 + authority)).epsilon(1e-6));
    hall.until(1190.0);
    CHECK(std::abs(flow()) < 1e-4 * design);
    CHECK(std::abs(hall.energy_residual()) < 1e-9);
  }
}
