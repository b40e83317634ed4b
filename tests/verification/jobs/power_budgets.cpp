// Power budgets of parts of a hall: which nodes share one, against the power that reaches them, and which jobs wait, by hand.
#include <algorithm>
#include <string>
#include <vector>

#include "electrical/power_tree.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/power_domains.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

using Run = tests::ScenarioRun;

twin::Scenario hall_with(const std::string& name, const std::string& budget) {
  return twin::read_scenario(
      std::string(WATTLOOP_SOURCE_DIR "/scenarios/") + name + ".yaml",
      std::vector<std::string>{"workload=null",
                               "jobs={scheduler: {budget: " + budget +
                                   "}, queue: [{nodes: 1, program: {kind: constant, node_power: 5 kW}}]}"});
}

std::string mistake_of(const std::string& name, const std::string& budget) {
  try {
    Problems problems;
    power_domains_of(hall_with(name, budget), problems);
    problems.throw_if_any("budgets");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

/// Nodes of the first domain.
std::vector<std::size_t> nodes_with(const std::string& name, const std::string& budget) {
  Problems problems;
  const twin::PowerDomains domains = power_domains_of(hall_with(name, budget), problems);
  problems.throw_if_any("budgets");
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < domains.domain_of_node.size(); ++node)
    if (domains.domain_of_node[node] == 0) nodes.push_back(node);
  return nodes;
}

/// Nodes whose power passes a branch, each rack by itself.
std::vector<std::size_t> nodes_through(const std::string& name, const std::string& branch) {
  const twin::Plant plant = twin::build_plant(hall_with(name, "1 MW"));
  const electrical::PowerTree& tree = plant.power_tree;
  const electrical::SwitchState switches = electrical::normal_switch_state(tree);
  const std::size_t number = *electrical::find_branch(tree, branch);
  std::vector<std::size_t> nodes;
  electrical::PowerFlow of_none = electrical::make_power_flow(tree), of_rack = electrical::make_power_flow(tree);
  std::vector<double> load_w(tree.load_name.size());
  electrical::evaluate(tree, load_w, switches, of_none);
  for (const twin::RackPart& rack : plant.it.racks) {
    load_w.assign(load_w.size(), 0.0);
    load_w[rack.load] = 1000.0;
    electrical::evaluate(tree, load_w, switches, of_rack);
    if (of_rack.branch_output_w[number] <= of_none.branch_output_w[number]) continue;
    const std::size_t count = plant.it.groups[rack.group].nodes_per_rack;
    for (std::size_t node = 0; node < count; ++node) nodes.push_back(rack.first_node + node);
  }
  return nodes;
}

}  // namespace

TEST_CASE("nodes with a budget of equipment are those whose power passes it", "[verification][power_budgets]") {
  const twin::Plant plant = twin::build_plant(hall_with("h100_10k", "1 MW"));
  std::size_t checked = 0;
  for (const std::string& branch : plant.power_tree.branch_name) {
    const std::vector<std::size_t> by_power = nodes_through("h100_10k", branch);
    if (by_power.empty() || ++checked > 4) continue;
    INFO(branch);
    CHECK(nodes_with("h100_10k", "{" + branch + ": 100 kW}") == by_power);
  }
  CHECK(checked > 4);
  CHECK(nodes_with("h100_10k", "{row_2: 1 MW}") == nodes_with("h100_10k", "{row_2.rack_*: 1 MW}"));
  CHECK(nodes_with("h100_10k", "{row_1.rack_3.node_2: 8 kW}") == std::vector<std::size_t>{2 * 8 + 1});
}

TEST_CASE("jobs wait where the budget of a rack is used up, and take nodes of another",
          "[verification][power_budgets]") {
  const auto job = [](const std::string& keys) {
    return "{" + keys + ", program: {kind: constant, node_power: 6 kW}}";
  };
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    // Power for two nodes of the first rack and five of the second.
    Run run(
        "one_rack",
        {"workload=null", "hall.racks.count=2", "duration=40 min",
         "jobs={scheduler: {budget: {row_1.rack_1: 15 kW, row_1.rack_2: 33 kW}}, queue: [" +
             job("name: first, nodes: 4, run_time: 10 min") + ", " +
             job("name: second, nodes: 3, submit: 1 min, run_time: 9 min") + ", " +
             job("name: third, nodes: 1, submit: 2 min") + ", " + job("name: never, nodes: 8, submit: 3 min") + "]}"},
        integrator);
    run.until(300.0);
    const std::vector<std::uint32_t>& slots = run.state().work.queue.where.slot_of_node;
    CHECK(std::count_if(slots.begin(), slots.begin() + 8, [](std::uint32_t slot) { return slot != 0; }) == 2);
    CHECK(std::count_if(slots.begin() + 8, slots.end(), [](std::uint32_t slot) { return slot != 0; }) == 5);
    run.to_end();
    const auto& records = run.state().work.queue.records;
    CHECK(records[0].first_start_s == 0.0);
    CHECK(records[1].first_start_s == 60.0);
    CHECK(records[2].first_start_s == 600.0);
    CHECK(records[3].starts == 0);
  }
}

TEST_CASE("placement by power takes nodes where most of a budget is left", "[verification][power_budgets]") {
  Run run("one_rack",
          {"workload=null", "hall.racks.count=2", "duration=10 min",
           "jobs={scheduler: {placement: power, budget: {row_1.rack_1: 20 kW, row_1.rack_2: 32 kW}}, queue: "
           "[{nodes: 4, program: {kind: constant, node_power: 6 kW}}]}"});
  run.to_end();
  // 32 kW, then 26, then 20 on both (the first rack), then 20 of the second.
  const std::vector<std::uint32_t>& slots = run.state().work.queue.where.slot_of_node;
  CHECK(std::count_if(slots.begin(), slots.begin() + 8, [](std::uint32_t slot) { return slot != 0; }) == 1);
}

TEST_CASE("mistakes in budgets are answered with what to write", "[scenario][power_budgets]") {
  CHECK_THAT(
      mistake_of("h100_10k", "{row_1: 1 MW, row_1.rack_3: 50 kW}"),
      Contains("row_1.rack_3.node_1 is in row_1 and in row_1.rack_3") && Contains("give each node only one budget"));
  CHECK_THAT(mistake_of("h100_10k", "{rwo_1: 1 MW}"),
             Contains("no node, rack, row or electrical equipment 'rwo_1'") && Contains("did you mean 'row_1'?"));
  CHECK_THAT(mistake_of("h100_10k", "{hall: 8 MW, row_1: 1 MW}"),
             Contains("the hall has a budget, and parts of it have others"));
  CHECK_THAT(mistake_of("h100_10k", "{row_1: 1}"), Contains("'1' has no unit, expected W"));
  CHECK_THAT(mistake_of("h100_10k", "{}"), Contains("a map without names"));
}
