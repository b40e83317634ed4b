// What is recorded of links and power of a modelled fabric, and of steps of transformer jobs. 64 nodes, two units of 32 with 8 leaves each: leaf_12
// carries rail 4 of nodes 33 to 64.
#include "twin/run/recording/recorded_links.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/fabric_hall.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/explained_job.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/recording/recorded_steps.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/work/parameters.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Scenario hall_with_lost_leaf() {
  workload::TrainingParams job;
  job.step_s = 1.0;
  job.communication_fraction = 0.4;
  job.evaluation_s = job.checkpoint_s = 0.0;
  Scenario scenario = tests::fabric_hall(job, {tests::event(60.0, EventSpec::Kind::fail, {"leaf_12"}, 600.0)}, 200.0);
  scenario.network.switches.optics_w = 480.0;
  scenario.network.fabric.management = {.is_given = true, .switches = 4, .switch_w = 200.0};
  return scenario;
}

const RecordedTable& table_named(const std::vector<RecordedTable>& tables, const std::string& group) {
  const auto found = std::ranges::find(
      tables, group, [](const RecordedTable& table) -> const std::string& { return table.spec.group; });
  REQUIRE(found != tables.end());
  return *found;
}

std::vector<double> values_of(const RecordedTable& table, const std::string& name, const PlantSnapshot& snapshot) {
  const auto column = std::ranges::find(table.columns, name,
                                        [](const RecordedColumn& one) -> const std::string& { return one.spec.name; });
  REQUIRE(column != table.columns.end());
  std::vector<double> values(table.spec.item_count());
  column->fill(snapshot, values);
  CHECK(values.back() == column->value(snapshot, values.size() - 1));
  return values;
}

