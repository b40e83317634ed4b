// Case: halls whose power is drawn, scenarios/one_line/; its README has the answers.
//
// Expected values and where they come from:
//   times    of the tie and of restarts: the rules of the scenario and of the library, by hand
//   charge   2 s of the load of the UPS from its battery: P (1 + loss) / energy, with P from the run
//   clock    of B200 on one cord: the law of the power limit, docs/models/gpu_protection.md, as the run reports it
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;
using Times = std::vector<double>;

namespace {

/// So that powers before and after can be compared.
const std::string constant_work = "workload={ kind: constant }";

double output_w(const ScenarioRun& run, const char* branch) {
  return run.evaluation().power.branch_output_w[*electrical::find_branch(run.plant.power_tree, branch)];
}

bool was_any(const ScenarioRun& run, const char* kind) { return !run.times_s(kind).empty(); }

}  // namespace

TEST_CASE("a transformer that is lost in main-tie-main reaches no node", "[case]") {
  ScenarioRun run("one_line/main_tie_main", {constant_work}, By::multirate);
  run.until(599.0);
  const double ups_w = output_w(run, "ups_a"), side_b_w = output_w(run, "transformer_b");
  const double side_a_w = output_w(run, "transformer_a");
  run.until(603.0);
  CHECK(run.times_s("on_battery", "ups_a") == Times{600.0});
  CHECK(run.times_s("off_battery", "ups_a") == Times{602.0});
  const BatteryPart& battery = run.plant.batteries.front();
  CHECK(1.0 - run.charge("ups_a") == Approx(2.0 * 1.04 * ups_w / battery.energy_j).epsilon(0.05));
  run.until(1200.0);
  CHECK(output_w(run, "transformer_b") == Approx(side_a_w + side_b_w).epsilon(0.02));
  run.to_end();
  CHECK(run.times_s("transfer", "tie") == Times{602.0, 2400.0});
  CHECK_FALSE(was_any(run, "lost_power"));
  CHECK_FALSE(was_any(run, "job_slowed"));
  CHECK(run.energy_residual() < 1e-9);
}

TEST_CASE("the transformer that is left carries what the page of drawn halls prints", "[case]") {
  struct Peak final : Observer {
    explicit Peak(std::size_t of) : branch(of) {}
    void observe(const PlantState&, const Evaluation& evaluation) override {
      peak = std::max(peak, evaluation.power.branch_loading_fraction[branch]);
    }
    std::size_t branch;
    double peak = 0.0;
  };
  ScenarioRun run("one_line/main_tie_main", {}, By::multirate);
  Peak left(*electrical::find_branch(run.plant.power_tree, "transformer_b"));
  run.to_end(&left);
  CHECK(left.peak == Approx(0.475).margin(0.002));
}

TEST_CASE("a closed ring shares its load by the impedances of both ways", "[case][tree_voltages]") {
  ScenarioRun run(
      "one_line/ring",
      {constant_work, "power.flow=auto", "duration=20 min", "events=[{ at: 5 min, close: cable_2, for: 5 min }]"},
      By::multirate);
  run.until(299.0);
  const double side_a_w = output_w(run, "cable_1"), side_b_w = output_w(run, "cable_3");
  run.until(400.0);
  // Cables of 400, 150 and 500 m of one kind: of a load at rmu_a 650 / 1050 come by cable 1, of one at rmu_b 500 / 1050 by cable 1.
  const double by_cable_1 = (650.0 * side_a_w + 500.0 * side_b_w) / 1050.0;
  CHECK(output_w(run, "cable_1") == Approx(by_cable_1).epsilon(2e-3));
  CHECK(output_w(run, "cable_1") + std::abs(output_w(run, "cable_3")) == Approx(side_a_w + side_b_w).epsilon(2e-3));
  CHECK(run.times_s("feeds_in_parallel").empty());  // one feed
  run.until(700.0);
  CHECK(output_w(run, "cable_1") == Approx(side_a_w).epsilon(2e-3));
  CHECK(run.energy_residual() < 1e-9);
}

TEST_CASE("a feed that delivers more than its contract allows is reported by the run and by check", "[case]") {
  const std::vector<std::string> overrides{constant_work, "duration=2 min", "events=[]",
                                           "power.one_line.sources.utility.contract=300 kW"};
  ScenarioRun run("one_line/ring", overrides, By::multirate);
  run.to_end();
  const auto over = std::ranges::find(run.events(), "utility", &EventRecord::target);
  REQUIRE(over != run.events().end());
  CHECK(run.evaluation().power.source_w[0] > 300e3);
  CHECK(run.evaluation().power.source_loading_fraction[0] == Approx(run.evaluation().power.source_w[0] / 300e3));
  CHECK_FALSE(was_any(run, "lost_power"));
}

