// The summary of a run against what was recorded: loads and margins, throttling, names and units, and its wording.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/units/units.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

template <class T>
T value_of(const tests::RecordedRun& run, const std::string& name) {
  for (const NamedValue& value : run.summary) {
    if (value.name == name) return std::get<T>(value.value);
  }
  FAIL("no value " << name);
  return {};
}

double number_of(const tests::RecordedRun& run, const std::string& name) { return value_of<double>(run, name); }
std::string text_of(const tests::RecordedRun& run, const std::string& name) { return value_of<std::string>(run, name); }

bool has(const tests::RecordedRun& run, const std::string& name) {
  return std::any_of(run.summary.begin(), run.summary.end(),
                     [&](const NamedValue& value) { return value.name == name; });
}

/// Whole seconds only, so that records see all that the statistics see.
Scenario recorded(Scenario scenario, double duration_s) {
  scenario.duration_s = duration_s;
  scenario.record = {.facility_s = 1.0, .racks_s = 1.0, .gpus_s = 1.0, .gpu_fields = {"die_temperature"}};
  return scenario;
}

/// The rack whose only CDU loses its pumps for good.
Scenario pumps_lost() {
  Scenario scenario = recorded(tests::one_rack_scenario(), 120.0);
  scenario.events = {tests::event(10.0, EventSpec::Kind::fail, {"cdu_1"}, 0.0)};
  return scenario;
}

}  // namespace

TEST_CASE("highest loads of the summary are the highest of the recorded ones, and their bearers are named",
          "[summary]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = recorded(tests::small_hall_scenario(), 60.0);
  scenario.events = {tests::event(20.0, EventSpec::Kind::fail, {"cdu_1"}, 0.0)};  // the other of its loop carries on
  const tests::RecordedRun run = tests::record_run(scenario, folder / "hall.h5");
  const ResultsReader results(folder / "hall.h5");
  const std::map<std::string, std::string> groups{
      {"cdu", "cdus"}, {"tower", "towers"}, {"chiller", "chillers"},   {"crah", "crahs"},
      {"ups", "ups"},  {"pdu", "feeders"},  {"transformer", "feeders"}};
  double highest = 0.0;
  for (const auto& [kind, group] : groups) {
    INFO(kind);
    const std::vector<std::string> items = results.table(group).items;
    double recorded_highest = 0.0;
    std::string bearer;
    for (std::size_t item = 0; item < items.size(); ++item) {
      if (!items[item].starts_with(kind)) continue;
      const std::vector<float> loading = results.series(group, "loading", item);
      const double of_item = *std::max_element(loading.begin(), loading.end());
      if (of_item > recorded_highest) bearer = items[item];
      recorded_highest = std::max(recorded_highest, of_item);
    }
    CHECK(number_of(run, "highest_" + kind + "_loading") == Approx(recorded_highest).epsilon(1e-6));
    CHECK(text_of(run, "highest_" + kind + "_loading_of").starts_with(kind + "_"));
    if (kind == "cdu") CHECK(text_of(run, "highest_cdu_loading_of") == bearer);
    highest = std::max(highest, recorded_highest);
  }
  CHECK(text_of(run, "highest_cdu_loading_of") == "cdu_2");
  CHECK(number_of(run, "highest_loading") >= Approx(highest).epsilon(1e-6));
}

TEST_CASE("the summary reports which GPU throttled first, how many at most and how many are off in the end",
          "[summary]") {
  const tests::TemporaryFolder folder;
  const tests::RecordedRun run = tests::record_run(pumps_lost(), folder / "rack.h5");
  const ResultsReader results(folder / "rack.h5");
  const std::vector<EventRecord> events = results.events();
  const auto first =
      std::find_if(events.begin(), events.end(), [](const auto& e) { return e.kind == "first_throttle"; });
  REQUIRE(first != events.end());
  CHECK(text_of(run, "first_throttle_gpu") == first->target);
  CHECK(number_of(run, "first_throttle_time") == first->time_s);
  CHECK(number_of(run, "smallest_throttle_margin") ==
        Approx(87.0 + 273.15 - number_of(run, "peak_die_temperature")).margin(1e-9));
  CHECK(number_of(run, "smallest_slowdown_margin") - number_of(run, "smallest_throttle_margin") == Approx(2.0));
  const auto shutdowns =
      std::count_if(events.begin(), events.end(), [](const auto& e) { return e.kind == "thermal_shutdown"; });
  CHECK(value_of<std::int64_t>(run, "shut_down_gpus") == 8 * shutdowns);
  CHECK(shutdowns == 8);
  const std::vector<float> throttled = results.series("facility", "throttled_gpus");
  CHECK(value_of<std::int64_t>(run, "most_throttled_gpus") ==
        static_cast<std::int64_t>(*std::max_element(throttled.begin(), throttled.end())));
  CHECK_THAT(run.text, Contains("(" + first->target + ")") && Contains("64 GPUs in the end"));
}

