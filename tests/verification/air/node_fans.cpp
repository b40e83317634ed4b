// Fans of air-cooled nodes in a hall: in steady state the slow trim holds the hottest die of a rack at its target, or fans turn at their lowest
// speed with dies below it; hotter inlet air makes them faster along the line of workload/nodes/server_fans.hpp, by hand:
//
//   speed = 0.6 + 0.4 (T_inlet - 25 degC) / 10 K,   air = speed x design,   watts of fans = rated x speed^3
#include <cmath>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/nodes/server_fans.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path beside_scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "own.yaml";
constexpr double zero_c = 273.15;

std::string hall(const std::string& work, double air_c, double water_c) {
  return "format: 1\nduration: 30 min\nworkload: " + work + R"(
hall:
  racks: { count: 2, nodes: 4, hardware: dgx_h100_air, gpu_spread: none }
  cooling:
    facility: { supply_temperature: 24 degC, volume: 2 m3, pumps: { count: 1, duty: 1, hardware: water_pump_77kgs }, towers: { count: 1, hardware: tower_2500kw } }
    chilled_water:
      supply_temperature: )" +
         std::to_string(water_c) + R"( degC
      volume: 2 m3
      pumps: { count: 1, duty: 1, hardware: water_pump_72kgs }
      chillers: { count: 1, hardware: chiller_1250kw }
    crahs: { count: 2, hardware: crah_100kw, air_temperature: )" +
         std::to_string(air_c) + R"( degC }
    room: { volume: 200 m3, mass_heat_capacity: 5 MJ/K, humidity: { dew_point: 5 degC } }
power:
  transformers: { count: 1, hardware: transformer_1000kva }
  ups: { modules: 1, hardware: ups_250kw }
  pdus: { count: 1, hardware: pdu_225kva }
)";
}

struct AirHall {
  AirHall(const std::string& work_text, double air_c, double water_c = 12.0, bool is_multirate = true)
      : scenario(read_scenario_text(hall(work_text, air_c, water_c), beside_scenarios)),
        plant(build_plant(scenario)),
        work(make_work(scenario)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(scenario, plant, *work.workload, run_method) {
    simulation.start();
    simulation.run(scenario.duration_s, {});
  }
  double reported(const char* column) const {
    return PlantSnapshot{plant, simulation.state(), simulation.evaluation()}.reported("racks", "row_1.rack_1", column);
  }
  double speed() const { return simulation.state().work.fan_fraction.front(); }
  double hottest_k() const { return simulation.evaluation().racks.front().hottest_k; }
  const NodeHardware& node() const { return scenario.racks.front().hardware; }

  const Scenario scenario;
  const Plant plant;
  const Work work;
  const RunMethod run_method;
  tests::WorkRun simulation;
};

const std::string asked = "{ kind: constant, node_power: 9.5 kW }";

}  // namespace

TEST_CASE("in steady state fans of nodes hold the hottest die at its target, or turn at their lowest speed",
          "[node_fans]") {
  const AirHall run(asked, 26.0);
  const workload::ServerFanParams& fans = run.node().fans;
  INFO("speed " << run.speed() << ", die " << run.hottest_k() - zero_c);
  CHECK(run.speed() < 1.0);
  if (run.speed() > fans.lowest_speed_fraction + 0.011) {
    CHECK(run.hottest_k() == Approx(fans.die_target_k).margin(1.0));
  } else {
    CHECK(run.hottest_k() < fans.die_target_k + 1.0);
  }
  CHECK(run.reported("airflow") == Approx(run.speed() * 4.0 * run.node().airflow_kg_per_s).epsilon(1e-12));
  CHECK(run.reported("it_power") == Approx(4.0 * 9.5e3).epsilon(1e-9));  // as asked, fans taken out of it
  const double residual =
      energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy()).residual_ratio();
  CHECK(std::abs(residual) < 1e-9);
}

TEST_CASE("hot inlet air makes fans of nodes faster along their line", "[node_fans]") {
  const AirHall run("{ kind: constant, node_power: 4 kW }", 38.0, 26.0);  // cool dies: the line of inlet air alone
  const double inlet_k = run.reported("inlet_air_temperature");
  REQUIRE(inlet_k > zero_c + 26.0);
  REQUIRE(inlet_k < zero_c + 35.0);
  const double by_hand = 0.6 + 0.4 * (inlet_k - zero_c - 25.0) / 10.0;
  CHECK(run.speed() == Approx(by_hand).margin(0.011));  // it turns in steps of 1 %
  tests::report_verification(
      {"Fans of a node in hot inlet air", "closed form", "speed over full speed", run.speed(), by_hand, 0.011, "1"});
}

TEST_CASE("a synthetic job draws what fans take more or less than at full speed", "[node_fans]") {
  const AirHall run("{ kind: training }", 26.0);
  const NodeHardware& node = run.node();
  const double gpus_w = run.simulation.evaluation().racks.front().gpu_power_w;
  const double fans_w = workload::fans_w(node.fan_w, run.speed());
  const double by_hand_w = 4.0 * (node.split.base_w - node.fan_w + fans_w) + node.split.overhead_ratio * gpus_w;
  CHECK(run.reported("it_power") == Approx(by_hand_w).epsilon(0.02));
  CHECK(by_hand_w < 4.0 * node.split.base_w + node.split.overhead_ratio * gpus_w - 1e3);
}

TEST_CASE("both integrators turn fans of nodes alike", "[node_fans]") {
  const AirHall ours(asked, 26.0), theirs(asked, 26.0, 12.0, false);
  CHECK(ours.speed() == Approx(theirs.speed()).margin(0.011));
  CHECK(ours.hottest_k() == Approx(theirs.hottest_k()).margin(0.1));
}
