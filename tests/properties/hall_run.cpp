// One way to run: a run that goes back to a fork, that goes on from a checkpoint or that somebody else watches is the run in one, to the bit.
#include <omp.h>

#include <algorithm>
#include <cstring>

#include "tests/support/catch.hpp"
#include "twin/document/override.hpp"
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
