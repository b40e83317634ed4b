// Halls of the library: in one piece, in pieces, forked, kept as bytes and taken up again they give the same bits.
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "tests/support/catch.hpp"

#include <wattloop/wattloop.hpp>

using Catch::Matchers::WithinRel;
using wattloop::Hall;
using wattloop::HallOptions;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";

struct Case {
  const char* scenario;
  HallOptions options;
};

const std::array cases{
    Case{"one_rack.yaml", {.set = {"duration=3 min"}, .events = {"at: 40 s, fail: cdu_1.pump_a, for: 50 s"}}},
    Case{"one_rack.yaml",
         {.set = {"duration=3 min"}, .events = {"at: 40 s, set: loop_1.supply_temperature, to: 40 degC, over: 1 min"}}},
    Case{"utility_loss/feeds_lost_40s.yaml", {.set = {"duration=3 min"}}},
};

/// All that a hall says of itself, as bytes.
std::string bytes_of(Hall& hall) {
  std::string bytes;
  for (const wattloop::Figure& figure : hall.summary()) {
    if (figure.name == "wall_time") continue;
    bytes += figure.name;
    if (const auto* number = std::get_if<double>(&figure.value))
      bytes.append(reinterpret_cast<const char*>(number), sizeof *number);
    if (const auto* count = std::get_if<std::int64_t>(&figure.value)) bytes += std::to_string(*count);
    if (const auto* text = std::get_if<std::string>(&figure.value)) bytes += *text;
  }
  for (const wattloop::Event& event : hall.events())
    bytes += fmt::format("{} {} {} {}\n", event.time_s, event.kind, event.target, event.detail);
  for (const wattloop::SeriesInfo& info : hall.all_series()) {
    for (const double value : hall.values(info.series))
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

std::string end_of(Hall& hall) {
  hall.advance_to(hall.end_s());
  return bytes_of(hall);
}

Hall open(const Case& one) { return Hall(scenarios + one.scenario, one.options); }

const std::array odd_times_s{0.0, 13.37, 60.0, 77.7, 140.9};

double memory_mb() {
  std::ifstream file("/proc/self/statm");
  double all = 0.0, resident = 0.0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

TEST_CASE("a hall in pieces of a minute is the hall in one, to the bit", "[library]") {
  for (const Case& one : cases) {
    CAPTURE(one.scenario);
    Hall whole = open(one), pieces = open(one);
    for (double at_s = 60.0; at_s < pieces.end_s(); at_s += 60.0) pieces.advance_to(at_s);
    CHECK((end_of(pieces) == end_of(whole)));
  }
}

TEST_CASE("forks and snapshots at odd times go on as the hall does, to the bit", "[library]") {
  for (const Case& one : cases) {
    CAPTURE(one.scenario);
    Hall hall = open(one);
    std::vector<Hall> others;
    for (const double at_s : odd_times_s) {
      hall.advance_to(at_s);
      for (Hall& other : others) other.advance_to(at_s);
      others.push_back(hall.fork());
      others.push_back(Hall::from_snapshot(hall.snapshot()));
      CHECK(others.back().time_s() == at_s);
    }
    others.push_back(others.back().fork());
    const std::string end = end_of(hall);
    for (Hall& other : others) CHECK((end_of(other) == end));
    Hall over = Hall::from_snapshot(hall.snapshot());
    CHECK((end_of(over) == end));
  }
}

TEST_CASE("acts are events of their instant, and the scenario of the hall repeats them to the bit", "[library]") {
  Hall hall(scenarios + "one_rack.yaml", {.set = {"duration=3 min"}});
  hall.act("set: loop_1.pump_speed, to: 80 %");
  hall.advance_to(31.25);
  hall.act("fail: cdu_1.pump_a, for: 45 s");
  hall.act("{ set: loop_1.supply_temperature, to: 36 degC, over: 30 s }");
  hall.advance_to(60.0);
  hall.set("loop_1.pump_speed", 0.9);
  hall.act("at: 150 s, set: loop_1.pump_speed, by: -5 %");
  const std::string yaml = hall.scenario();
  Hall kept = Hall::from_snapshot(hall.snapshot());
  Hall told = Hall::from_text(yaml, scenarios + "told.yaml");
  const std::string end = end_of(hall);
  CHECK((end_of(told) == end));
  CHECK((end_of(kept) == end));
  CHECK((told.scenario() == yaml));
  Hall quiet(scenarios + "one_rack.yaml", {.set = {"duration=3 min"}});
  CHECK((end_of(quiet) != end));
}

TEST_CASE("looks, summaries, snapshots and forks change nothing of a hall", "[library]") {
  const Case& one = cases.front();
  Hall looked = open(one), alone = open(one);
  for (double at_s = 7.5; at_s < looked.end_s(); at_s += 7.5) {
    looked.advance_to(at_s);
    alone.advance_to(at_s);
    bytes_of(looked);
    looked.snapshot();
    looked.fork().advance_to(std::min(at_s + 20.0, looked.end_s()));
  }
  CHECK((end_of(looked) == end_of(alone)));
}

TEST_CASE("a hall that is asked to stop is usable where it stands", "[library]") {
  Hall hall = open(cases.front()), alone = open(cases.front());
  int asked = 0;
  CHECK_FALSE(hall.advance_to(120.0, [&asked] { return ++asked > 4; }));
  CHECK(hall.time_s() > 0.0);
  CHECK(hall.time_s() < 120.0);
  CHECK_THROWS_AS(hall.advance_to(120.0, []() -> bool { throw std::string("mine"); }), std::string);
  CHECK((end_of(hall) == end_of(alone)));
}

TEST_CASE("two halls on two threads are those of one", "[library]") {
  Hall first = open(cases[0]), second = first.fork();
  std::string one, other;
  std::thread thread([&] { other = end_of(second); });
  one = end_of(first);
  thread.join();
  CHECK((one == other));
}

TEST_CASE("a thousand halls that are forked and dropped leave no memory", "[library]") {
  const HallOptions options{.set = {"duration=1 min"}};
  Hall hall(scenarios + "one_rack.yaml", options);
  hall.advance_to(20.0);
  const auto round = [&] {
    Hall other = hall.fork();
    other.act("fail: cdu_1.pump_a");
    other.advance_to(21.0);
    other.summary();
  };
  for (int i = 0; i < 50; ++i) round();
  const double before_mb = memory_mb();
  for (int i = 0; i < 1000; ++i) round();
  CHECK(memory_mb() - before_mb < 5.0);
}

TEST_CASE("means since a time are the energy that the summary has, over that time", "[library]") {
  Hall hall(scenarios + "one_rack.yaml", {.set = {"duration=3 min"}});
  const wattloop::Series power = hall.series("facility", "it_power");
  const auto energy_j = [&hall] {
    for (const wattloop::Figure& figure : hall.summary()) {
      if (figure.name == "it_energy") return std::get<double>(figure.value);
    }
    return 0.0;
  };
  hall.advance_to(20.0);
  hall.meter(power);
  const double before_j = energy_j();
  hall.advance_to(53.5);
  const double between_j = energy_j();
  Hall other = hall.fork();
  other.act("fail: cdu_1.pump_a");
  other.advance_to(120.0);
  hall.advance_to(120.0);
  const double after_j = energy_j();
  CHECK_THAT(hall.mean(power), WithinRel((after_j - before_j) / 100.0, 1e-9));
  CHECK_THAT(hall.mean(power, 20.0), WithinRel((after_j - before_j) / 100.0, 1e-9));
  CHECK_THAT(hall.mean(power, 53.5), WithinRel((after_j - between_j) / 66.5, 1e-9));
  CHECK(other.mean(power) != hall.mean(power));
  hall.meter(power);
  hall.advance_to(180.0);
  CHECK_THAT(hall.mean(power), WithinRel((energy_j() - after_j) / 60.0, 1e-9));
}

TEST_CASE("forks of the monolithic integrator go on as the hall does, to the bit", "[library]") {
  Hall hall(scenarios + "one_rack.yaml", {.set = {"duration=40 s"}, .integrator = "monolithic"});
  const wattloop::Series power = hall.series("facility", "it_power");
  std::vector<Hall> forks;
  forks.push_back(hall.fork());
  forks.back().advance_to(5.0);
  hall.advance_to(5.0);
  hall.meter(power);
  hall.act("fail: cdu_1.pump_a");
  forks.back().meter(power);
  forks.back().act("fail: cdu_1.pump_a");
  hall.advance_to(13.37);
  forks.back().advance_to(13.37);
  forks.push_back(hall.fork());
  Hall other = hall.fork();
  other.act("set: loop_1.pump_speed, to: 50 %");
  const std::string end = end_of(hall);
  for (Hall& fork : forks) {
    CHECK((end_of(fork) == end));
    CHECK(fork.mean(power) == hall.mean(power));
  }
  CHECK((end_of(other) != end));
}

TEST_CASE("acts that wait are in forks, summaries, snapshots and the scenario", "[library]") {
  Hall hall(scenarios + "one_rack.yaml", {.set = {"duration=1 min"}});
  hall.advance_to(20.0);
  hall.act("fail: cdu_1.pump_a");
  hall.act("at: 30 s, set: loop_1.pump_speed, to: 80 %");
  Hall fork = hall.fork(), kept = Hall::from_snapshot(hall.snapshot());
  Hall told = Hall::from_text(hall.scenario(), scenarios + "told.yaml");
  told.advance_to(20.0);
  CHECK((bytes_of(told) == bytes_of(hall)));
  const std::string end = end_of(hall);
  CHECK((end_of(fork) == end));
  CHECK((end_of(kept) == end));
  CHECK((end_of(told) == end));
}

TEST_CASE("metering changes nothing of a hall", "[library]") {
  Hall metered = open(cases.front()), alone = open(cases.front());
  for (const wattloop::SeriesInfo& info : metered.all_series()) {
    if (info.unit == "W" && info.table != "gpus") metered.meter(info.series);
  }
  CHECK((end_of(metered) == end_of(alone)));
}
