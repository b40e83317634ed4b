// Modules of UPS and transformers that fail by themselves: what those that are left carry and lose, when they trip, what events say and
// what check takes out.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/ratings/part_list.hpp"
#include "twin/run/figures/limit_report.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/statistics.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;

namespace {

using Texts = std::vector<std::string>;

}  // namespace

// Four modules of 25 kW, loss of each 175 W + 0.8 % + 0.016 P^2 / 25 kW.
TEST_CASE("modules that are left share the load, and each loses what it does at its share", "[modules]") {
  using namespace electrical;
  OneLineDiagram diagram{.buses = {{"feed"}, {"out"}},
                         .branches = {},
                         .sources = {{.name = "utility_a", .bus = "feed"}},
                         .loads = {{.name = "racks", .buses = {"out"}}}};
  diagram.branches.push_back({.name = "ups_a",
                              .from = "feed",
                              .to = "out",
                              .equipment = Ups::Params{.rated_w = 25e3,
                                                       .constant_loss_fraction = 0.007,
                                                       .linear_loss_fraction = 0.008,
                                                       .quadratic_loss_fraction = 0.016},
                              .modules = 4,
                              .module_separator = ".module_"});
  const PowerTree tree = build_power_tree(diagram);
  CHECK(tree.module_name == Texts{"ups_a.module_1", "ups_a.module_2", "ups_a.module_3", "ups_a.module_4"});
  SwitchState switches = normal_switch_state(tree);
  PowerFlow flow = make_power_flow(tree);
  const std::vector<double> load_w{60e3};
  const auto of_one_w = [](double output_w) { return 175.0 + 0.008 * output_w + 0.016 * output_w * output_w / 25e3; };
  for (const double left : {4.0, 3.0, 1.0}) {
    switches.branch_in_service_share[0] = left / 4.0;
    energise(tree, switches);
    evaluate(tree, load_w, switches, flow);
    INFO(left << " modules left");
    CHECK(flow.branch_output_w[0] == 60e3);
    CHECK(flow.branch_loss_w[0] == Approx(left * of_one_w(60e3 / left)).epsilon(1e-13));
    CHECK(flow.branch_loading_fraction[0] == Approx(60e3 / (left * 25e3)).epsilon(1e-13));
    CHECK(rated_in_service_w(tree, switches, 0) == Approx(left * 25e3));
  }
  switches.branch_in_service_share[0] = 0.0;
  switches.battery_ready[0] = 1;
  energise(tree, switches);
  evaluate(tree, load_w, switches, flow);
  CHECK(flow.served_w == 0.0);
  CHECK(flow.branch_loss_w[0] == 0.0);
  CHECK(flow.branch_loading_fraction[0] == 0.0);
}

TEST_CASE("as many modules to spare as there are is an error", "[modules]") {
  using namespace electrical;
  OneLineDiagram diagram{.buses = {{"feed"}, {"out"}},
                         .branches = {},
                         .sources = {{.name = "utility_a", .bus = "feed"}},
                         .loads = {{.name = "racks", .buses = {"out"}}}};
  diagram.branches.push_back({.name = "ups_a",
                              .from = "feed",
                              .to = "out",
                              .equipment = Ups::Params{.rated_w = 25e3,
                                                       .constant_loss_fraction = 0.007,
                                                       .linear_loss_fraction = 0.008,
                                                       .quadratic_loss_fraction = 0.016},
                              .modules = 2,
                              .spare_modules = 1});
  CHECK(check(diagram).empty());
  diagram.branches.front().spare_modules = 2;
  REQUIRE(check(diagram).size() == 1);
  CHECK(check(diagram).front().message == "'ups_a' has 2 modules, so 2 of them cannot be redundant");
}

namespace {

/// The two-sided hall on one side, with four UPS modules of such a rating.
Scenario four_modules(double rated_w, std::vector<EventSpec> events) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 2000.0;
  scenario.power.topology = "single";
  scenario.power.ups_modules = 4;
  scenario.power.ups.rated_w = rated_w;
  scenario.events = std::move(events);
  return scenario;
}

struct Run {
  explicit Run(Scenario from) : scenario(std::move(from)) { simulation.start(); }

  void until(double time_s) { simulation.run(time_s, {}); }
  double loading() const { return simulation.evaluation().power.branch_loading_fraction[ups]; }
  double output_w() const { return simulation.evaluation().power.branch_output_w[ups]; }
  std::vector<const EventRecord*> found(const std::string& kind) const {
    std::vector<const EventRecord*> list;
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind) list.push_back(&event);
    }
    return list;
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  std::size_t ups = *electrical::find_branch(plant.power_tree, "ups_a");
  RunMethod run_method = by_monolithic();
  tests::ConstantWork work{560.0, 6900.0};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

}  // namespace

