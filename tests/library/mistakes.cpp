// What is asked of a hall and cannot be: an exception that says what was expected, and the hall as it was.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

#include <wattloop/wattloop.hpp>

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";

Hall small_hall() { return Hall(scenarios + "one_rack.yaml", {.set = {"duration=2 min"}}); }

struct Refusal {
  std::string message, hint;
};

template <class Step>
Refusal refusal_of(const Step& step) {
  try {
    step();
  } catch (const InputError& error) {
    REQUIRE_FALSE(error.problems().empty());
    return {error.problems().front().message, error.problems().front().hint};
  }
  return {"no InputError", {}};
}

std::string figures_of(const Hall& hall) {
  std::string text;
  for (const Figure& figure : hall.summary()) {
    if (const auto* number = std::get_if<double>(&figure.value); number != nullptr && figure.name != "wall_time")
      text.append(reinterpret_cast<const char*>(number), sizeof *number);
  }
  return text;
}

}  // namespace

TEST_CASE("a hall answers what it cannot do, and stays as it was", "[library][mistakes]") {
  Hall hall = small_hall();
  hall.advance_to(30.0);
  const std::string before = figures_of(hall);
  const auto message = [&](const auto& step) { return refusal_of(step).message; };
  const auto hint = [&](const auto& step) { return refusal_of(step).hint; };
  CHECK(hint([&] { hall.series("gpus", "die_temprature"); }) == "did you mean 'die_temperature'?");
  CHECK(hint([&] { hall.series("gpu", "die_temperature"); }) == "did you mean 'gpus'?");
  CHECK(hint([&] { hall.series("cdu_1.retrun_temperature"); }) == "did you mean 'cdu_1.return_temperature'?");
  CHECK(hint([&] { hall.series("cdu_l.return_temperature"); }) == "did you mean 'cdu_1'?");
  CHECK(message([&] { hall.series("cdu_1"); }) == "'cdu_1' is no series");
  CHECK(hint([&] { hall.set("loop_1.supply_temprature", 300.0); }) == "did you mean 'loop_1.supply_temperature'?");
  CHECK_THAT(message([&] { hall.set("loop_1.supply_temperature", 1e9); }), Contains("is out of range"));
  CHECK_THAT(message([&] { hall.set("loop_1.pump_speed", std::numeric_limits<double>::quiet_NaN()); }),
             Contains("not a number"));
  CHECK_THAT(message([&] { hall.act("set: loop_1.supply_temperature, to: 20 W"); }), Contains("W"));
  CHECK_THAT(hint([&] { hall.act("fail: cdu_1.pump_x"); }), Contains("cdu_1.pump_"));
  CHECK_THAT(message([&] { hall.act("at: 10 s, fail: cdu_1.pump_a"); }), Contains("is in the past"));
  CHECK_THAT(message([&] { hall.act("at: 10 h, fail: cdu_1.pump_a"); }), Contains("after the end of the run"));
  CHECK(message([&] { hall.act("fail"); }) == "the act is not an event");
  CHECK(message([&] { hall.act("fail:"); }) == "expected the name of a component, found nothing");
  CHECK(message([&] { hall.act("5"); }) != "no InputError");
  CHECK(message([&] { hall.act(""); }) != "no InputError");
  CHECK(message([&] { hall.act("fail: cdu_1.pump_a }, { fail: cdu_1.pump_b"); }) != "no InputError");
  CHECK_THAT(message([&] { hall.act(std::string(1000000, 'x')); }), Contains("1000000 characters"));
  CHECK(message([&] { hall.act(std::string("fail: \x1b[31m\x00", 11)); }) != "no InputError");
  CHECK_THAT(message([&] { hall.advance_to(20.0); }), Contains("is past"));
  CHECK_THAT(message([&] { hall.advance_to(1e6); }), Contains("after the end"));
  CHECK_THAT(message([&] { hall.advance_to(std::numeric_limits<double>::quiet_NaN()); }), Contains("not a number"));
  CHECK_THAT(message([&] { hall.values({1000, 0}); }), Contains("of no series"));
  CHECK_THAT(message([&] { hall.values({0, 1000}); }), Contains("of no series"));
  CHECK_THAT(message([&] { hall.values({0, 0, 1000}); }), Contains("of no series"));
  CHECK_THAT(message([&] { hall.record_to("x.h5"); }), Contains("from its start"));
  const Series pue = hall.series("facility.pue");
  CHECK_THAT(message([&] { hall.mean(pue); }), Contains("pue of facility is not metered"));
  CHECK_THAT(message([&] { hall.meter(hall.series("gpus", "power")); }), Contains("not as means"));
  CHECK_THAT(message([&] { hall.meter(hall.series("racks", "max_die_temperature")); }), Contains("not as means"));
  CHECK_THAT(message([&] { hall.meter({1000, 0}); }), Contains("of no series"));
  hall.meter(pue);
  CHECK_THAT(message([&] { hall.mean(pue); }), Contains("needs some simulated time"));
  CHECK_THAT(message([&] { hall.mean(pue, 29.0); }), Contains("the meter has no data since"));
  CHECK_THAT(message([&] { hall.mean(pue, 31.0); }), Contains("no piece of the hall ended at 31 s"));
  CHECK_THAT(message([&] { hall.mean(pue, std::numeric_limits<double>::quiet_NaN()); }), Contains("no data"));
  CHECK((figures_of(hall) == before));
  CHECK(hall.time_s() == 30.0);
  Hall same = small_hall();
  same.advance_to(30.0);
  hall.advance_to(120.0);
  same.advance_to(120.0);
  CHECK((figures_of(hall) == figures_of(same)));
  CHECK(message([&] { hall.act("fail: cdu_1.pump_a"); }) == "the run is over");
  CHECK(message([&] { hall.fork(); }) != "no InputError");
}

