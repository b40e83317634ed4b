// What a scenario file says arrives in SI units; what is wrong with it is said all at once, with its place and a remedy.
#include "tests/support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/problem.hpp"
#include "physics/cold_plate.hpp"
#include "twin/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";

/// A folder that lives as long as the test case.
struct TemporaryFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "wattloop_scenario_reader_test";
  TemporaryFolder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
    return path / name;
  }
};

/// Problems of one_rack.yaml with overrides, each as "message | hint".
std::vector<std::string> problems_of(const std::vector<std::string>& overrides) {
  std::vector<std::string> texts;
  try {
    read_scenario(scenarios / "one_rack.yaml", overrides);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

/// Full text of what is wrong with a file beside the scenarios of the source tree.
std::string error_of_text(const std::string& text) {
  try {
    read_scenario_text(text, scenarios / "bad.yaml");
  } catch (const InputError& error) {
    std::string what = error.what();
    for (std::size_t at = 0; (at = what.find(scenarios.string() + "/")) != std::string::npos;) {
      what.erase(at, scenarios.string().size() + 1);
    }
    return what;
  }
  return "no problem";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("one_rack.yaml reads into SI units", "[scenario]") {
  const Scenario scenario = read_scenario(scenarios / "one_rack.yaml");
  CHECK(scenario.name == "one_rack");
  CHECK(scenario.duration_s == 3600.0);
  CHECK(scenario.initial == InitialState::steady);
  CHECK(scenario.workload.kind == WorkloadSpec::Kind::training);
  CHECK(scenario.racks.nodes == 8);
  CHECK(scenario.racks.hardware.name == "hgx_h100_liquid");
  CHECK(scenario.racks.hardware.nameplate_w == 10200.0);
  CHECK(scenario.racks.hardware.coolant_pressure_drop_pa == 80e3);
  CHECK(scenario.racks.hardware.rack_liquid_volume_per_node_m3 == Approx(2e-3));
  CHECK(scenario.racks.hardware.protection.throttle_k == Approx(360.15));
  CHECK(scenario.racks.hardware.psu.efficiency_at_50_fraction == Approx(0.96));
  CHECK(scenario.cooling.loops.supply_k == Approx(305.15));
  CHECK(scenario.cooling.loops.volume_m3 == Approx(0.06));
  CHECK(scenario.cooling.loops.pump_speed_fraction == Approx(0.75));
  CHECK(scenario.cooling.loops.pumps_per_cdu == 2);
  CHECK(scenario.cooling.loops.cdu_name == "cdu_121kw");
  CHECK(scenario.cooling.loops.cdu.design_conductance_w_per_k == Approx(30250.0));
  CHECK(scenario.cooling.loops.pump.quadratic_pa_s2_per_m6 == Approx(-2.847 * 3.6e9));
  CHECK(scenario.cooling.facility_supply_k == Approx(297.15));
  CHECK(scenario.cooling.doors.supply_k == Approx(293.15));
  CHECK(scenario.power.transformer.rated_va == Approx(630e3));
  CHECK(scenario.power.ups_name == "ups_97");
  CHECK(scenario.power.ups.battery_time_s == 300.0);
  CHECK(scenario.record.gpus_s == 15.0);
  CHECK(scenario.record.gpu_fields == Texts{"die_temperature", "power", "clock_fraction"});
}

TEST_CASE("one_rack_gpt3.yaml replays the measured run on the rack it extends", "[scenario]") {
  const std::string data = tests::reference_data();
  const Scenario scenario = read_scenario(scenarios / "one_rack_gpt3.yaml");
  CHECK(scenario.workload.kind == WorkloadSpec::Kind::replay);
  CHECK(scenario.workload.replay.trace == data + "/power/mlperf_smc_h100/gpt3_64node_run0_ac.csv");
  CHECK_FALSE(scenario.workload.replay_leakage);
  CHECK(scenario.duration_s == 3412.0);
  CHECK(scenario.cooling.loops.supply_k == Approx(298.15));
  CHECK(scenario.cooling.facility_supply_k == Approx(291.15));
  CHECK(scenario.cooling.loops.cdu_name == "cdu_121kw");
  CHECK(scenario.record.facility_s == 2.0);
  CHECK(scenario.record.racks_s == 15.0);
}

TEST_CASE("the resolved text of a scenario is the same scenario without library, base and overrides", "[scenario]") {
  const Scenario scenario = read_scenario(scenarios / "one_rack.yaml", {"hall.racks.with.units.gpu.with.leakage_slope=3 W/K"});
  const TemporaryFolder folder;
  const Scenario again = read_scenario(folder.write("elsewhere.yaml", scenario.resolved_text));
  CHECK(again.resolved_text == scenario.resolved_text);
  CHECK(again.cooling.loops.cdu_name == "cdu_121kw");
  const auto& plate = std::any_cast<const physics::ColdPlate::Params&>(again.racks.hardware.units.front().spec.params);
  CHECK(plate.leakage_w_per_k == 3.0);
}

TEST_CASE("single values of a device are changed in the scenario or on the command line", "[scenario]") {
  const Scenario scenario = read_scenario(
      scenarios / "one_rack.yaml",
      {"hall.racks.with={ nameplate: 9 kW, units: { gpu: { count: 4, with: { die_to_plate_conductance: 45 W/K } } } }",
       "hall.cooling.loops.with.pump.efficiency=60 %"});
  CHECK(scenario.racks.hardware.nameplate_w == 9000.0);
  CHECK(scenario.racks.hardware.units.front().count == 4);
  const auto& plate = std::any_cast<const physics::ColdPlate::Params&>(scenario.racks.hardware.units.front().spec.params);
  CHECK(plate.die_to_plate_w_per_k == 45.0);
  CHECK(plate.die_heat_capacity_j_per_k == 60.0);
  CHECK(scenario.cooling.loops.pump.efficiency_fraction == Approx(0.6));
}

TEST_CASE("hardware beside the scenario comes before the library", "[scenario]") {
  const TemporaryFolder folder;
  folder.write("hardware/ups_97.yaml",
               "kind: ups\nrated_power: { value: 55 kW, source: mine }\nconstant_loss: { value: 0, source: mine }\n"
               "linear_loss: { value: 5 %, source: mine }\nquadratic_loss: { value: 0, source: mine }\n");
  const auto file = folder.write("mine.yaml", "extends: " + (scenarios / "one_rack.yaml").string() + "\n");
  CHECK(read_scenario(file).power.ups.rated_w == 55e3);
}

TEST_CASE("a library value without a source is a problem", "[scenario]") {
  const TemporaryFolder folder;
  folder.write("hardware/mine.yaml", "kind: pdu\nrated_power: 100 kW\nconstant_loss: { value: 0, source: x }\n"
                                     "quadratic_loss: { value: 0, source: x }\n");
  const auto file = folder.write("mine.yaml", "extends: " + (scenarios / "one_rack.yaml").string() + "\npower: { pdus: { hardware: mine } }\n");
  CHECK_THROWS_WITH(read_scenario(file), Catch::Contains("hardware/mine.yaml:2:14: rated_power has no source"));
}

TEST_CASE("events are read in the unit of their setting and sorted by time", "[scenario]") {
  const Scenario scenario = read_scenario(
      scenarios / "one_rack.yaml",
      {"events=[{ at: 30 min, set: loop_*.supply_temperature, by: +8 K, over: 10 min, for: 15 min }, "
       "{ at: 60 s, fail: [cdu_1.pump_a, door_1] }, { at: 20 min, set: loop_1.supply_temperature, to: 40 degC }]"});
  REQUIRE(scenario.events.size() == 3);
  CHECK(scenario.events[0].at_s == 60.0);
  CHECK(scenario.events[0].kind == EventSpec::Kind::fail);
  CHECK(scenario.events[0].targets == Texts{"cdu_1.pump_a", "door_1"});
  CHECK(scenario.events[1].to_si == Approx(313.15));
  CHECK_FALSE(scenario.events[1].by_si);
  CHECK(scenario.events[2].by_si == Approx(8.0));
  CHECK(scenario.events[2].over_s == 600.0);
  CHECK(scenario.events[2].for_s == 900.0);
}
