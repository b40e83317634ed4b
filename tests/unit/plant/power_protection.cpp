// Overload on a hall with two sides: what trips, when, what follows, and what the log says. Times by hand from the loading present:
// a UPS endures 600 s x 0.1^((L - 1.25) / 0.25), a PDU 80 s / ((L / 1.1)^2 - 1), a generator that cannot carry its load 1 s.
#include "twin/actions/power/power_protection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;
using electrical::BranchMode;

namespace {

constexpr double node_w = 6900.0;
constexpr int racks = 10;
constexpr double loss_at_s = 5.0;
constexpr double trip_tolerance_s =
    1e-3;  ///< of times of trips at constant work: what leakage and fans change in between

enum class Method { multirate, monolithic };

struct Run {
  explicit Run(Scenario from, Method method = Method::multirate)
      : scenario(std::move(from)), run_method(method == Method::multirate ? by_multirate() : by_monolithic()) {
    simulation.start();
  }

  void until(double time_s) { simulation.run(time_s, {}); }
  BranchMode mode(const char* branch) const {
    return simulation.state().switches.branch_mode[*electrical::find_branch(plant.power_tree, branch)];
  }
  double loading(const char* branch) const {
    const std::size_t number = *electrical::find_branch(plant.power_tree, branch);
    return simulation.evaluation().power.branch_loading_fraction[number];
  }
  double nodes_w() const { return simulation.evaluation().sinks[plant.meters.energy[plant.it.node_use]]; }

  std::vector<const EventRecord*> found(const std::string& kind, const std::string& target) const {
    std::vector<const EventRecord*> list;
    for (const EventRecord& event : simulation.events()) {
      if (event.kind == kind && (target.empty() || event.target == target)) list.push_back(&event);
    }
    return list;
  }
  std::vector<double> times(const std::string& kind, const std::string& target) const {
    std::vector<double> times_s;
    for (const EventRecord* event : found(kind, target)) times_s.push_back(event->time_s);
    return times_s;
  }
  std::string detail(const std::string& kind, const std::string& target) const {
    const auto list = found(kind, target);
    return list.empty() ? "no such event" : list.front()->detail;
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::ConstantWork work{560.0, node_w};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

/// UPS of such a rating that one of them has about 150 % when it carries both sides.
Scenario small_ups(std::vector<EventSpec> events) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 600.0;
  scenario.power.ups.rated_w = 50e3;
  scenario.events = std::move(events);
  return scenario;
}

double ups_endures_s(double loading_ratio) { return 600.0 * std::pow(0.1, (loading_ratio - 1.25) / 0.25); }

Scenario weak_generators(double rated_w) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 600.0;
  scenario.power.generators.generator.rated_w = rated_w;
  scenario.events = {tests::event(loss_at_s, Kind::open, {"utility_*"})};
  return scenario;
}

}  // namespace

