// One way to run: a run that goes back to a fork, that goes on from a checkpoint or that somebody else watches is the run in one, to the bit.
#include <omp.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "tests/support/allocation_count.hpp"
#include "tests/support/catch.hpp"
#include "twin/document/override.hpp"
#include "twin/run/act.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double fork_s = 37.5;  // no instant at which anything else happens
constexpr double end_s = 180.0;

Scenario one_rack(const std::vector<std::string>& events = {}) {
  std::vector<std::string> overrides{"duration=180 s"};
  for (const std::string& event : events) overrides.push_back(event_override(event));
  return read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", overrides);
}

const std::vector<std::string> pump_trips{"at: 40 s, fail: cdu_1.pump_a"};

/// States and figures of its end, as bytes.
std::string end_of(const HallRun& run) {
  const std::vector<double>& states = run.state().states;
  std::string bytes(states.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), states.data(), bytes.size());
  for (const NamedValue& figure : run.figures()) {
    bytes += figure.name;
    if (const auto* number = std::get_if<double>(&figure.value))
      bytes.append(reinterpret_cast<const char*>(number), sizeof *number);
    if (const auto* text = std::get_if<std::string>(&figure.value)) bytes += *text;
  }
  return bytes;
}

std::string end_of_one(Scenario scenario) {
  HallRun run(std::move(scenario));
  run.stop_at(fork_s);
  run.begin();
  run.advance_to(end_s);
  return end_of(run);
}

/// An event of the instant of the run.
std::vector<EventSpec> act_of(const HallRun& run, const std::string& event) {
  return read_act(run.base(), event, run.state().time_s).events;
}

/// Counts the instants that it sees.
class Count final : public Observer {
 public:
  void observe(const PlantState&, const Evaluation&) override { ++instants; }
  bool looks_at_units(double) const override { return false; }
  bool looks_at_powers() const override { return false; }
  std::size_t instants = 0;
};

}  // namespace

TEST_CASE("a run goes back to its fork as often as it is asked, each time to the bit as a run of its own",
          "[hall_run]") {
  omp_set_num_threads(1);
  HallRun run(one_rack());
  run.stop_at(fork_s);
  run.begin();
  const std::optional<HallFork> fork = run.fork_at(fork_s);
  REQUIRE(fork);
  const std::string quiet = end_of_one(one_rack()), tripped = end_of_one(one_rack(pump_trips));
  CHECK((quiet != tripped));
  for (const bool trips : {true, false, true}) {
    CAPTURE(trips);
    run.resume(*fork, trips ? one_rack(pump_trips) : one_rack());
    CHECK(run.advance_to(end_s));
    CHECK((end_of(run) == (trips ? tripped : quiet)));
  }
}

TEST_CASE("an observer that comes and goes changes nothing of a run, and sees what happens meanwhile", "[hall_run]") {
  omp_set_num_threads(1);
  HallRun run(one_rack(pump_trips));
  run.stop_at(fork_s);
  run.begin();
  run.advance_to(60.0);
  Count count;
  run.show(count);
  run.advance_to(120.0);
  run.hide(count);
  const std::size_t seen = count.instants;
  CHECK(seen >= 60);
  run.advance_to(end_s);
  CHECK(count.instants == seen);
  CHECK((end_of(run) == end_of_one(one_rack(pump_trips))));
}

TEST_CASE("a run that is stopped says so, and goes on where it was", "[hall_run]") {
  omp_set_num_threads(1);
  HallRun run(one_rack());
  run.stop_at(fork_s);
  run.begin();
  CHECK_FALSE(run.fork_at(fork_s, [] { return true; }));
  CHECK_FALSE(run.advance_to(end_s, [] { return true; }));
  CHECK(run.state().time_s < end_s);
  CHECK(run.advance_to(end_s));
  CHECK((end_of(run) == end_of_one(one_rack())));
}

TEST_CASE("a run that is pending takes an event as if its scenario had always had it", "[hall_run][acts]") {
  omp_set_num_threads(1);
  for (const double at_s : {0.0, 37.5, 60.0}) {
    for (const bool is_multirate : {true, false}) {
      CAPTURE(at_s, is_multirate);
      const RunMethod method = is_multirate ? by_multirate() : by_monolithic();
      const std::vector<std::string> event{fmt::format("at: {} s, fail: cdu_1.pump_a", at_s)};
      HallRun written(one_rack(event), method), acted(one_rack(), method);
      written.begin();
      written.advance_to(end_s);
      acted.find_begin();
      if (at_s > 0.0) acted.approach(at_s);
      CHECK(acted.simulation().is_pending());
      acted.add_events(act_of(acted, "fail: cdu_1.pump_a"));
      acted.advance_to(end_s);
      CHECK((end_of(acted) == end_of(written)));
    }
  }
}

