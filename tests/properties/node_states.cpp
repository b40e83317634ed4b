// Nodes go and come back the same way whoever integrates, with any number of threads, and through a checkpoint; nothing of the
// energy is lost on the way.
#include <omp.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;

namespace {

struct EventSummary {
  const char* name;
  Scenario scenario;
  std::vector<std::string> kinds;  ///< that must be in it
};

/// One rack of 64 GPUs.
Scenario rack(std::vector<EventSpec> events) {
  Scenario scenario = tests::one_rack_scenario();
  scenario.duration_s = 1200.0;
  scenario.racks.front().hardware.boot_time_s = 45.5;
  scenario.racks.front().hardware.protection.restart_after_s = 500.25;
  scenario.events = std::move(events);
  return scenario;
}

/// Eight racks of one node in two rows, whose air handlers and doors stand still for a while, and what else happens.
Scenario hall(double still_s, std::vector<EventSpec> others = {}) {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 1400.0;
  scenario.racks.front().nodes = 1;
  scenario.racks.front().hardware.boot_time_s = 200.0;
  scenario.cooling.rooms.front().volume_m3 = still_s > 60.0 ? 90.0 : 60.0;  // air stays below the end of the models
  scenario.cooling.rooms.front().mass_heat_capacity_j_per_k = 0.0;
  scenario.events = std::move(others);
  scenario.events.push_back(tests::event(60.0, Kind::fail, {"crah_1", "crah_2"}, still_s));
  scenario.events.push_back(
      tests::set_event({.at_s = 60.0, .targets = {"rear_doors.flow"}, .to_si = 0.0, .for_s = still_s}));
  return scenario;
}

std::vector<EventSummary> stories() {
  using tests::event;
  return {
      {"no cooling of the air",
       hall(400.0),
       {"inlet_slowdown", "first_throttle", "inlet_shutdown", "node_start", "nodes_back"}},
      {"no cooling of the air for less than a minute", hall(55.0), {"inlet_slowdown", "inlet_slowdown_over"}},
      {"hot air, and no supply when it is cool again",
       hall(400.0, {event(380.0, Kind::open, {"pdu_*"}, 300.5)}),
       {"inlet_shutdown", "node_start", "nodes_back"}},
      {"a supply without battery",
       rack({event(33.3, Kind::open, {"pdu_1"}, 20.7), event(101.1, Kind::open, {"pdu_1"}, 3.0)}),
       {"node_start", "nodes_back"}},
      {"hot dies", rack({event(10.0, Kind::fail, {"cdu_1"}, 390.0)}), {"thermal_shutdown", "node_start", "nodes_back"}},
  };
}

enum class Method { multirate, monolithic };

const tests::SquareWork square{16.0};

struct Run {
  Run(const Scenario& from, Method method, const workload::Workload& does = square)
      : work(does), scenario(from), run_method(method == Method::multirate ? by_multirate() : by_monolithic()) {}

  const Run& until(double time_s) {
    if (simulation.state().time_s == 0.0) simulation.start();
    simulation.run(time_s, {});
    return *this;
  }
  const std::vector<EventRecord>& events() const { return simulation.events(); }

