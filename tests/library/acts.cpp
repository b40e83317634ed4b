// Acts of every kind, in any order: the scenario of the hall, forks and snapshots repeat them to the bit.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

#include <wattloop/wattloop.hpp>

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

const std::string one_rack = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";

Hall rack_hall(const std::string& integrator = "multirate") {
  return Hall::from_text(
      "extends: scenarios/one_rack.yaml\nduration: 90 s\ninitial: steady\nevents:\n"
      "  - { at: 50 s, restore: cdu_1 }\n  - { at: 25 s, set: loop_1.pump_speed, to: 78 %, for: 5 s }\n",
      WATTLOOP_SOURCE_DIR "/own.yaml", {.integrator = integrator});
}

/// Events and values at the end of the run.
std::string end_of(Hall& hall) {
  hall.advance_to(hall.end_s());
  std::string text;
  for (const Event& event : hall.events())
    text += fmt::format("{} {} {} {}\n", event.time_s, event.kind, event.target, event.detail);
  for (const SeriesInfo& info : hall.all_series()) {
    const auto values = hall.values(info.series);
    text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  return text;
}

/// The hall of the scenario that `hall` saves, in the same pieces.
Hall repeated(const Hall& hall, const std::filesystem::path& folder, const std::vector<double>& stops_s) {
  hall.save_scenario(folder / "repeated.yaml");
  Hall again(folder / "repeated.yaml");
  for (const double stop_s : stops_s) again.advance_to(stop_s);
  return again;
}

std::string refusal_of(const auto& step) {
  try {
    step();
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("acts ahead, temporary acts and arrays at one instant act in the order of the scenario", "[library][acts]") {
  const tests::TemporaryFolder folder;
  for (const char* integrator : {"multirate", "monolithic"}) {
    CAPTURE(integrator);
    Hall hall = rack_hall(integrator);
    hall.act("at: 25 s, set: loop_1.supply_temperature, to: 34 degC");
    hall.act("at: 00:00:25, set: loop_1.supply_temperature, to: 35 degC");
    hall.act("at: 10 s, set: loop_1.supply_temperature, to: 36 degC, for: 15 s");  // ends before the act above acts
    hall.set("gpus.power", std::vector<double>(64, 300.0));
    hall.act("fail: cdu_1.pump_a, for: 25 s");
    hall.advance_to(12.5);
    hall.act("set: loop_1.pump_speed, to: 85 %, for: 12.5 s");
    hall.set("gpus.power", std::vector<double>(64, 400.0));
    hall.act("slow: row_1.rack_1.node_2.gpu_*, to: 50 %, for: 30 s");
    Hall fork = hall.fork(), kept = Hall::from_snapshot(hall.snapshot());
    for (Hall* one : {&hall, &fork, &kept}) {
      one->set("gpus.power", std::vector<double>(64, 500.0));  // instead of 400 W
      one->advance_to(31.25);
      one->act("fail: cdu_1.pump_b, for: 3 s");
      one->act("every: 10 s, set: loop_1.pump_speed, by: -1 %, for: 4 s");
    }
    Hall again = repeated(hall, folder.path(), {12.5, 31.25}), late = Hall::from_snapshot(hall.snapshot());
    const std::string end = end_of(hall);
    CHECK((end_of(fork) == end));
    CHECK((end_of(kept) == end));
    CHECK((end_of(late) == end));
    if (std::string(integrator) == "multirate") CHECK((end_of(again) == end));
  }
}

TEST_CASE("a part that is restored before it clogs is not cleaned, and one that an act clogs is", "[library][acts]") {
  const tests::TemporaryFolder folder;
  Hall hall = rack_hall();
  hall.act("restore: cdu_1");
  hall.advance_to(12.5);
  hall.act("clog: cdu_1.technology, to: 80 %");  // the scenario restores the CDU at 50 s
  Hall again = repeated(hall, folder.path(), {12.5});
  const std::string end = end_of(hall);
  CHECK((end_of(again) == end));
  const std::size_t restored = end.find("restore cdu_1.technology");
  REQUIRE(restored != std::string::npos);
  CHECK(end.rfind("restore cdu_1.technology") == restored);
  CHECK_THAT(end, Contains("\n50 restore cdu_1.technology from 80 % to 100 %"));
}

TEST_CASE("a time of day in an act is the next one, and one that no run reaches is refused", "[library][acts]") {
  Hall hall(one_rack, {.set = {"start=2026-07-15T12:00:00", "duration=2 d"}});
  hall.advance_to(120.0);
  hall.act("at: 12:03, fail: cdu_1.pump_a");
  hall.act("at: 12:01, restore: cdu_1.pump_a");
  CHECK_THAT(hall.scenario(), Contains("12:03"));
  CHECK_THAT(hall.scenario(), Contains("at: 86460 s"));
  CHECK_THAT(refusal_of([&] { hall.act("at: 2026-07-15T12:01, fail: cdu_1.pump_a"); }), Contains("is in the past"));
  Hall repeated = Hall::from_text(hall.scenario(), WATTLOOP_SOURCE_DIR "/repeated.yaml");
  CHECK(repeated.scenario() == hall.scenario());
  Hall brief(one_rack, {.set = {"start=2026-07-15T12:00:00", "duration=1 h"}});
  brief.advance_to(120.0);
  CHECK_THAT(refusal_of([&] { brief.act("at: 12:01, fail: cdu_1.pump_a"); }), Contains("is after the end of the run"));
}

TEST_CASE("the file of a hall that records has this hall alone, and not its forks", "[library][acts]") {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "recorded.h5";
  Hall hall = rack_hall();
  hall.record_to(file);
  Hall twin = hall.fork();
  CHECK_THROWS_AS(twin.record_to(file), FileError);  // somebody writes it
  twin.record_to(folder.path() / "twin.h5");
  hall.advance_to(12.5);
  twin.advance_to(12.5);
  Hall fork = hall.fork(), kept = Hall::from_snapshot(hall.snapshot());
  CHECK_THAT(refusal_of([&] { fork.record_to(folder.path() / "fork.h5"); }), Contains("from its start"));
  const std::string end = end_of(fork);
  CHECK((end_of(kept) == end));
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK((end_of(hall) == end));
  CHECK((end_of(twin) == end));
  CHECK(std::filesystem::exists(file));
  CHECK(std::filesystem::exists(folder.path() / "twin.h5"));
  Hall dropped = rack_hall();
  dropped.record_to(folder.path() / "dropped.h5");
  dropped.advance_to(12.5);
  dropped = rack_hall();
  CHECK_FALSE(std::filesystem::exists(folder.path() / "dropped.h5"));
}