TEST_CASE("mistakes of acts have the place of acts, and texts to set are values alone", "[library][mistakes]") {
  Hall hall = small_hall();
  const auto place = [](const auto& step) {
    try {
      step();
    } catch (const InputError& error) {
      return error.problems().front().file;
    }
    return std::string("no InputError");
  };
  CHECK(place([&] { hall.act("fail: cdu_1.pump_x"); }) == "act");
  CHECK(place([&] { hall.act("set: loop_1.pump_sped, to: 90 %"); }) == "act");
  CHECK(place([&] { hall.act("at: tomorrow, fail: cdu_1.pump_a"); }) == "act");
  CHECK(place([&] { hall.act("at: next-day, fail: cdu_1.pump_a"); }) == "act");
  const std::string before = hall.scenario();
  for (const std::string text :
       {"90 %, at: 100 s", "90 %\nfail: cdu_1.pump_a", "90 % }, { fail: cdu_1.pump_a", "", "\"90 %\"", "90 % # now",
        "*x", "[90 %]", "${HOME}", "36 degC", "nan", "at: next-day"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(hall.set("loop_1.pump_speed", text), InputError);
  }
  CHECK_THROWS_AS(hall.set("loop_1.pump_speed\", to: 1, at: \"5 s", "90 %"), InputError);
  CHECK(hall.scenario() == before);
  hall.set("loop_1.pump_speed", "90 %");
  CHECK_THAT(hall.scenario(), Contains("set: loop_1.pump_speed"));
}

TEST_CASE("a handle of a hall that has other parts is refused", "[library][mistakes]") {
  Hall hall = small_hall(), other(scenarios + "one_rack.yaml", {.set = {"duration=2 min", "hall.racks.nodes=4"}});
  const Series mine = hall.series("gpus", "die_temperature"), theirs = other.series("gpus", "die_temperature");
  CHECK_THAT(refusal_of([&] { hall.values(theirs); }).message, Contains("of no series of this hall"));
  CHECK_THAT(refusal_of([&] { other.meter(mine); }).message, Contains("of no series of this hall"));
  CHECK_THROWS_AS(other.info(mine), InputError);
  CHECK(Hall::from_snapshot(hall.snapshot()).values(mine).size() == 64);
}

TEST_CASE("mistakes of a scenario come all at once, with their places", "[library][mistakes]") {
  const auto problems = [](const HallOptions& options) {
    try {
      Hall(scenarios + "one_rack.yaml", options);
    } catch (const InputError& error) {
      return error.problems();
    }
    return std::vector<Problem>{};
  };
  const std::vector<Problem> found =
      problems({.set = {"hall.racks.cuont=3", "hall.cooling.loops.pump_speed=20 W"}, .events = {}});
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].file + found[1].file, Contains("--set hall.racks.cuont=3"));
  CHECK(problems({.integrator = "euler"}).size() == 1);
  CHECK(problems({.threads = 0}).size() == 1);
  CHECK_THROWS_AS(Hall("no_such_file.yaml"), InputError);
  Hall slow(scenarios + "one_rack.yaml", {.set = {"duration=20 s"}, .integrator = "monolithic"});
  slow.act("fail: cdu_1.pump_a");
  CHECK(slow.advance_to(20.0));
}