TEST_CASE("a side is lost, the partner's UPS is overloaded, and trips in turn when it has endured that",
          "[protection]") {
  for (const Method method : {Method::multirate, Method::monolithic}) {
    Run run(small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"})}), method);
    run.until(loss_at_s);
    const double loading_ratio = run.loading("ups_b"), endures_s = ups_endures_s(loading_ratio);
    CHECK(loading_ratio > 1.4);
    run.until(loss_at_s + endures_s - 0.01);
    CHECK(run.mode("ups_b") == BranchMode::carrying);
    CHECK(run.nodes_w() == Approx(racks * node_w));
    run.until(loss_at_s + endures_s + 0.01);
    CHECK(run.mode("ups_b") == BranchMode::dead);
    CHECK(run.nodes_w() == 0.0);
    CHECK(run.times("limit_exceeded", "ups_b") == std::vector{loss_at_s});
    REQUIRE(run.times("tripped", "").size() == 1);
    CHECK(run.times("tripped", "ups_b").front() == Approx(loss_at_s + endures_s).margin(trip_tolerance_s));
    CHECK(run.times("lost_power", "node") == run.times("tripped", "ups_b"));
    run.until(400.0);
    CHECK(run.nodes_w() == 0.0);  // it stays open
  }
}

TEST_CASE("what is reported of an overload: its size, what comes of it, and the trip with its cause", "[protection]") {
  Run run(small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"})}));
  run.until(300.0);
  const std::string reported = run.detail("limit_exceeded", "ups_b"), cause = run.detail("tripped", "ups_b");
  INFO(reported << "\n" << cause);
  CHECK(reported.find(" % of 50 kW; trips after ") != std::string::npos);
  CHECK(reported.ends_with(" s at this load"));
  CHECK(cause.starts_with("overload: 1"));
  CHECK(cause.find(" % of 50 kW; over its rating for ") != std::string::npos);
}

TEST_CASE("where nothing trips the same overload is reported as where it does", "[protection]") {
  const auto reported = [](const std::string& trips) {
    Scenario scenario = small_ups({tests::event(loss_at_s + 0.5, Kind::fail, {"ups_a"})});
    scenario.trips = trips;
    Run run(std::move(scenario));
    run.until(300.0);
    return run.detail("limit_exceeded", "ups_b");
  };
  const std::string on = reported("on"), off = reported("off");
  INFO(on << "\n" << off);
  REQUIRE(on.find("; trips after ") != std::string::npos);
  CHECK(off == std::string(on).replace(on.find("trips"), 5, "would trip"));
}

TEST_CASE("an overload that ends in time trips nothing, and its end is reported", "[protection]") {
  Run run(small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"}, 10.0)}));
  run.until(400.0);
  CHECK(run.times("tripped", "").empty());
  CHECK(run.times("limit_exceeded", "ups_b") == std::vector{loss_at_s});
  CHECK(run.times("limit_cleared", "ups_b") == std::vector{loss_at_s + 10.0});
  CHECK(run.detail("limit_cleared", "ups_b").starts_with("loading after 10 s; at most 1"));
  CHECK(run.nodes_w() == Approx(racks * node_w));
}

TEST_CASE("a UPS in hot air carries what that leaves of its rating, for as long as its curve says",
          "[protection][limits]") {
  Scenario scenario = small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"})});
  scenario.power.ups.rated_w = 80e3;                                // 90 % of it, without limit in cool air
  scenario.cooling.rooms.front().mass_heat_capacity_j_per_k = 1e9;  // air that stays as it is
  scenario.cooling.rooms.front().mass_conductance_w_per_k = 1e6;
  scenario.power.ups.rated_air_k = 290.15;
  scenario.power.ups.derating_per_k = 0.05;
  Run run(scenario);
  run.until(loss_at_s);
  const RoomPart& room = run.plant.rooms.front();
  const double air_k = run.simulation.state().states[run.plant.nodes[room.node].temperature_signal];
  const double left = 1.0 - 0.05 * (air_k - 290.15), loading_ratio = run.loading("ups_b") / left;
  REQUIRE(run.loading("ups_b") < 1.0);
  REQUIRE(loading_ratio > 1.15);
  run.until(600.0);
  REQUIRE(run.times("tripped", "ups_b").size() == 1);
  CHECK(run.times("tripped", "ups_b").front() - loss_at_s == Approx(ups_endures_s(loading_ratio)).epsilon(0.02));
  CHECK(run.detail("limit_exceeded", "ups_b").find("that air of ") != std::string::npos);
}

TEST_CASE("two overloads in a row trip, because the first is not forgotten at once", "[protection]") {
  const double first_s = 20.0, rest_s = 5.0;
  Run run(small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"}, first_s),
                     tests::event(loss_at_s + first_s + rest_s, Kind::fail, {"ups_a"})}));
  run.until(loss_at_s);
  const double endures_s = ups_endures_s(run.loading("ups_b"));
  run.until(400.0);
  const double used = first_s / endures_s - rest_s / 600.0;
  REQUIRE(run.times("tripped", "ups_b").size() == 1);
  CHECK(run.times("tripped", "ups_b").front() ==
        Approx(loss_at_s + first_s + rest_s + (1.0 - used) * endures_s).margin(trip_tolerance_s));
}

TEST_CASE("what tripped is closed by an event, and trips sooner while it has not recovered", "[protection]") {
  const double closed_s = 300.0;
  for (const Kind kind : {Kind::close, Kind::restore}) {
    Run run(small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"}), tests::event(closed_s, kind, {"ups_b"})}));
    run.until(closed_s);
    CHECK(run.nodes_w() == Approx(racks * node_w));
    run.until(599.0);
    const std::vector<double> trips_s = run.times("tripped", "ups_b");
    REQUIRE(trips_s.size() == 2);
    const double first_s = trips_s[0] - loss_at_s;
    CHECK(trips_s[1] - closed_s < 0.9 * first_s);
    CHECK(trips_s[1] - closed_s > 0.2 * first_s);  // (closed_s - trips_s[0]) / 600 s of it is forgotten
    CHECK(run.nodes_w() == 0.0);
  }
}

TEST_CASE("with trips off an overload is reported, and carried on", "[protection]") {
  Scenario scenario = small_ups({tests::event(loss_at_s, Kind::fail, {"ups_a"})});
  scenario.trips = "off";
  Run run(std::move(scenario));
  run.until(400.0);
  CHECK(run.times("tripped", "").empty());
  CHECK(run.times("limit_exceeded", "ups_b") == std::vector{loss_at_s});
  CHECK(run.detail("limit_exceeded", "ups_b").find("; would trip after ") != std::string::npos);
  CHECK(run.nodes_w() == Approx(racks * node_w));
  CHECK(run.loading("ups_b") > 1.4);
}

TEST_CASE("generators that cannot carry the hall stall, batteries carry on, and then the hall is dark",
          "[protection]") {
  for (const Method method : {Method::multirate, Method::monolithic}) {
    Run run(weak_generators(10e3), method);
    run.until(loss_at_s + 10.5);
    CHECK(run.mode("ups_a") == BranchMode::carrying);
    run.until(loss_at_s + 12.0);
    CHECK(run.mode("ups_a") == BranchMode::on_battery);
    CHECK(run.mode("ups_b") == BranchMode::on_battery);
    CHECK(run.nodes_w() == Approx(racks * node_w));
    for (const char* name : {"generator_a_1", "generator_a_2", "generator_b_1", "generator_b_2"}) {
      INFO(name);
      REQUIRE(run.times("tripped", name).size() == 1);
      CHECK(run.times("tripped", name).front() == Approx(loss_at_s + 11.0).margin(trip_tolerance_s));
    }
    run.until(599.0);
    CHECK(run.nodes_w() == 0.0);
    REQUIRE(run.times("battery_empty", "ups_a").size() == 1);
    CHECK(run.times("lost_power", "node").front() ==
          Approx(std::max(run.times("battery_empty", "ups_a").front(), run.times("battery_empty", "ups_b").front())));
    CHECK(run.times("generator_start", "").size() == 2);  // once a side: what tripped is not started again
  }
}

TEST_CASE("generators that are a little overloaded carry on for long", "[protection]") {
  Run run(weak_generators(100e3));
  run.until(599.0);
  CHECK(run.times("tripped", "").empty());
  CHECK(run.times("limit_exceeded", "").empty());
}

TEST_CASE("a PDU whose partner is lost trips by its own curve, and takes its racks alone", "[protection]") {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 600.0;
  scenario.power.pdu.rated_w = 20e3;  // half of five nodes is 86 % of it
  scenario.events = {tests::event(loss_at_s, Kind::fail, {"pdu_a_1"})};
  Run run(std::move(scenario));
  run.until(loss_at_s);
  const double loading_ratio = run.loading("pdu_b_1");
  CHECK(loading_ratio == Approx(5 * node_w / 20e3));
  const double endures_s = 80.0 / (std::pow(loading_ratio / 1.1, 2) - 1.0);
  run.until(400.0);
  REQUIRE(run.times("tripped", "").size() == 1);
  CHECK(run.times("tripped", "pdu_b_1").front() == Approx(loss_at_s + endures_s).margin(trip_tolerance_s));
  CHECK(run.mode("pdu_b_2") == BranchMode::carrying);
  CHECK(run.nodes_w() == Approx(5 * node_w));
}

TEST_CASE("energy balances through a cascade of trips", "[protection][conservation]") {
  Run run(weak_generators(10e3));
  run.until(600.0);
  CHECK(run.found("tripped", "").size() == 4);
  CHECK(energy_balance(run.plant, run.simulation.state(), run.simulation.initial_energy()).residual_ratio() < 1e-6);
}
