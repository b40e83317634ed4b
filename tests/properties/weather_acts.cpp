// Acts on the weather one after another: each is compared with those ahead of it as if all were compared at once, and at the same cost.
#include <omp.h>

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/catch.hpp"
#include "twin/document/override.hpp"
#include "twin/run/act.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Scenario outdoor_hall(const std::vector<std::string>& events = {}) {
  std::vector<std::string> overrides{"duration=1 h", "initial=cold", "workload={ kind: constant }", "events=[]"};
  for (const std::string& event : events) overrides.push_back(event_override(event));
  return read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml", overrides);
}

void act(HallRun& run, const std::string& event) { add_act(run, read_act(run.base(), event, run.state().time_s)); }

/// What is wrong with an event; empty if nothing is.
std::string refusal(HallRun& run, const std::string& event) {
  try {
    act(run, event);
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return {};
}

}  // namespace

TEST_CASE("the work of an act on the weather does not grow with the acts ahead of it", "[hall_run][acts][weather]") {
  omp_set_num_threads(1);
  constexpr int acts = 1500, counted = 50;
  constexpr std::size_t allowed = 10;  // allocations: now and then a list doubles its room
  const std::vector<std::string> forms{"set: weather.dry_bulb, to: {} degC",
                                       "at: {1} s, set: weather.wet_bulb, to: {0} degC, for: 0.5 s",
                                       "at: {1} s, set: weather.dry_bulb, to: {0} degC, over: 0.5 s"};
  for (const std::string& form : forms) {
    CAPTURE(form);
    HallRun run(outdoor_hall());
    run.find_begin();
    act(run, "at: 50 min, set: weather.wet_bulb, to: 5 degC");
    const auto allocations_of = [&](int first) {
      const tests::AllocationCount count;
      for (int number = first; number < first + counted; ++number)
        act(run, fmt::format(fmt::runtime(form), 30 + number % 5, 1000 + number));
      return count.allocations();
    };
    allocations_of(0);
    const std::size_t of_first = allocations_of(counted);
    int number = 2 * counted;
    for (; number < acts - counted; number += counted) allocations_of(number);
    const std::size_t of_last = allocations_of(number);
    CHECK(of_first > counted);
    CHECK(of_last <= of_first + allowed);
  }
}

TEST_CASE("acts on the weather one by one are refused where a run that has the others from the start refuses them",
          "[hall_run][acts][weather]") {
  omp_set_num_threads(1);
  HallRun run(outdoor_hall());
  run.find_begin();
  std::mt19937 random(7);
  const auto draw = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  int refused = 0, taken = 0;
  for (int number = 0; number < 150; ++number) {
    if (number % 25 == 24) run.approach(run.state().time_s + 7.5);
    std::string event = fmt::format("at: {} s, set: weather.{}_bulb, ", run.state().time_s + 2.5 * draw(40),
                                    draw(2) == 0 ? "dry" : "wet");
    event += draw(4) == 0 ? fmt::format("by: {} K", draw(9) - 4) : fmt::format("to: {} degC", 18 + draw(12));
    if (draw(2) == 0) event += fmt::format(", over: {} s", 1 + draw(20));
    if (draw(2) == 0) event += fmt::format(", for: {} s", 21 + draw(60));
    CAPTURE(event);
    const std::unique_ptr<HallRun> anew = run.fork();  // it knows nothing of earlier comparisons
    const std::string why = refusal(*anew, event);
    CHECK(refusal(run, event) == why);
    ++(why.empty() ? taken : refused);
  }
  CHECK(refused > 20);
  CHECK(taken > 20);
}
