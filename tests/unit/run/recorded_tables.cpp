// What is recorded: every dataset has a name of its own, a unit that can be read and a sentence, and is described in
// docs/results_format.md; a hall without towers and chillers has none of theirs.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Rows "| `group` | `dimension` | datasets |" of the document, by group.
std::map<std::string, std::string> documented_groups() {
  std::map<std::string, std::string> rows;
  std::ifstream file(WATTLOOP_SOURCE_DIR "/docs/results_format.md");
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### ")) is_inside = line == "### What is recorded";
    if (!is_inside || !line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    rows[line.substr(3, end - 3)] = line.substr(end + 1);
  }
  return rows;
}

std::set<std::string> groups_of(const Scenario& scenario) {
  const Plant plant = build_plant(scenario);
  std::set<std::string> groups;
  for (const RecordedTable& table : recorded_tables(plant, scenario.record)) groups.insert(table.spec.group);
  return groups;
}

void check_column(const RecordedTable& table, const RecordedColumn& column, const std::string& documented) {
  INFO(table.spec.group << "/" << column.spec.name);
  CHECK(column.spec.long_name.size() > 5);
  const std::string& unit = column.spec.unit;
  if (unit != "1")
    CHECK(to_si(1.0, unit, unit == "K" ? "delta_K" : unit) == 1.0);  // an SI unit, and one that reads back
  CHECK((table.spec.group == "gpus" || documented.find("`" + column.spec.name + "`") != std::string::npos));
}

}  // namespace

TEST_CASE("every recorded dataset has a unit and a sentence and is documented", "[results]") {
  const std::map<std::string, std::string> documented = documented_groups();
  CHECK(documented.size() == 27);
  Scenario with_voltages = tests::two_sided_scenario();
  with_voltages.power.flow = "radial";
  with_voltages.power.substation.high_voltage_v = 110e3;
  with_voltages.power.substation.low_voltage_v = 20e3;
  Scenario with_fabric = tests::small_hall_scenario();
  with_fabric.network.fabric.kind = "fat_tree";
  for (const Scenario& scenario :
       {tests::small_hall_scenario(), tests::two_sided_scenario(), with_voltages, with_fabric}) {
    const Plant plant = build_plant(scenario);
    for (const RecordedTable& table : recorded_tables(plant, scenario.record)) {
      INFO(table.spec.group);
      REQUIRE(documented.count(table.spec.group) == 1);
      std::set<std::string> names;
      for (const RecordedColumn& column : table.columns) {
        CHECK(names.insert(column.spec.name).second);
        check_column(table, column, documented.at(table.spec.group));
      }
      const std::string& dimension = table.spec.item_dimension;
      CHECK((dimension.empty() || documented.at(table.spec.group).find("`" + dimension + "`") != std::string::npos));
    }
  }
}

TEST_CASE("a hall records only what it has", "[results]") {
  const std::set<std::string> one_rack = groups_of(tests::one_rack_scenario());
  for (const char* group : {"towers", "chillers", "crahs", "network", "water_systems", "generators"}) {
    INFO(group);
    CHECK(one_rack.count(group) == 0);
    CHECK((groups_of(tests::small_hall_scenario()).count(group) == 1 || std::string(group) == "generators"));
  }
  CHECK(groups_of(tests::two_sided_scenario()).count("generators") == 1);
  Scenario with_fabric = tests::small_hall_scenario();
  for (const bool is_modelled : {false, true}) {
    with_fabric.network.fabric.kind = is_modelled ? "fat_tree" : FabricSpec::counted;
    for (const char* group : {"fabric_switches", "fabric_tiers"})
      CHECK((groups_of(with_fabric).count(group) == 1) == is_modelled);
  }
}

TEST_CASE("pumps of CDUs and of water systems share one group", "[results]") {
  const Scenario scenario = tests::small_hall_scenario();
  const Plant plant = build_plant(scenario);
  for (const RecordedTable& table : recorded_tables(plant, scenario.record)) {
    if (table.spec.group != "pumps") continue;
    const std::vector<std::string>& items = table.spec.items;
    const auto count = [&](const std::string& prefix) {
      return std::count_if(items.begin(), items.end(),
                           [&](const std::string& name) { return name.starts_with(prefix); });
    };
    CHECK(count("cdu_") ==
          std::ranges::count_if(plant.motors, [](const MotorPart& motor) { return motor.name.starts_with("cdu_"); }));
    CHECK(count("facility.pump_") == 3);
    CHECK(count("chilled_water.pump_") == 2);
  }
}

TEST_CASE("powers of buses and branches are of one instant, whatever flows at the end of a record", "[results]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.flow = "radial";
  scenario.power.substation.high_voltage_v = 110e3;
  scenario.power.substation.low_voltage_v = 20e3;
  HallRun run(scenario, by_multirate());
  run.begin();
  run.advance_to(30.0);
  Evaluation otherwise = run.evaluation();
  for (double& watts : otherwise.power.bus_w) watts *= 0.5;
  const PlantSnapshot snapshot{run.plant(), run.state(), otherwise};
  const auto value = [&](const std::string& group, const std::string& item) {
    for (const RecordedTable& table : recorded_tables(run.plant(), scenario.record)) {
      if (table.spec.group != group) continue;
      const auto column = std::ranges::find(table.columns, "power", [](const auto& each) { return each.spec.name; });
      const auto number = std::ranges::find(table.spec.items, item) - table.spec.items.begin();
      return column->value(snapshot, static_cast<std::size_t>(number));
    }
    return 0.0;
  };
  const electrical::PowerTree& tree = run.plant().power_tree;
  std::size_t compared = 0;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const auto bus = static_cast<std::size_t>(tree.branch_to[branch]);
    if (std::ranges::count(tree.branch_to, tree.branch_to[branch]) != 1 ||
        value("branches", tree.branch_name[branch]) == 0.0)
      continue;
    INFO(tree.branch_name[branch]);
    CHECK(value("buses", tree.bus_name[bus]) == Approx(value("branches", tree.branch_name[branch])).epsilon(1e-9));
    ++compared;
  }
  CHECK(compared > 3);
}

TEST_CASE("a table that the file cannot take ends a run with an error, and the file is closed", "[results]") {
  const tests::TemporaryFolder folder;
  const auto write = [&] {
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    const std::size_t number =
        writer.add_table({.group = "steps", .columns = {{"time", "s", "a second dataset of this name"}}});
    writer.append(number, 0.0, std::vector{1.0F});
    writer.finish();
  };
  CHECK_THROWS_AS(write(), FileError);
  CHECK_FALSE(std::filesystem::exists(folder / "x.h5"));
}