TEST_CASE("a fork of a run is to the bit what its parent is, and each goes its own way", "[hall_run][acts]") {
  omp_set_num_threads(1);
  HallRun parent(one_rack());
  parent.find_begin();
  const std::unique_ptr<HallRun> at_start = parent.fork();
  parent.approach(fork_s);
  const std::unique_ptr<HallRun> same = parent.fork(), other = parent.fork();
  other->add_events(act_of(*other, "fail: cdu_1.pump_a"));
  other->advance_to(end_s);
  parent.advance_to(end_s);
  same->advance_to(end_s);
  at_start->approach(fork_s);
  at_start->advance_to(end_s);
  CHECK((end_of(*same) == end_of(parent)));
  CHECK((end_of(*at_start) == end_of(parent)));
  CHECK((end_of(parent) == end_of_one(one_rack())));
  CHECK((end_of(*other) != end_of(parent)));
  CHECK((end_of(*other) == end_of_one(one_rack({"at: 37.5 s, fail: cdu_1.pump_a"}))));
}

TEST_CASE("a look at a pending run changes nothing of it", "[hall_run][acts]") {
  omp_set_num_threads(1);
  HallRun looked(one_rack(pump_trips)), alone(one_rack(pump_trips));
  Evaluation seen(looked.plant());
  looked.find_begin();
  alone.find_begin();
  for (double t_s = 5.0; t_s < end_s; t_s += 5.0) {
    looked.simulation().look(seen);
    looked.approach(t_s);
    alone.approach(t_s);
  }
  looked.advance_to(end_s);
  alone.advance_to(end_s);
  CHECK((end_of(looked) == end_of(alone)));
}

TEST_CASE("a look has the values of a whole evaluation to the last bit, power of single units too",
          "[hall_run][acts]") {
  omp_set_num_threads(1);
  for (const char* name : {"one_rack", "halls/dgx_h100_air"}) {
    CAPTURE(name);
    HallRun run(read_scenario(fmt::format("{}/scenarios/{}.yaml", WATTLOOP_SOURCE_DIR, name), {"duration=60 s"}));
    Evaluation seen(run.plant()), whole(run.plant());
    std::vector<double> rates(run.plant().map.state_count);
    run.find_begin();
    for (double t_s = 7.0; t_s < 40.0; t_s += 7.0) {
      run.approach(t_s);
      const PlantState& state = run.state();
      run.simulation().look(seen);
      std::ranges::copy(state.inputs, whole.inputs().begin());
      evaluate(run.plant(), state.switches, state.states, whole, rates);
      CHECK(seen.unit_power_w == whole.unit_power_w);
      CHECK(seen.station_power_w == whole.station_power_w);
      CHECK(std::ranges::equal(seen.loads_w(), whole.loads_w()));
      CHECK(std::ranges::equal(std::span(seen.signals).first(run.plant().map.first_unit_state),
                               std::span(whole.signals).first(run.plant().map.first_unit_state)));
    }
  }
}

TEST_CASE("a run that is stopped is pending where it was stopped", "[hall_run][acts]") {
  omp_set_num_threads(1);
  HallRun run(one_rack());
  run.find_begin();
  int asked = 0;
  CHECK_FALSE(run.approach(100.0, [&asked] { return ++asked > 3; }));
  CHECK(run.state().time_s > 0.0);
  CHECK(run.state().time_s < 100.0);
  CHECK(run.simulation().is_pending());
  run.advance_to(60.0);
  CHECK_FALSE(run.simulation().is_pending());
  CHECK_THROWS_AS(run.fork(), std::logic_error);
  CHECK_THROWS_AS(run.add_events({}), std::logic_error);
}

TEST_CASE("the work of an act does not grow with the acts before it, and a fork has only what is ahead of it",
          "[hall_run][acts]") {
  omp_set_num_threads(1);
  constexpr int acts = 3000, counted = 64;
  constexpr std::size_t allowed = 10;  // allocations: now and then a list doubles its room
  for (const double piece_s : {0.0, 0.03125}) {
    CAPTURE(piece_s);
    HallRun run(one_rack({"at: 170 s, fail: cdu_1.pump_a"}));
    run.find_begin();
    const auto act = [&](int number) {
      add_act(run, read_act(run.base(), "set: loop_1.pump_speed, to: 80 %, for: 0.02 s", run.state().time_s));
      if (piece_s > 0.0) run.approach(piece_s * number);
    };
    const auto allocations_of = [&](int first) {
      const tests::AllocationCount count;
      for (int number = first; number < first + counted; ++number) act(number);
      return count.allocations();
    };
    int number = 1;
    for (; number <= counted; ++number) act(number);
    const std::size_t of_first = allocations_of(number);
    for (number += counted; number <= acts - counted; ++number) act(number);
    const std::size_t of_last = allocations_of(number);
    CHECK(of_first > counted);
    CHECK(of_last <= of_first + allowed);
    CHECK(run.simulation().scheduled().events().size() == 2 * acts + 1);
    CHECK(run.fork()->simulation().scheduled().events().size() == (piece_s > 0.0 ? 1 : 2 * acts + 1));
  }
}