// One of four modules of 30 kW is out for ten seconds: the same load over 90 kW instead of 120.
TEST_CASE("the highest loading is over the rating of the modules that were in service", "[modules]") {
  Scenario scenario = four_modules(30e3, {tests::event(10.0, Kind::fail, {"ups_a.module_2"}, 10.0)});
  scenario.duration_s = 30.0;
  Run run(scenario);
  Statistics statistics(run.plant);
  run.simulation.run(30.0, {&statistics});
  const std::size_t load = worst_load(statistics, "ups");
  const LoadPeak& peak = statistics.peaks[load];
  CHECK(statistics.loads[load].name == "ups_a");
  CHECK(peak.rated_w == Approx(90e3).epsilon(1e-12));
  CHECK(peak.ratio == Approx(run.output_w() / 90e3).epsilon(0.01));
  CHECK(peak.ratio == Approx(peak.load_w / peak.rated_w).epsilon(1e-12));
  CHECK(peak_loading_ratio(statistics, load) == peak.ratio);
  CHECK((peak.at_s > 10.0 && peak.at_s <= 20.0));
}

// The whole carries 90 % of its rating, three quarters of it 120 %, a half 180 %.
TEST_CASE("an overload of modules says which of them were missing when it was worst", "[modules][limits]") {
  double carried_w = 0.0;
  {
    Run whole(four_modules(30e3, {}));
    whole.until(5.0);
    carried_w = whole.output_w();
  }
  Scenario scenario =
      four_modules(carried_w / 3.6, {tests::event(10.0, Kind::fail, {"ups_a.module_2"}, 10.0),
                                     tests::event(40.0, Kind::fail, {"ups_a.module_3", "ups_a.module_4"}, 1.0)});
  scenario.duration_s = 60.0;
  const auto limited_by = [&](double until_s) {
    Run run(scenario);
    run.until(until_s);
    const std::vector<LimitRecord> records = limit_records(run.simulation.finished());
    const auto found = std::ranges::find(records, "ups_a", &LimitRecord::part);
    return found == records.end() ? std::string("nothing") : found->limited_by;
  };
  CHECK(limited_by(9.0) == "nothing");
  CHECK(limited_by(30.0) == "over its rating, 1 of 4 modules out");
  CHECK(limited_by(60.0) == "over its rating, 2 of 4 modules out");  // then it was farther beyond
}

// 102 % of what is left is carried without limit, 153 % for 26 s.
TEST_CASE("an overload that trips has a time of its own beside one that is carried", "[modules][limits]") {
  double carried_w = 0.0;
  {
    Run whole(four_modules(30e3, {}));
    whole.until(5.0);
    carried_w = whole.output_w();
  }
  Scenario scenario = four_modules(carried_w / 3.06, {tests::event(10.0, Kind::fail, {"ups_a.module_2"}),
                                                      tests::event(40.0, Kind::fail, {"ups_a.module_3"})});
  scenario.duration_s = 50.0;
  Run run(scenario);
  run.until(50.0);
  std::vector<LimitRecord> records = limit_records(run.simulation.finished());
  std::erase_if(records, [](const LimitRecord& record) { return record.part != "ups_a"; });
  REQUIRE(records.size() == 2);
  const LimitRecord &rating = records[0], &carried = records[1];
  CHECK(rating.limit == 1.0);
  CHECK(rating.limited_by == "over its rating, 2 of 4 modules out");
  CHECK(rating.beyond == "log");
  CHECK(rating.first_time_s == 10.0);
  CHECK(rating.duration_s == Approx(40.0));
  CHECK(carried.limit == Approx(1.1));
  CHECK(carried.limited_by == "over what it carries without limit, 2 of 4 modules out");
  CHECK(carried.beyond == "trip");
  CHECK(carried.worst == Approx(1.53).epsilon(0.01));
  CHECK(carried.first_time_s == 40.0);
  CHECK(carried.duration_s == Approx(10.0));
}

TEST_CASE("an overload that grows trips after the time that is left then, not since the harmless one began",
          "[modules][limits]") {
  double carried_w = 0.0;
  {
    Run whole(four_modules(30e3, {}));
    whole.until(5.0);
    carried_w = whole.output_w();
  }
  Run run(four_modules(carried_w / 3.06, {tests::event(10.0, Kind::fail, {"ups_a.module_2"}),
                                          tests::event(40.0, Kind::fail, {"ups_a.module_3"})}));
  run.until(100.0);
  std::vector<std::string> reported;
  double tripped_s = 0.0;
  for (const EventRecord& event : run.simulation.events()) {
    if (event.target != "ups_a") continue;
    if (event.kind == "limit_exceeded") reported.push_back(event.detail);
    if (event.kind == "tripped") tripped_s = event.time_s;
  }
  REQUIRE(reported.size() == 2);
  CHECK_THAT(reported.front(), Catch::Matchers::EndsWith("carries up to 110 % continuously"));
  const std::string before = "trips after ";
  REQUIRE(reported.back().find(before) != std::string::npos);
  const double left_s = std::stod(reported.back().substr(reported.back().find(before) + before.size()));
  CHECK(left_s == Approx(tripped_s - 40.0).margin(0.5));
}

