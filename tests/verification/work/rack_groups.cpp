// A hall whose racks are reported in groups. Two groups of the same racks are one group of as many: the same plant described in other words,
// and the same numbers. Racks of two kinds on one loop share its coolant as branches in parallel do, by hand:
//
//   m_i = sqrt(dp / R_i),   m_1 / m_2 = sqrt(R_2 / R_1),   sum of all = flow of the CDUs
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";

std::string hall(const std::string& racks) {
  return "format: 1\nduration: 20 min\nworkload: { kind: constant, node_power: 8 kW }\nhall:\n  racks:\n" + racks + R"(
  cooling:
    loops: { cdus: 2, hardware: cdu_1370kw, supply_temperature: 32 degC, volume: 1 m3, rack_flow_spread: 0 }
    facility: { supply_temperature: 24 degC }
    rear_doors: { hardware: rdhx_35kw, supply_temperature: 20 degC }
    room: { volume: 900 m3 }
power:
  transformers: { count: 1, hardware: transformer_2500kva }
  ups: { modules: 1, hardware: ups_1500kw }
  pdus: { count: 4, hardware: pdu_1mva }
events:
  - { at: 2 min, fail: cdu_1.pump_a }
  - { at: 4 min, set: rear_doors.supply_temperature, to: 24 degC, over: 2 min }
)";
}

struct RunOfGroups {
  explicit RunOfGroups(const std::string& racks, bool is_multirate = true)
      : scenario(read_scenario_text(hall(racks), beside_scenarios)),
        plant(build_plant(scenario)),
        work(make_work(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, *work.workload, run_method) {
    simulation.start();
    simulation.run(scenario.duration_s, {});
  }
  double reported(const char* group, const char* part, const char* column) const {
    return PlantSnapshot{plant, simulation.state(), simulation.evaluation()}.reported(group, part, column);
  }
  double residual() const {
    return energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  }

  const Scenario scenario;
  const Plant plant;
  const Work work;
  const RunMethod run_method;
  tests::WorkRun simulation;
};

const std::string one_group = "    { count: 6, rows: 2, nodes: 8, hardware: hgx_h100_liquid, gpu_spread: none }\n";
const std::string two_groups = R"(
    a: { count: 3, nodes: 8, hardware: hgx_h100_liquid, gpu_spread: none }
    b: { count: 3, nodes: 8, hardware: hgx_h100_liquid, gpu_spread: none }
)";

}  // namespace

TEST_CASE("two groups of the same racks are one group", "[verification]") {
  const RunOfGroups one(one_group), two(two_groups);
  REQUIRE(one.plant.map.first_unit_state == two.plant.map.first_unit_state);
  double largest_ratio = 0.0;
  for (std::size_t slot = 0; slot < one.plant.map.first_unit_state; ++slot) {
    REQUIRE(one.plant.layout.name(slot) == two.plant.layout.name(slot));
    const double ours = two.simulation.state().states[slot], theirs = one.simulation.state().states[slot];
    largest_ratio = std::max(largest_ratio, std::abs(ours - theirs) / std::max(std::abs(theirs), 1.0));
  }
  CHECK(largest_ratio < 1e-9);
  for (const std::size_t gpu : {std::size_t{0}, std::size_t{191}, std::size_t{192}, std::size_t{383}}) {
    CHECK(gpu_name(two.plant, gpu) == gpu_name(one.plant, gpu));
    CHECK(two.simulation.state().states[die_slot(two.plant, gpu)] ==
          Approx(one.simulation.state().states[die_slot(one.plant, gpu)]).margin(1e-6));
  }
  tests::report_verification(
      {"Two groups of the same racks", "closed form", "largest difference of a state", largest_ratio, 0.0, 1e-9, "1"});
}

TEST_CASE("racks of two kinds on one loop share its coolant as branches in parallel do", "[verification]") {
  const RunOfGroups mixed(R"(
    a: { count: 4, nodes: 8, hardware: hgx_h100_liquid }
    b: { count: 2, nodes: 4, hardware: hgx_h100_liquid, with: { coolant_pressure_drop: 50 kPa } }
)");
  const double of_a = mixed.reported("racks", "row_1.rack_1", "flow"),
               of_b = mixed.reported("racks", "row_2.rack_1", "flow");
  // R = dp / m^2 at design: 80 kPa at 8 nodes, 50 kPa at 4 nodes of 0.1548 kg/s
  const double by_hand_ratio = std::sqrt((50e3 / 16.0) / (80e3 / 64.0));
  CHECK(of_a / of_b == Approx(by_hand_ratio).epsilon(1e-12));
  CHECK(mixed.reported("loops", "loop_1", "flow") == Approx(4.0 * of_a + 2.0 * of_b).epsilon(1e-12));
  const double of_cdus = mixed.reported("cdus", "cdu_1", "flow") + mixed.reported("cdus", "cdu_2", "flow");
  CHECK(of_cdus == Approx(4.0 * of_a + 2.0 * of_b).epsilon(1e-9));
  CHECK(mixed.reported("loops", "loop_1", "differential_pressure") ==
        Approx(80e3 * std::pow(of_a / (8.0 * 0.1548), 2)).epsilon(1e-9));
  CHECK(std::abs(mixed.residual()) < 1e-9);
  tests::report_verification(
      {"Two kinds of rack on one loop", "closed form", "ratio of their flows", of_a / of_b, by_hand_ratio, 1e-9, "1"});
}

TEST_CASE("both integrators agree on a hall of two kinds of rack", "[verification]") {
  const std::string racks = R"(
    a: { count: 4, nodes: 8, hardware: hgx_h100_liquid }
    b: { count: 2, nodes: 4, hardware: hgx_h100_liquid, on: { door: none }, workload: { kind: constant, node_power: 2 kW } }
)";
  const std::string cooled = racks;
  const RunOfGroups ours(cooled), theirs(cooled, false);
  CHECK(std::abs(ours.residual()) < 1e-9);
  double largest_k = 0.0;
  for (std::size_t gpu = 0; gpu < ours.plant.it.gpu_count(); ++gpu) {
    const std::size_t slot = die_slot(ours.plant, gpu);
    largest_k =
        std::max(largest_k, std::abs(ours.simulation.state().states[slot] - theirs.simulation.state().states[slot]));
  }
  CHECK(largest_k < 0.05);
  CHECK(ours.reported("racks", "row_2.rack_1", "it_power") == Approx(4 * 2e3).epsilon(1e-9));
  CHECK(ours.reported("racks", "row_1.rack_1", "it_power") == Approx(8 * 8e3).epsilon(1e-9));
}
