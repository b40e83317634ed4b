// Ramps and temporary settings in a run, instant by instant, with both integrators: where the set-point stands against a
// course written out here, and what the log says.

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

struct Seen {
  double time_s, set_point_k, supply_k;
};

class Watch final : public Observer {
 public:
  explicit Watch(const Plant& plant) : plant_(plant) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    const SystemPart& loop = system_named(plant_, "loop_1");
    seen.push_back({state.time_s, state.inputs[loop.set_point_input],
                    evaluation.signals[plant_.nodes[loop.supply_node].temperature_signal]});
  }
  std::vector<Seen> seen;

 private:
  const Plant& plant_;
};

struct Course {
  std::vector<Seen> seen;
  std::vector<EventRecord> events;
};

Course run_with(const std::vector<tests::Change>& changes, bool is_multirate, double end_s) {
  Scenario scenario = tests::one_rack_scenario();  // set-point 32 degC
  for (tests::Change change : changes) {
    change.targets = {"loop_1.supply_temperature"};
    scenario.events.push_back(tests::set_event(change));
  }
  const Plant plant = build_plant(scenario);
  const tests::ConstantWork work(500.0, 6080.0);
  tests::WorkRun simulation(scenario, plant, work, is_multirate ? by_multirate() : by_monolithic());
  Watch watch(plant);
  simulation.start();
  simulation.run(end_s, {&watch});
  return {watch.seen, simulation.events()};
}

constexpr double base_k = 305.15;

double line(double t_s, double from_s, double to_s, double from, double to) {
  return from + (to - from) * std::clamp((t_s - from_s) / (to_s - from_s), 0.0, 1.0);
}

}  // namespace

TEST_CASE("a ramp is a staircase of at most a second, and ends at the first instant after its end", "[settings]") {
  const bool is_multirate = GENERATE(true, false);
  const Course course = run_with({{.at_s = 12.5, .by_si = 3.0, .over_s = 20.3}}, is_multirate, 60.0);
  double last_s = 12.5;
  for (const Seen& now : course.seen) {
    INFO("at " << now.time_s << " s");
    if (now.time_s > 12.5 && now.time_s <= 33.0) {
      CHECK(now.time_s - last_s <= 1.0);
      last_s = now.time_s;
    }
    CHECK(now.set_point_k == Approx(base_k + line(now.time_s, 12.5, 32.8, 0.0, 3.0)).epsilon(1e-14));
    if (now.time_s >= 33.0) CHECK(now.set_point_k == base_k + 3.0);
  }
  REQUIRE(course.events.size() == 1);
  CHECK(course.events[0].detail == "from 32 degC to 35 degC over 20.3 s");
}

TEST_CASE("after a temporary setting the ramp below goes on as if it had not been", "[settings]") {
  const bool is_multirate = GENERATE(true, false);
  const Course alone = run_with({{.at_s = 20.0, .by_si = 6.0, .over_s = 120.0}}, is_multirate, 160.0);
  const Course both =
      run_with({{.at_s = 20.0, .by_si = 6.0, .over_s = 120.0}, {.at_s = 50.0, .to_si = 303.15, .for_s = 30.0}},
               is_multirate, 160.0);
  REQUIRE(both.seen.size() == alone.seen.size());
  double largest_supply_difference_k = 0.0;
  for (std::size_t k = 0; k < both.seen.size(); ++k) {
    const double t_s = both.seen[k].time_s;
    INFO("at " << t_s << " s");
    REQUIRE(alone.seen[k].time_s == t_s);
    const bool is_temporary = t_s >= 50.0 && t_s < 80.0;
    CHECK(both.seen[k].set_point_k == (is_temporary ? 303.15 : alone.seen[k].set_point_k));
    CHECK(alone.seen[k].set_point_k == Approx(base_k + line(t_s, 20.0, 140.0, 0.0, 6.0)).epsilon(1e-14));
    const double difference_k = std::abs(both.seen[k].supply_k - alone.seen[k].supply_k);
    if (t_s < 50.0) CHECK(difference_k == 0.0);
    largest_supply_difference_k = std::max(largest_supply_difference_k, difference_k);
  }
  CHECK(largest_supply_difference_k > 0.1);  // the loop felt it
  REQUIRE(both.events.size() == 3);
  CHECK(both.events[1].detail == "from 33.5 degC to 30 degC");
  CHECK(both.events[2].detail == "from 30 degC to 35 degC");
}

TEST_CASE("a temporary setting with a ramp goes back over the same time", "[settings]") {
  const bool is_multirate = GENERATE(true, false);
  const Course course = run_with({{.at_s = 10.0, .by_si = 2.0, .over_s = 8.0, .for_s = 30.0}}, is_multirate, 70.0);
  for (const Seen& now : course.seen) {
    INFO("at " << now.time_s << " s");
    const double up = line(now.time_s, 10.0, 18.0, 0.0, 2.0), down = line(now.time_s, 40.0, 48.0, 0.0, 2.0);
    CHECK(now.set_point_k == Approx(base_k + up - down).epsilon(1e-14));
  }
  CHECK(course.seen.back().set_point_k == base_k);
  REQUIRE(course.events.size() == 2);
  CHECK(course.events[1].detail == "from 34 degC to 32 degC over 8 s");
}

TEST_CASE("what is set for good during a temporary setting stands when that ends", "[settings]") {
  const bool is_multirate = GENERATE(true, false);
  const Course course =
      run_with({{.at_s = 10.0, .by_si = 2.0, .for_s = 30.0}, {.at_s = 20.0, .by_si = 1.0}}, is_multirate, 60.0);
  for (const Seen& now : course.seen) {
    INFO("at " << now.time_s << " s");
    // by: from 32 degC, which held below the temporary 34
    CHECK(now.set_point_k == Approx(base_k + (now.time_s < 10.0 ? 0.0 : now.time_s < 20.0 ? 2.0 : 1.0)).epsilon(1e-14));
  }
  REQUIRE(course.events.size() == 3);
  CHECK(course.events[1].detail == "from 34 degC to 33 degC");
  CHECK(course.events[2].detail == "the end of a temporary setting; a later setting remains in force");
}