TEST_CASE("a run without throttling names no one", "[summary]") {
  const tests::TemporaryFolder folder;
  const tests::RecordedRun run = tests::record_run(recorded(tests::one_rack_scenario(), 10.0), folder / "rack.h5");
  CHECK(text_of(run, "first_throttle_gpu").empty());
  CHECK(std::isnan(number_of(run, "first_throttle_time")));
  CHECK(value_of<std::int64_t>(run, "shut_down_gpus") == 0);
  CHECK(number_of(run, "smallest_throttle_margin") > 0.0);
  CHECK_THAT(run.text, Contains("K to throttling") && !Contains("shut down"));
}

TEST_CASE("PUE is called partial where water comes from outside, and only there", "[summary]") {
  const tests::TemporaryFolder folder;
  const tests::RecordedRun rack = tests::record_run(recorded(tests::one_rack_scenario(), 2.0), folder / "rack.h5");
  CHECK_THAT(rack.text, Contains("partial PUE") && Contains("facility water and door water come from outside"));
  CHECK_FALSE(has(rack, "water_use"));
  CHECK_FALSE(has(rack, "pue_chiller"));
  const tests::RecordedRun hall = tests::record_run(recorded(tests::small_hall_scenario(), 2.0), folder / "hall.h5");
  CHECK_THAT(hall.text, !Contains("partial") && Contains("L/kWh of IT energy") && Contains("chilled water"));
  CHECK(number_of(hall, "water_use") > 0.0);
  Scenario towers_only = recorded(tests::small_hall_scenario(), 2.0);
  towers_only.cooling.chilled_water = {};
  const tests::RecordedRun towers = tests::record_run(towers_only, folder / "towers.h5");
  CHECK_THAT(towers.text, Contains("(door water comes from outside)"));
}

TEST_CASE("figures of the summary have names of their own, SI units and sentences", "[summary]") {
  const tests::TemporaryFolder folder;
  const tests::RecordedRun run = tests::record_run(recorded(tests::two_sided_scenario(), 2.0), folder / "hall.h5");
  std::set<std::string> names;
  for (const NamedValue& value : run.summary) {
    INFO(value.name);
    CHECK(names.insert(value.name).second);
    CHECK(value.long_name.size() > 5);
    if (!std::holds_alternative<double>(value.value)) continue;
    if (value.unit != "1") CHECK(to_si(1.0, value.unit, value.unit == "K" ? "delta_K" : value.unit) == 1.0);
  }
  for (const char* name : {"node_energy",
                           "it_energy",
                           "cooling_energy",
                           "electrical_loss_energy",
                           "facility_energy",
                           "rejected_energy",
                           "stored_energy",
                           "energy_residual",
                           "pue",
                           "mean_node_power",
                           "peak_node_power",
                           "peak_facility_power",
                           "peak_die_temperature",
                           "peak_die_gpu",
                           "peak_die_time",
                           "lowest_supply_temperature",
                           "highest_supply_temperature",
                           "largest_supply_error",
                           "highest_return_temperature",
                           "highest_room_temperature",
                           "highest_loading",
                           "highest_loading_of",
                           "first_throttle_time",
                           "throttled_gpu_time",
                           "capped_gpu_time",
                           "most_throttled_gpus",
                           "simulated_time",
                           "wall_time",
                           "lowest_state_of_charge",
                           "highest_generator_loading"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
}