  const workload::Workload& work;
  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

bool has(const std::vector<EventRecord>& events, const std::string& kind) {
  return std::ranges::find(events, kind, &EventRecord::kind) != events.end();
}

double first_s(const std::vector<EventRecord>& events, const std::string& kind) {
  const auto found = std::ranges::find(events, kind, &EventRecord::kind);
  return found == events.end() ? -1.0 : found->time_s;
}

/// Without what is reported of limits, which has the times of samples.
std::vector<EventRecord> switched(std::vector<EventRecord> events) {
  std::erase_if(events, [](const EventRecord& event) { return event.kind.starts_with("limit_"); });
  return events;
}

}  // namespace

TEST_CASE("both integrators switch the same nodes within a millisecond, and no energy is lost", "[nodes][multirate]") {
  omp_set_num_threads(1);
  for (const EventSummary& event_lines : stories()) {
    INFO(event_lines.name);
    Run rates(event_lines.scenario, Method::multirate), reference(event_lines.scenario, Method::monolithic);
    const auto ours = switched(rates.until(1400.0).events()), theirs = switched(reference.until(1400.0).events());
    for (const std::string& kind : event_lines.kinds) {
      INFO(kind);
      CHECK(has(theirs, kind));
    }
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t k = 0; k < ours.size(); ++k) {
      INFO(theirs[k].kind << ' ' << theirs[k].target << ": " << ours[k].detail << " / " << theirs[k].detail);
      CHECK(ours[k].kind == theirs[k].kind);
      CHECK(ours[k].target == theirs[k].target);
      CHECK(ours[k].time_s == Approx(theirs[k].time_s).margin(1e-3));
    }
    for (const Run* run : {&rates, &reference}) {
      const EnergyBalance balance =
          energy_balance(run->plant, run->simulation.state(), run->simulation.initial_energy());
      CHECK(std::abs(balance.residual_ratio()) < 1e-9);
    }
  }
}

TEST_CASE("a window that skips ticks ends at the one at which hot air slows a rack", "[nodes][multirate]") {
  omp_set_num_threads(1);
  Scenario scenario = hall(900.0);
  scenario.cooling.rooms.front().volume_m3 = 800.0;  // warms slowly, so that windows are as long as they get
  const tests::ConstantWork work(150.0, 2500.0);     // dies are far from the limit of their firmware
  std::set<double> ticks_s;
  for (const double start_s : {60.0, 65.0, 70.0, 75.0}) {  // so that it cannot be the end of a window each time
    INFO(start_s);
    for (EventSpec& event : scenario.events) event.at_s = start_s;
    const double ours_s = first_s(Run(scenario, Method::multirate, work).until(900.0).events(), "inlet_slowdown");
    const double theirs_s = first_s(Run(scenario, Method::monolithic, work).until(900.0).events(), "inlet_slowdown");
    CHECK(ours_s > start_s);
    CHECK(ours_s == theirs_s);
    ticks_s.insert(std::fmod(ours_s, 20.0));
  }
  CHECK(ticks_s.size() > 1);
}

TEST_CASE("nodes come and go the same with any number of threads", "[nodes]") {
  const Scenario scenario = hall(400.0);
  omp_set_num_threads(1);
  Run one(scenario, Method::multirate);
  one.until(1400.0);
  for (const char* kind : {"inlet_slowdown", "inlet_shutdown", "node_start", "nodes_back"}) {
    INFO(kind);
    CHECK(has(one.events(), kind));
  }
  for (const int threads : {2, 3}) {
    omp_set_num_threads(threads);
    Run more(scenario, Method::multirate);
    more.until(1400.0);
    CHECK(more.events() == one.events());
    CHECK(more.simulation.state().states == one.simulation.state().states);
  }
  omp_set_num_threads(1);
}

TEST_CASE("nodes that boot or are off at a checkpoint come back when they would have", "[nodes][checkpoint]") {
  omp_set_num_threads(1);
  const Method method = GENERATE(Method::multirate, Method::monolithic);
  const double open_s = GENERATE(500.0, 590.0);  // boots at the checkpoint; is dark
  const Scenario scenario = rack({tests::event(open_s, Kind::open, {"pdu_1"}, 70.5)});
  Run whole(scenario, method), before(scenario, method), after(scenario, method);
  whole.until(900.0);
  before.until(600.0);
  after.simulation.resume(before.simulation.checkpoint());
  after.simulation.run(900.0, {});
  CHECK(has(whole.events(), "nodes_back"));
  CHECK_FALSE(has(before.events(), "nodes_back"));
  CHECK(after.events() == whole.events());
  CHECK(after.simulation.state().states == whole.simulation.state().states);
  CHECK(after.simulation.state().inputs == whole.simulation.state().inputs);
}