std::size_t number_of(const RecordedTable& table, const std::string& item) {
  const auto found = std::ranges::find(table.spec.items, item);
  REQUIRE(found != table.spec.items.end());
  return static_cast<std::size_t>(found - table.spec.items.begin());
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

TEST_CASE("loads of links are those of their tiers, and a failed leaf has no bandwidth", "[results][fabric]") {
  const Scenario scenario = hall_with_lost_leaf();
  HallRun run(scenario, by_multirate());
  run.begin();
  run.advance_to(30.0);
  const std::vector<RecordedTable> tables =
      link_tables(run.plant(), run.workload(), scenario.record, scenario.duration_s);
  const RecordedTable& links = table_named(tables, "fabric_links");
  const HallFabric& hall = *run.plant().fabric;
  REQUIRE(links.spec.items.size() == hall.fabric.link_count());
  CHECK(links.interval_s == scenario.record.gpus_s);
  const PlantSnapshot before{run.plant(), run.state(), run.evaluation()};
  const std::vector<double> up = values_of(links, "load_up", before), down = values_of(links, "load_down", before);
  CHECK(sum(values_of(links, "bandwidth", before)) == static_cast<double>(links.spec.items.size()));
  CHECK(sum(up) > 0.0);
  std::vector<double> mean(hall.blocks.size());
  for (std::size_t link = 0; link < up.size(); ++link) {
    const std::uint32_t block = hall.block_of_switch[hall.fabric.link_upper[link]];
    mean[block] += std::max(up[link], down[link]) / static_cast<double>(hall.blocks[block].links);
  }
  for (std::size_t block = 0; block < mean.size(); ++block)
    CHECK(mean[block] == Approx(run.state().fabric.block_mean_fraction[block]));

  run.advance_to(100.0);
  const PlantSnapshot after{run.plant(), run.state(), run.evaluation()};
  const std::vector<double> bandwidth = values_of(links, "bandwidth", after);
  const std::vector<double> rerouted = values_of(links, "load_up", after);
  for (const char* name : {"node_33.rail_4", "node_64.rail_4", "leaf_12.to_spine_1"}) {
    INFO(name);
    CHECK(bandwidth[number_of(links, name)] == 0.0);
    CHECK(rerouted[number_of(links, name)] == 0.0);
  }
  CHECK(bandwidth[number_of(links, "node_32.rail_4")] == 1.0);
  CHECK(rerouted[number_of(links, "node_33.rail_5")] > 0.0);
}

TEST_CASE("power of a fabric is divided into switches, optical modules, other networks and adapters",
          "[results][fabric]") {
  const Scenario scenario = hall_with_lost_leaf();
  HallRun run(scenario, by_multirate());
  run.begin();
  const std::vector<RecordedTable> tables =
      link_tables(run.plant(), run.workload(), scenario.record, scenario.duration_s);
  const RecordedTable& parts = table_named(tables, "fabric_power");
  CHECK(parts.spec.items == std::vector<std::string>{"switches", "switch_optics", "other_networks", "node_adapters"});
  const auto switches = static_cast<double>(run.plant().fabric->fabric.switch_count());
  for (const double lost : {0.0, 1.0}) {
    run.advance_to(lost > 0.0 ? 100.0 : 30.0);
    const std::vector<double> watts = values_of(parts, "power", {run.plant(), run.state(), run.evaluation()});
    CHECK(watts[1] == 480.0 * (switches - lost));
    CHECK(watts[2] == Approx(4.0 * 200.0));
    CHECK(watts[3] == 64.0 * 8.0 * 22.0);
    const double metered_w = run.evaluation().sinks[tests::meter_of_use(run.plant(), "fabric")];
    CHECK(watts[0] + watts[1] + watts[2] == Approx(metered_w));
  }
}

TEST_CASE("a hall without a modelled fabric has no table of links", "[results][fabric]") {
  const Scenario scenario = tests::small_hall_scenario();
  HallRun run(scenario, by_multirate());
  CHECK(link_tables(run.plant(), run.workload(), scenario.record, scenario.duration_s).empty());
  CHECK(step_tables(scenario, scenario.duration_s).empty());
}

TEST_CASE("parts of a step of a transformer job are recorded and add up", "[results]") {
  const Scenario scenario = read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/transformer/gpt3_10k.yaml", {});
  const std::vector<PlannedStep> planned = planned_steps(scenario);
  REQUIRE(planned.size() == 1);
  const std::vector<RecordedTable> tables = step_tables(scenario, scenario.duration_s);
  REQUIRE(tables.size() == 1);
  const RecordedTable& steps = tables.front();
  CHECK(steps.interval_s == scenario.duration_s);
  CHECK(steps.spec.items.front() == "hall.matrix_products");
  double time_s = 0.0, share = 0.0;
  const Plant plant = build_plant(tests::small_hall_scenario());  // what is recorded does not depend on it
  const PlantState state = initial_state(plant);
  const Evaluation evaluation(plant);
  const PlantSnapshot snapshot{plant, state, evaluation};
  for (std::size_t part = 0; part < steps.spec.items.size(); ++part) {
    time_s += steps.columns[0].value(snapshot, part);
    share += steps.columns[1].value(snapshot, part);
  }
  CHECK(time_s == Approx(planned.front().step.step_s));
  CHECK(share == Approx(1.0));
}

TEST_CASE("tables of links, power and steps are documented", "[results]") {
  std::ifstream file(WATTLOOP_SOURCE_DIR "/docs/results_format.md");
  std::string row_of_links, row_of_power, row_of_steps;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `fabric_links` | `fabric_link`")) row_of_links = line;
    if (line.starts_with("| `fabric_power` | `fabric_part`")) row_of_power = line;
    if (line.starts_with("| `step_times` | `step_part`")) row_of_steps = line;
  }
  for (const char* column : {"`load_up`", "`load_down`", "`bandwidth`"})
    CHECK(row_of_links.find(column) != std::string::npos);
  for (const char* item : {"`power`", "\"switches\"", "\"switch_optics\"", "\"other_networks\"", "\"node_adapters\""})
    CHECK(row_of_power.find(item) != std::string::npos);
  for (const char* column : {"`duration`", "`share`"}) CHECK(row_of_steps.find(column) != std::string::npos);
}
