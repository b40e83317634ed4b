// Instants that differ by rounding are one: stops of programs that add decimal numbers, events beside whole seconds, and stops where windows
// skip seconds. Expected values are those of a run that nobody stopped.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

#include <wattloop/wattloop.h>
#include <wattloop/wattloop.hpp>

using Catch::Matchers::Contains;
using wattloop::Hall;

namespace {

const std::string one_rack = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";

double figure(Hall& hall, const std::string& name) {
  for (const wattloop::Figure& one : hall.summary())
    if (one.name == name) return std::get<double>(one.value);
  return std::nan("");
}

struct Peaks {
  double facility_w, node_w;
};

Peaks peaks_of(Hall& hall) {
  hall.advance_to(hall.end_s());
  return {figure(hall, "peak_facility_power"), figure(hall, "peak_node_power")};
}

}  // namespace

TEST_CASE("a stop or an event that misses a whole second by its rounding changes no peak", "[library][instants]") {
  Hall whole(one_rack, {.set = {"duration=30 s"}});
  const Peaks expected = peaks_of(whole);
  for (const double second : {3.0, 7.0, 11.0, 20.0}) {
    for (const double beyond : {std::numeric_limits<double>::infinity(), 0.0}) {
      const double beside_s = std::nextafter(second, beyond);
      CAPTURE(second, beyond);
      Hall stopped(one_rack, {.set = {"duration=30 s"}});
      stopped.advance_to(beside_s);
      CHECK(stopped.time_s() == second);
      const Peaks found = peaks_of(stopped);
      CHECK(found.facility_w == Approx(expected.facility_w).epsilon(1e-4));
      CHECK(found.node_w == Approx(expected.node_w).epsilon(1e-4));
      Hall set(one_rack,
               {.set = {"duration=30 s"},
                .events = {"at: " + std::to_string(second) + "0000000000001 s, set: loop_1.pump_speed, by: 0 %"}});
      CHECK(peaks_of(set).facility_w == Approx(expected.facility_w).epsilon(1e-4));
    }
  }
}

TEST_CASE("steps of decimal numbers come to the end, and to the peaks of one step", "[library][instants]") {
  Hall whole(one_rack, {.set = {"duration=21 s"}});
  const Peaks expected = peaks_of(whole);
  for (const double step_s : {0.1, 0.7, 0.3, 1.3}) {
    CAPTURE(step_s);
    Hall hall(one_rack, {.set = {"duration=21 s"}});
    while (hall.time_s() < hall.end_s()) hall.advance_to(std::min(hall.time_s() + step_s, hall.end_s() + 1e-15));
    CHECK(figure(hall, "peak_facility_power") == Approx(expected.facility_w).epsilon(1e-3));
  }
}

TEST_CASE("a hall that is stopped where seconds are skipped is its own scenario, to the bit", "[library][instants]") {
  const std::string text =
      "extends: scenarios/one_rack.yaml\nduration: 3 min\nworkload: { kind: constant, node_power: 6 kW }\n"
      "record: { facility: 1 min, racks: 1 min, gpus: { every: 1 min } }\n";
  Hall hall = Hall::from_text(text, WATTLOOP_SOURCE_DIR "/own.yaml");
  hall.advance_to(64.0);
  hall.act("set: loop_1.supply_temperature, to: 36 degC");
  Hall again = Hall::from_text(hall.scenario(), WATTLOOP_SOURCE_DIR "/own.yaml");
  for (Hall* one : {&hall, &again}) one->advance_to(180.0);
  const auto dies = hall.values(hall.series("gpus", "die_temperature")),
             same = again.values(again.series("gpus", "die_temperature"));
  CHECK(std::equal(dies.begin(), dies.end(), same.begin()));
  CHECK(figure(hall, "facility_energy") == figure(again, "facility_energy"));
}

TEST_CASE("a change of a setting ends at the highest value that it can have", "[library][instants]") {
  Hall hall(one_rack, {.set = {"duration=1 min"}, .events = {"at: 5 s, set: loop_1.supply_temperature, by: 90 K"}});
  hall.advance_to(10.0);
  bool is_reported = false;
  for (const wattloop::Event& event : hall.events())
    is_reported = is_reported || event.detail.find("100 degC, the most that it can have") != std::string::npos;
  CHECK(is_reported);
}

TEST_CASE("halls that were moved away, and lists that are not there, are refused", "[library][instants]") {
  Hall hall(one_rack, {.set = {"duration=1 min"}});
  const Hall other = std::move(hall);
  CHECK_THROWS_AS(hall.time_s(), wattloop::UsageError);
  CHECK_THROWS_AS(hall.end_s(), wattloop::UsageError);
  CHECK_THROWS_AS(hall.all_series(), wattloop::UsageError);
  CHECK_THROWS_AS(hall.parts(), wattloop::UsageError);
  CHECK(other.end_s() == 60.0);
  wattloop_error* error = nullptr;
  const wattloop_options options{nullptr, 3, nullptr, 0, nullptr, 0};
  CHECK(wattloop_hall_open(one_rack.c_str(), &options, &error) == nullptr);
  REQUIRE(error != nullptr);
  CHECK_THAT(wattloop_error_text(error), Contains("expected texts to set, found NULL"));
  wattloop_error_free(error);
  CHECK(std::isnan(wattloop_time_s(nullptr)));
}

TEST_CASE("a saved scenario keeps the files that it reads, and the time of a run is measured", "[library][instants]") {
  const wattloop::tests::TemporaryFolder folder;
  const auto first = folder.path() / "first.yaml";
  Hall hall(one_rack, {.set = {"duration=1 min"}});
  hall.set("gpus.power", std::vector<double>(64, 100.0));
  hall.save_scenario(first);
  Hall again(first);
  CHECK_THROWS_AS(again.save_scenario(first), wattloop::InputError);
  again.advance_to(30.0);
  again.set("gpus.power", std::vector<double>(64, 600.0));
  std::filesystem::create_directories(folder.path() / "other");
  const auto same_name = folder.path() / "other" / "first.yaml", beside = folder.path() / "first.yml";
  again.save_scenario(same_name);
  again.save_scenario(beside);
  again.advance_to(60.0);
  for (const auto& file : {same_name, beside}) {
    Hall saved(file);
    saved.advance_to(60.0);
    CHECK(figure(saved, "node_energy") == figure(again, "node_energy"));
  }
  CHECK(figure(again, "wall_time") > 0.0);
}

TEST_CASE("a recording needs neither its scenario nor the working folder of its start", "[library][instants]") {
  const wattloop::tests::TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(folder.path() / "elsewhere");
  std::ofstream(folder.path() / "own.yaml") << "extends: " << one_rack << "\n";
  std::filesystem::current_path(folder.path());
  {
    Hall hall("own.yaml", {.set = {"duration=10 s"}});
    hall.record_to("own.h5");
    std::filesystem::remove(folder.path() / "own.yaml");
    std::filesystem::current_path(folder.path() / "elsewhere");
    hall.advance_to(10.0);
  }
  std::filesystem::current_path(before);
  CHECK(std::filesystem::exists(folder.path() / "own.h5"));
  CHECK(std::filesystem::is_empty(folder.path() / "elsewhere"));
}