TEST_CASE("a module fails, comes back, and fails for a while", "[modules]") {
  Run run(four_modules(30e3, {tests::event(10.0, Kind::fail, {"ups_a.module_2"}),
                              tests::event(20.0, Kind::fail, {"ups_a.module_2", "ups_a.module_3"}),
                              tests::event(30.0, Kind::restore, {"ups_a.module_*"}),
                              tests::event(40.0, Kind::fail, {"ups_a.module_4"}, 10.0)}));
  run.until(5.0);
  CHECK(run.loading() == Approx(run.output_w() / 120e3));
  for (const auto& [time_s, modules] : {std::pair{15.0, 3.0}, {25.0, 2.0}, {35.0, 4.0}, {45.0, 3.0}, {55.0, 4.0}}) {
    run.until(time_s);
    INFO(time_s << " s");
    CHECK(run.loading() == Approx(run.output_w() / (modules * 30e3)).epsilon(1e-12));
    CHECK(run.simulation.evaluation().power.served_w > 10 * 6900.0);
  }
  const auto failed = run.found("fail");
  REQUIRE(failed.size() == 4);
  CHECK(failed[0]->target == "ups_a.module_2");
  CHECK(failed[0]->detail == "scenario; 3 of 4 modules in service, with their batteries");
  CHECK(failed[1]->detail == "scenario; changes nothing now");
  CHECK(failed[2]->detail == "scenario; 2 of 4 modules in service, with their batteries");
  CHECK(run.found("restore").back()->detail ==
        "the end of a temporary fail; 4 of 4 modules in service, with their batteries");
}

// 600 s x 0.1^((L - 1.25) / 0.25) from the load present.
TEST_CASE("modules that are left trip when they have endured what they carry", "[modules]") {
  double carried_w = 0.0;
  {
    Run whole(four_modules(30e3, {}));
    whole.until(5.0);
    carried_w = whole.output_w();
  }
  Run run(four_modules(carried_w / 3.75, {tests::event(10.0, Kind::fail, {"ups_a.module_1"})}));
  run.until(10.0);
  CHECK(run.loading() == Approx(1.25).epsilon(0.01));
  const double endures_s = 600.0 * std::pow(0.1, (run.loading() - 1.25) / 0.25);
  run.until(10.0 + 0.98 * endures_s);
  CHECK(run.found("tripped").empty());
  run.until(10.0 + 1.02 * endures_s);
  REQUIRE(run.found("tripped").size() == 1);
  CHECK(run.found("tripped").front()->target == "ups_a");
  CHECK(run.simulation.evaluation().power.branch_output_w[run.ups] == 0.0);
}

TEST_CASE("a pattern that fits a branch does not mean its modules", "[modules]") {
  Run run(four_modules(30e3, {tests::event(10.0, Kind::fail, {"ups_*"}, 5.0)}));
  run.until(20.0);
  REQUIRE(run.found("fail").size() == 1);
  CHECK(run.found("fail").front()->target == "ups_a");
}

TEST_CASE("modules are parts of their own, with the rating of one", "[modules]") {
  Scenario scenario = four_modules(30e3, {});
  scenario.power.transformers = 2;
  const Plant plant = build_plant(scenario);
  const std::vector<PartRow> parts = part_list(plant);
  const auto part = [&](const char* name) {
    const auto found = std::ranges::find(parts, name, &PartRow::name);
    REQUIRE(found != parts.end());
    return *found;
  };
  CHECK(part("ups_a.module_4").rated_w == Approx(30e3));
  CHECK(part("ups_a.module_4").hangs_on == Texts{"ups_a"});
  CHECK(part("ups_a.module_4").events == Texts{"fail", "restore"});
  CHECK(part("transformer_a_2").rated_w == Approx(630e3));
  CHECK(std::ranges::find(parts, "substation_a_1", &PartRow::name) == parts.end());
}

TEST_CASE("what is out in check is each block, and the modules that are to spare", "[modules][ratings]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.power.topology = "single";
  scenario.power.redundancy = "distributed";
  scenario.power.ups_modules = 4;
  for (const char* name : {"a", "b", "c"}) {
    scenario.power.named_blocks.push_back(scenario.power);
    scenario.power.named_blocks.back().name = name;
  }
  scenario.power.named_blocks[0].redundant_ups_modules = 1;
  scenario.power.named_blocks[1].redundant_ups_modules = 2;
  Texts texts;
  for (const Outage& outage : outages(build_plant(scenario))) texts.push_back(outage.text);
  for (const char* out : {"all feeds", "all feeds, generator_a_1", "block a", "block c", "block b, the other feeds",
                          "ups_a.module_1", "2 of 4 modules of ups_b"}) {
    INFO(out);
    CHECK(std::ranges::count(texts, out) == 1);
  }
  CHECK(std::ranges::none_of(texts, [](const std::string& out) { return out.find("ups_c") != std::string::npos; }));
  scenario.power.redundancy = "single";
  for (const Outage& outage : outages(build_plant(scenario))) CHECK(outage.kind != Outage::Kind::side);
}