TEST_CASE("bytes that are no snapshot are refused", "[library][mistakes]") {
  Hall hall = small_hall();
  hall.advance_to(10.0);
  const std::string good = hall.snapshot();
  CHECK_THROWS_AS(Hall::from_snapshot(""), FileError);
  CHECK_THROWS_AS(Hall::from_snapshot("wattloop"), FileError);
  CHECK_THROWS_AS(Hall::from_snapshot(good.substr(0, good.size() / 2)), FileError);
  for (const std::size_t at : {std::size_t(20), good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    CHECK_THROWS_AS(Hall::from_snapshot(bad), FileError);
  }
}

TEST_CASE("a hall is not used by two threads at once, nor after fork", "[library][mistakes]") {
  Hall hall = small_hall();
  bool was_refused = false;
  hall.advance_to(60.0, [&] {
    std::thread([&] {
      try {
        hall.act("fail: cdu_1.pump_a");
      } catch (const UsageError&) {
        was_refused = true;
      }
    }).join();
    return true;
  });
  CHECK(was_refused);
  const pid_t child = fork();
  if (child == 0) {
    try {
      hall.advance_to(100.0);
    } catch (const UsageError&) {
      _exit(7);
    } catch (...) {
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("what a function of the caller throws arrives as it is, and the hall stays usable", "[library][mistakes]") {
  Hall hall = small_hall();
  const auto throws = []() -> bool { throw std::out_of_range("mine"); };
  CHECK_THROWS_AS(hall.advance_to(60.0, throws), std::out_of_range);
  CHECK(hall.time_s() < 60.0);
  CHECK(hall.advance_to(60.0));
  const auto on_row = [](const StudyRow&) -> bool { throw std::invalid_argument("mine"); };
  CHECK_THROWS_AS(study(scenarios + "studies/one_rack_supply.yaml", {}, on_row), std::invalid_argument);
}

TEST_CASE("a hall is not asked while it advances", "[library][mistakes]") {
  Hall hall = small_hall();
  int refused = 0;
  const auto asks = [&]() -> bool {
    const auto tried = [&](const auto& step) {
      try {
        step();
      } catch (const UsageError&) {
        ++refused;
      }
    };
    tried([&] { (void)hall.events(); });
    tried([&] { (void)hall.inputs(); });
    tried([&] { (void)hall.time_s(); });
    return true;
  };
  CHECK_FALSE(hall.advance_to(60.0, asks));
  CHECK(refused == 3);
}

TEST_CASE("a recording takes the place of nothing that is not of Wattloop", "[library][mistakes]") {
  const tests::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::filesystem::path precious = folder / "precious.txt";
  std::ofstream(precious) << "mine";
  Hall hall = small_hall();
  CHECK_THAT(refusal_of([&] { hall.record_to(precious); }).message, Contains("was not written by Wattloop"));
  CHECK_THAT(refusal_of([&] { hall.record_to(""); }).message, Contains("no name"));
  CHECK_THAT(refusal_of([&] { hall.record_to(scenarios + "one_rack.yaml"); }).message, Contains("is read by this run"));
  CHECK_THROWS_AS(hall.record_to("/dev/null"), FileError);
  hall.record_to(folder / "run.h5");
  hall.advance_to(hall.end_s());
  CHECK(std::filesystem::file_size(precious) == 4);
  CHECK(std::filesystem::file_size(folder / "run.h5") > 1000);
}

TEST_CASE("a recording whose folder is gone does not end the program", "[library][mistakes]") {
  const tests::TemporaryFolder temporary;
  const std::filesystem::path folder = std::filesystem::path(temporary.path()) / "gone";
  std::filesystem::create_directory(folder);
  {
    Hall hall = small_hall();
    hall.record_to(folder / "run.h5");
    hall.advance_to(1.0);
    std::filesystem::remove_all(folder);
  }
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("every input that a hall lists may be set", "[library]") {
  const Hall hall = small_hall();
  const std::vector<Input> inputs = hall.inputs();
  CHECK(inputs.size() >= 5);
  for (const Input& input : inputs) {
    CAPTURE(input.name);
    CHECK_NOTHROW(hall.fork().set(input.name, input.value));
    CHECK(input.lowest < input.highest);
    CHECK(input.value >= input.lowest);
    CHECK(input.value <= input.highest);
    for (const double good : {input.lowest, input.highest}) CHECK_NOTHROW(hall.fork().set(input.name, good));
    const double beyond = 1.0 + 1e-6;
    CHECK_THROWS_AS(hall.fork().set(input.name, input.highest * beyond), InputError);
    const double below = input.lowest == 0.0 ? -1e-6 : input.lowest / beyond;
    CHECK_THROWS_AS(hall.fork().set(input.name, below), InputError);
  }
}

TEST_CASE("a snapshot of files that have changed is refused", "[library][mistakes]") {
  const tests::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::filesystem::path trace = folder / "trace.csv";
  const auto write = [&](double power_w) {
    std::ofstream(trace) << fmt::format("time_s,power_w\n0,{0}\n60,{0}\n120,{0}\n", power_w);
  };
  write(6000.0);
  Hall hall = Hall::from_text("extends: " + scenarios +
                                  "one_rack.yaml\nduration: 2 min\nworkload: { kind: replay, trace: trace.csv, "
                                  "meaning: node_ac, after_end: hold }\n",
                              folder / "mine.yaml");
  hall.advance_to(30.0);
  const std::string bytes = hall.snapshot();
  CHECK(Hall::from_snapshot(bytes).time_s() == 30.0);
  write(3000.0);
  CHECK_THROWS_AS(Hall::from_snapshot(bytes), FileError);
}

TEST_CASE("a hall that ended early goes no further, and can be looked at", "[library][mistakes]") {
  Hall hall = Hall::from_text("extends: " + scenarios + R"(one_rack.yaml
duration: 1 h
hall:
  racks:
    with:
      protection: { enabled: false }
      units: { gpu: { with: { leakage_slope: 12 W/K } } }
events:
  - { at: 60 s, set: loop_1.pump_speed, to: 10 % }
)",
                              scenarios + "own.yaml");
  CHECK_THROWS_AS(hall.advance_to(hall.end_s()), SolverError);
  CHECK_THROWS_AS(hall.advance_to(hall.end_s()), UsageError);
  CHECK_THROWS_AS(hall.act("fail: cdu_1"), UsageError);
  CHECK_THROWS_AS(hall.fork(), UsageError);
  CHECK(hall.value(hall.series("facility.it_power")) > 0.0);
}
