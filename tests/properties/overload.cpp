// Trips are the same whoever integrates, with any number of threads, and through a checkpoint. The work of the hall jumps between two
// levels, some nodes ahead of others, so that overload comes and goes from sample to sample.
#include <omp.h>

#include <algorithm>
#include <cmath>
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

namespace {

struct Cascade {
  const char* name;
  double ups_w, pdu_w, generator_w, transformer_va;
  std::vector<EventSpec> events;
};

std::vector<Cascade> cascades() {
  using tests::event;
  return {
      {"UPS after UPS", 38e3, 120e3, 100e3, 630e3, {event(12.0, Kind::fail, {"ups_a"})}},
      {"PDU after PDU", 150e3, 17e3, 100e3, 630e3, {event(12.0, Kind::fail, {"pdu_a_*"})}},
      {"UPS, then PDUs", 42e3, 17e3, 100e3, 630e3, {event(13.5, Kind::fail, {"ups_b"})}},
      {"few generators",
       150e3,
       120e3,
       20e3,
       630e3,
       {event(10.0, Kind::open, {"utility_*"}), event(10.0, Kind::fail, {"generator_*_2"})}},
      {"far too few generators", 150e3, 120e3, 12e3, 630e3, {event(10.0, Kind::open, {"utility_*"})}},
      {"a transformer behind a UPS", 150e3, 120e3, 60e3, 32e3, {event(12.0, Kind::fail, {"ups_a"})}},
      {"twice in a row",
       36e3,
       120e3,
       100e3,
       630e3,
       {event(12.0, Kind::fail, {"ups_a"}, 30.0), event(60.0, Kind::fail, {"ups_a"})}},
      {"closed again",
       36e3,
       120e3,
       100e3,
       630e3,
       {event(12.0, Kind::fail, {"ups_a"}), event(150.0, Kind::close, {"ups_b"})}},
  };
}

Scenario hall_of(const Cascade& cascade) {
  Scenario scenario = tests::two_sided_scenario();
  scenario.duration_s = 900.0;
  scenario.power.ups.rated_w = cascade.ups_w;
  scenario.power.ups.overload_165_s =
      600.0 * std::pow(0.1, 1.6);  // one law throughout: a steeper one turns 4e-5 of load into milliseconds
  scenario.power.pdu.rated_w = cascade.pdu_w;
  scenario.power.generators.generator.rated_w = cascade.generator_w;
  scenario.power.transformer.rated_va = cascade.transformer_va;
  scenario.events = cascade.events;
  return scenario;
}

enum class Method { multirate, monolithic };

struct Run {
  Run(const Scenario& from, Method method)
      : scenario(from), run_method(method == Method::multirate ? by_multirate() : by_monolithic()) {}

  Run& until(double time_s) {
    if (simulation.state().time_s == 0.0) simulation.start();
    simulation.run(time_s, {});
    return *this;
  }

  Scenario scenario;
  Plant plant = build_plant(scenario);
  RunMethod run_method;
  tests::SquareWork work{6.0};
  tests::WorkRun simulation{scenario, plant, work, run_method};
};

std::vector<EventRecord> overloads(const Run& run) {
  std::vector<EventRecord> list;
  for (const EventRecord& event : run.simulation.events()) {
    const bool is_of_power = electrical::find_branch(run.plant.power_tree, event.target) ||
                             electrical::find_source(run.plant.power_tree, event.target);
    if (is_of_power && (event.kind == "tripped" || event.kind.starts_with("limit_"))) list.push_back(event);
  }
  return list;
}

std::size_t trips(const std::vector<EventRecord>& events) {
  return static_cast<std::size_t>(std::ranges::count(events, "tripped", &EventRecord::kind));
}

}  // namespace

TEST_CASE("both integrators trip the same parts within a millisecond, in eight cascades", "[overload][multirate]") {
  for (const Cascade& cascade : cascades()) {
    INFO(cascade.name);
    Run rates(hall_of(cascade), Method::multirate), reference(hall_of(cascade), Method::monolithic);
    const auto ours = overloads(rates.until(300.0)), theirs = overloads(reference.until(300.0));
    CHECK(trips(theirs) > 0);
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

TEST_CASE("trips do not depend on the number of threads", "[overload]") {
  const Scenario scenario = hall_of(cascades()[2]);
  const int most = omp_get_max_threads();
  omp_set_num_threads(1);
  Run one(scenario, Method::multirate);
  one.until(300.0);
  omp_set_num_threads(3);
  Run three(scenario, Method::multirate);
  three.until(300.0);
  omp_set_num_threads(most);
  CHECK(trips(overloads(one)) > 0);
  CHECK(one.simulation.events() == three.simulation.events());
  CHECK(one.simulation.state().states == three.simulation.state().states);
  CHECK(one.simulation.state().overload == three.simulation.state().overload);
}

TEST_CASE("an overload under way at a checkpoint trips where it would have", "[overload]") {
  Cascade cascade = cascades().front();
  cascade.events = {tests::event(580.0, Kind::fail, {"ups_a"})};
  const Scenario scenario = hall_of(cascade);
  for (const Method method : {Method::multirate, Method::monolithic}) {
    Run whole(scenario, method), first(scenario, method), second(scenario, method);
    whole.until(600.0);
    CHECK(trips(overloads(whole)) == 0);
    const std::size_t ups_b = *electrical::find_branch(whole.plant.power_tree, "ups_b");
    CHECK(whole.simulation.state().overload.branches[ups_b].used_fraction > 0.1);
    whole.until(800.0);
    CHECK(trips(overloads(whole)) > 0);
    second.simulation.resume(first.until(600.0).simulation.checkpoint());
    second.simulation.run(800.0, {});
    CHECK(second.simulation.events() == whole.simulation.events());
    CHECK(second.simulation.state().states == whole.simulation.state().states);
    CHECK(second.simulation.state().overload == whole.simulation.state().overload);
  }
}