TEST_CASE("a cable of a ring main is taken out and nothing is without power", "[case]") {
  ScenarioRun run("one_line/ring", {constant_work}, By::multirate);
  run.until(1799.0);
  const double side_a_w = output_w(run, "cable_1"), side_b_w = output_w(run, "cable_3");
  CHECK(output_w(run, "cable_2") == 0.0);
  run.until(1900.0);
  CHECK(output_w(run, "cable_1") == 0.0);
  CHECK(output_w(run, "cable_2") == Approx(side_a_w).epsilon(0.02));
  CHECK(output_w(run, "cable_3") == Approx(side_a_w + side_b_w).epsilon(0.02));
  run.to_end();
  CHECK(output_w(run, "cable_2") == 0.0);
  for (const char* kind : {"lost_power", "on_battery", "transfer", "start", "stop"}) CHECK_FALSE(was_any(run, kind));
}

TEST_CASE("a cable of a ring main that fails is replaced after 30 s", "[case]") {
  ScenarioRun run("one_line/ring", {"events=[{ at: 10 min, fail: cable_1 }]", "duration=15 min"}, By::multirate);
  run.to_end();
  CHECK(run.times_s("on_battery", "ups_a") == Times{600.0});
  CHECK(run.times_s("off_battery", "ups_a") == Times{630.0});
  CHECK(output_w(run, "cable_2") > 0.0);
  CHECK_FALSE(was_any(run, "lost_power"));
}

TEST_CASE("B200 nodes on one cord cap their power and stay on", "[case]") {
  ScenarioRun run("one_line/b200_cord_lost", {}, By::multirate);
  run.to_end();
  CHECK(run.times_s("job_slowed") == Times{600.0});
  CHECK(run.times_s("job_full_speed") == Times{1200.0});
  const auto slowed = std::ranges::find(run.events(), "job_slowed", &EventRecord::kind);
  CHECK(slowed->detail.find("power limit: clock 74.6 %") != std::string::npos);
  CHECK_FALSE(was_any(run, "lost_power"));
  CHECK_FALSE(was_any(run, "node_off"));
}

// The ring closed, its cables as lines of 22 A.
TEST_CASE("check takes out each cable of a closed ring, and finds what a run without it carries", "[case]") {
  std::vector<std::string> lines{constant_work, "power.flow=auto", "events=[]", "initial=steady"};
  const std::string line =
      "hardware: null, length: null, resistance: 0.05 ohm, reactance: 0.05 ohm, rated_current: 22 A";
  for (const char* cable : {"cable_1", "cable_3"})
    lines.push_back(std::string("power.one_line.branches.") + cable + "={ " + line + " }");
  lines.push_back("power.one_line.branches.cable_2={ open: null, closes: null, after: null, " + line + " }");
  const RatingCheck check = check_ratings(read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/one_line/ring.yaml", lines));
  const auto row = std::ranges::find_if(check.rows, [](const CheckRow& each) {
    return each.kind == CheckRow::Kind::rating && each.out.starts_with("cable_");
  });
  REQUIRE(row != check.rows.end());
  const std::string out = row->out, named = row->name.substr(0, row->name.find(' '));
  lines[2] = "events=[{ at: 10 s, fail: " + out + " }]";
  ScenarioRun run("one_line/ring", lines, By::multirate);
  run.until(60.0);
  CHECK(
      std::abs(run.evaluation().power.branch_loading_fraction[*electrical::find_branch(run.plant.power_tree, named)]) ==
      Approx(row->value / row->limit).epsilon(0.01));
  CHECK(run.times_s("tripped").empty());
}

// Between instants that tables have it may have been lower, so that the figure is compared with all instants, by an observer of its own.
TEST_CASE("the lowest voltage of a run is that of its buses at any instant, and has a line", "[case]") {
  struct Lowest final : Observer {
    explicit Lowest(const Plant& of) : plant(of) {}
    void observe(const PlantState& state, const Evaluation&) override {
      for (std::size_t bus = 0; bus < state.voltages.bus.size(); ++bus) {
        const double ratio = std::hypot(state.voltages.bus[bus].real(), state.voltages.bus[bus].imag());
        if (state.switches.bus_live[bus] != 0 && ratio < least) least = ratio, name = plant.power_tree.bus_name[bus];
      }
    }
    const Plant& plant;
    double least = 2.0;
    std::string name;
  };
  HallRun run(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_line/ring.yaml",
                            {constant_work, "power.flow=auto", "duration=40 min"}));
  Lowest lowest(run.plant());
  run.show(lowest);
  run.begin();
  run.advance_to(2400.0);
  double figure = 0.0;
  std::string bus;
  for (const NamedValue& of : run.figures()) {
    if (of.name == "lowest_voltage") figure = std::get<double>(of.value);
    if (of.name == "lowest_voltage_of") bus = std::get<std::string>(of.value);
  }
  CHECK(figure == lowest.least);
  CHECK(bus == lowest.name);
  CHECK((lowest.least > 0.9 && lowest.least < 1.0));
}
