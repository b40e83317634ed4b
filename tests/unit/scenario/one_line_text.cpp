// A scenario with blocks, written as a one-line diagram, is the same hall: buses, branches, sources, loads, generators that start together, motors
// that ride through. What a cable loses by hand.
#include "twin/sizing/one_line_text.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "electrical/equipment.hpp"
#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";

/// The hall with the power that `text` draws instead of its own.
Scenario redrawn(const std::filesystem::path& file, const std::string& text, bool has_blocks) {
  std::string power = "extends: " + file.filename().string() + "\npower:\n";
  const auto take_back = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys) power += std::string("  ") + key + ": null\n";
  };
  if (has_blocks)
    take_back({"redundancy", "blocks"});
  else
    take_back({"topology", "utility", "substation", "transformers", "generators", "ups", "pdus"});
  return read_scenario_text(power + text, file.parent_path() / "redrawn.yaml");
}

void check_same(const std::string& name) {
  INFO(name);
  const std::filesystem::path file = scenarios / name;
  const Scenario scenario = read_scenario(file);
  const Plant plant = build_plant(scenario);
  const Plant drawn = build_plant(redrawn(file, one_line_text(scenario, plant), scenario.power.has_named_blocks()));
  const electrical::PowerTree &a = plant.power_tree, &b = drawn.power_tree;
  CHECK(a.bus_name == b.bus_name);
  CHECK(a.branch_name == b.branch_name);
  CHECK(a.branch_from == b.branch_from);
  CHECK(a.branch_to == b.branch_to);
  CHECK(a.branch_room == b.branch_room);
  CHECK(a.branch_modules == b.branch_modules);
  CHECK(a.branch_spare_modules == b.branch_spare_modules);
  CHECK(a.branch_rated_w == b.branch_rated_w);
  CHECK(a.branch_battery_j == b.branch_battery_j);
  CHECK(a.branch_bypassed == b.branch_bypassed);
  CHECK(a.module_name == b.module_name);
  CHECK(a.source_name == b.source_name);
  CHECK(a.source_bus == b.source_bus);
  CHECK(a.load_name == b.load_name);
  CHECK(a.load_bus == b.load_bus);
  CHECK(a.load_transfers == b.load_transfers);
  CHECK(plant.map.state_count == drawn.map.state_count);
  REQUIRE(plant.standby.size() == drawn.standby.size());
  for (std::size_t k = 0; k < plant.standby.size(); ++k) {
    CHECK(plant.standby[k].bus == drawn.standby[k].bus);
    CHECK(plant.standby[k].sources == drawn.standby[k].sources);
  }
  REQUIRE(plant.motors.size() == drawn.motors.size());
  for (std::size_t k = 0; k < plant.motors.size(); ++k)
    CHECK(plant.motors[k].rides_through == drawn.motors[k].rides_through);
}

}  // namespace

TEST_CASE("halls of one side, two sides and blocks are the same as one-line diagrams", "[power][one_line]") {
  for (const char* name : {"h100_10k.yaml", "halls/power_n_plus_1.yaml", "halls/power_distributed.yaml",
                           "halls/frontier.yaml", "halls/mixed.yaml", "halls/two_halls.yaml"})
    check_same(name);
}

TEST_CASE("a cable loses r l (P / V) squared, and carries sqrt(3) V I", "[power][one_line]") {
  const std::string built_for = GENERATE("20 kV", "36 kV");  // the bus has 20 kV
  const Scenario scenario = read_scenario(scenarios / "one_line/ring.yaml",
                                          {"power.one_line.branches.cable_1.with={ voltage: " + built_for + " }"});
  const Plant plant = build_plant(scenario);
  const std::size_t cable = *electrical::find_branch(plant.power_tree, "cable_1");
  // 0.122 ohm/km, 400 m, 20 kV, 421 A
  CHECK(electrical::loss_w(plant.power_tree.branch_loss[cable], 1e6) == Approx(0.122 * 0.4 * 50.0 * 50.0));
  CHECK(plant.power_tree.branch_rated_w[cable] == Approx(1.7320508 * 20e3 * 421.0).epsilon(1e-6));
}
