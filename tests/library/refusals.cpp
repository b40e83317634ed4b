// Refusals say which values, units and functions there are instead.
#include <string>

#include "tests/support/catch.hpp"

#include <wattloop/wattloop.hpp>

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

Hall small_hall() {
  return Hall(WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", {.set = {"duration=2 min", "initial=steady"}});
}

struct Refusal {
  std::string place, message, hint;
};

template <class Step>
Refusal refusal_of(const Step& step) {
  try {
    step();
  } catch (const InputError& error) {
    const Problem& problem = error.problems().front();
    return {problem.file, problem.message, problem.hint};
  }
  return {"no InputError", {}, {}};
}

}  // namespace

TEST_CASE("a number out of range is refused with the range, its unit and what happens", "[library][mistakes]") {
  Hall hall = small_hall();
  const Refusal hot = refusal_of([&] { hall.set("loop_1.supply_temperature", 1e9); });
  CHECK(hot.place == "set");
  CHECK(hot.message == "loop_1.supply_temperature: 1000000000 K is out of range");
  CHECK(hot.hint ==
        "write a number from 233.15 to 373.15 K, which is -40 degC to 100 degC; the input keeps its value, 32 degC");
  const Refusal fast = refusal_of([&] { hall.set("loop_1.pump_speed", 1.5); });
  CHECK(fast.message == "loop_1.pump_speed: 1.5 is out of range");
  CHECK(fast.hint == "write a ratio from 0 to 1; the input keeps its value, 0.75");
  const Refusal text = refusal_of([&] { hall.set("loop_1.pump_speed", "120 %"); });
  CHECK(text.message == "loop_1.pump_speed: 120 % is out of range");
  CHECK(text.hint == fast.hint);
}

TEST_CASE("a unit that does not fit is refused with those that do", "[library][mistakes]") {
  const Refusal of_power = refusal_of([] { from_si(5e4, "W", "degC"); });
  CHECK(of_power.message == "'degC' is no unit of a value in W");
  CHECK(of_power.hint == "units that fit: W, kW, MW");
  CHECK_THAT(refusal_of([] { from_si(300.0, "K", "W"); }).hint, Contains("K, degC, degF"));
  CHECK_THAT(refusal_of([] { from_si(0.5, "1", "W"); }).hint, Contains("%"));
  CHECK(from_si(5e4, "W", "kW") == 50.0);
}

TEST_CASE("a table that is asked for one value is refused with what gives all of them", "[library][mistakes]") {
  Hall hall = small_hall();
  const std::string hint =
      "values(\"racks\", \"it_power\") and means(\"racks\", \"it_power\") have all of them; 'row_1.rack_1.it_power' is "
      "one";
  const Refusal of_column = refusal_of([&] { hall.series("racks.it_power"); });
  CHECK(of_column.message == "'racks' is a table of 1 values in each column");
  CHECK(of_column.hint == hint);
  CHECK_THAT(refusal_of([&] { hall.series("racks"); }).message, StartsWith("'racks' is a table"));
  const Series dies = hall.series("gpus", "die_temperature");
  CHECK_THAT(refusal_of([&] { hall.value(dies); }).hint, StartsWith("`values` gives all of them"));
  const Series flows = hall.series("gpus", "power");
  CHECK_THAT(refusal_of([&] { hall.mean(flows); }).message, Contains("not metered"));
}

TEST_CASE("a fork at the end of the run is refused because the run is over", "[library][mistakes]") {
  Hall hall = small_hall();
  hall.advance_to(hall.end_s());
  const Refusal over = refusal_of([&] { hall.fork(); });
  CHECK(over.message == "the run is over: it ended at 2 min, and a fork would have nothing to run");
  CHECK_THAT(over.hint, Contains("a longer `duration`"));
}

TEST_CASE("a hall whose heat cannot leave is refused with the place where it stays", "[library][mistakes]") {
  const auto why = [](const std::string& speed) {
    try {
      Hall(WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml",
           {.set = {"initial=steady", "hall.cooling.loops.pump_speed=" + speed}});
    } catch (const SolverError& error) {
      return std::string(error.what());
    }
    return std::string("no SolverError");
  };
  for (const char* speed : {"1 %", "5 %"}) {
    CAPTURE(speed);
    CHECK_THAT(why(speed), Contains("heat cannot leave row_1.rack_1: the flows that reach it would become ") &&
                               Contains(" K warmer"));
    CHECK_THAT(why(speed), !Contains("gpu") && !Contains("die_temperature"));
  }
}

TEST_CASE("values that are read alone, second by second, are those of a look at everything", "[library]") {
  const HallOptions options{.set = {"duration=2 min"}, .events = {"at: 20 s, fail: cdu_1.pump_a, for: 30 s"}};
  for (const char* scenario : {"one_rack.yaml", "halls/dgx_h100_air.yaml"}) {
    CAPTURE(scenario);
    Hall read(WATTLOOP_SOURCE_DIR "/scenarios/" + std::string(scenario), {.set = options.set}), alone = read.fork();
    for (double at_s = 7.0; at_s < 60.0; at_s += 7.0) {
      read.advance_to(at_s);
      alone.advance_to(at_s);
      Hall fresh = alone.fork();
      fresh.values(fresh.series("gpus", "power"));  // from an evaluation of single units
      bool are_equal = true;
      for (const SeriesInfo& info : read.all_series()) {
        if (info.table == "gpus" && info.column == "power") continue;  // the last series: it would look at all units
        const auto one = read.values(info.series), other = fresh.values(info.series);
        are_equal = are_equal && std::equal(one.begin(), one.end(), other.begin(),
                                            [](double a, double b) { return a == b || (a != a && b != b); });
      }
      CHECK(are_equal);
      const Series power = read.series("gpus", "power");
      const auto one = read.values(power), other = fresh.values(power);
      CHECK(std::equal(one.begin(), one.end(), other.begin()));
    }
  }
}
