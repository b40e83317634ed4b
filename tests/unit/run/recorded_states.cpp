// What is recorded of motors, of switches and of nodes that are off, against the events of the same run, second by second; and
// PUE while batteries carry.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/meters/energy_parts.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Kind = EventSpec::Kind;
using Catch::Matchers::Contains;

namespace {

Scenario recorded(Scenario scenario, double duration_s, std::vector<EventSpec> events) {
  scenario.duration_s = duration_s;
  scenario.record = {.facility_s = 1.0, .racks_s = 1.0, .gpus_s = 1.0, .gpu_fields = {"die_temperature"}};
  scenario.events = std::move(events);
  return scenario;
}

std::vector<float> series_of(const ResultsReader& results, const std::string& group, const std::string& column,
                             const std::string& item) {
  const std::vector<std::string> items = results.table(group).items;
  const auto at = std::ranges::find(items, item);
  REQUIRE(at != items.end());
  return results.series(group, column, static_cast<std::size_t>(at - items.begin()));
}

/// "0 1 2 1": the values one after the other, each once.
std::string course_of(const std::vector<float>& series) {
  std::string text;
  for (std::size_t k = 0; k < series.size(); ++k) {
    if (k == 0 || series[k] != series[k - 1]) text += (k == 0 ? "" : " ") + std::to_string(std::lround(series[k]));
  }
  return text;
}

/// When it was first that, s.
double first_s(const std::vector<float>& series, float value) {
  return static_cast<double>(std::ranges::find(series, value) - series.begin());
}

}  // namespace

TEST_CASE("GPUs that are off are recorded from the second in which their node switches off", "[states]") {
  const auto with = GENERATE(tests::RunWith::monolithic, tests::RunWith::multirate);
  const tests::TemporaryFolder folder;
  const tests::RecordedRun run = tests::record_run(
      recorded(tests::one_rack_scenario(), 120.0, {tests::event(10.0, Kind::fail, {"cdu_1"})}), folder / "x.h5", with);
  const ResultsReader results(folder / "x.h5");
  const std::vector<float> off = results.series("facility", "shut_down_gpus");
  CHECK(off == results.series("racks", "shut_down_gpus"));
  REQUIRE(off.size() == 121);
  std::vector<float> must(off.size(), 0.0f);
  for (const EventRecord& event : results.events()) {
    if (event.kind != "thermal_shutdown") continue;
    for (auto second = static_cast<std::size_t>(event.time_s); second < must.size(); ++second) must[second] += 8.0f;
  }
  CHECK(off == must);
  CHECK(off.front() == 0.0f);
  CHECK(off.back() == 64.0f);
  CHECK(results.series("facility", "throttled_gpus").back() == 0.0f);
  CHECK_THAT(run.text, Contains("shut down          off, all 64 GPUs in the end\n") &&
                           Contains("no flow            loop_1 in the end\n"));
  const std::vector<float> flow = results.series("facility", "lowest_loop_flow");
  CHECK(flow == results.series("loops", "flow"));
  CHECK(results.series("facility", "hottest_rack_inlet_temperature") ==
        results.series("racks", "inlet_air_temperature"));
}

// 64 GPUs are in the dark for 40 s and boot for 90.
TEST_CASE("GPUs of nodes without power or booting are down, and not switched off", "[states]") {
  const auto with = GENERATE(tests::RunWith::monolithic, tests::RunWith::multirate);
  const tests::TemporaryFolder folder;
  Scenario scenario = recorded(tests::one_rack_scenario(), 200.0, {tests::event(20.0, Kind::open, {"pdu_*"}, 40.0)});
  scenario.racks.front().hardware.boot_time_s = 90.0;
  tests::record_run(scenario, folder / "x.h5", with);
  const ResultsReader results(folder / "x.h5");
  const std::vector<float> down = results.series("facility", "down_gpus");
  CHECK(down == results.series("racks", "down_gpus"));
  CHECK(first_s(down, 64.0f) == 20.0);
  CHECK(course_of(down) == "0 64 0");
  CHECK(std::ranges::count(down, 64.0f) == 40 + 90);
  CHECK(course_of(results.series("facility", "shut_down_gpus")) == "0");
}

TEST_CASE("motors are off, running or failed, and turn accordingly", "[states]") {
  const tests::TemporaryFolder folder;
  tests::record_run(
      recorded(tests::one_rack_scenario(), 60.0, {tests::event(10.0, Kind::fail, {"cdu_1.pump_a"}, 20.0)}),
      folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  const std::vector<float> a = series_of(results, "motors", "state", "cdu_1.pump_a");
  const std::vector<float> b = series_of(results, "motors", "state", "cdu_1.pump_b");
  CHECK(first_s(a, 2.0f) == 10.0);
  CHECK_THAT(course_of(a), Catch::StartsWith("1 2 "));
  CHECK(a[30] != 2.0f);
  CHECK_THAT(course_of(b), !Contains("2"));
  CHECK(b[11] == 1.0f);
  const std::vector<float> speed = series_of(results, "motors", "speed", "cdu_1.pump_a");
  CHECK(speed == series_of(results, "pumps", "speed", "cdu_1.pump_a"));
  CHECK(speed[29] < 0.05f * speed[9]);
}

TEST_CASE("switches are open, closed or failed, generators stand or run from their start", "[states]") {
  const tests::TemporaryFolder folder;
  tests::record_run(
      recorded(tests::two_sided_scenario(), 130.0,
               {tests::event(5.0, Kind::fail, {"ups_b"}, 10.0),
                tests::event(20.0, Kind::open, {"utility_a", "utility_b"}, 40.0),
                tests::event(20.0, Kind::fail, {"generator_b_1"}, 70.0), tests::event(100.0, Kind::open, {"pdu_a_1"})}),
      folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  const auto state = [&](const char* name) { return series_of(results, "breakers", "state", name); };
  CHECK(course_of(state("ups_b")) == "1 2 1");
  CHECK(first_s(state("ups_b"), 2.0f) == 5.0);
  CHECK(state("ups_b")[15] == 1.0f);
  CHECK(course_of(state("utility_a")) == "1 0 1");
  CHECK(state("utility_a")[19] == 1.0f);
  CHECK(state("utility_a")[20] == 0.0f);
  CHECK(state("utility_a")[60] == 1.0f);
  CHECK(course_of(state("generator_a_1")) == "0 1 0");
  CHECK(first_s(state("generator_a_1"), 1.0f) == 20.0);  // it takes load at 30 s
  CHECK(state("generator_a_1")[119] == 1.0f);
  CHECK(state("generator_a_1")[120] == 0.0f);
  CHECK_THAT(course_of(state("generator_b_1")), Catch::StartsWith("0 2 "));
  CHECK(course_of(state("pdu_a_1")) == "1 0");
  CHECK(state("pdu_a_1")[100] == 0.0f);
}

TEST_CASE("a thousandth of all energy from batteries does not spoil PUE, more does", "[states]") {
  const Plant plant = build_plant(tests::two_sided_scenario());
  PlantState state = initial_state(plant);
  state.states[plant.meters.feed] = 1e9;
  state.states[plant.meters.energy[plant.it.node_use]] = 0.8e9;
  CHECK(mean_pue(plant, state, 0.0).ratio == Approx(1.25));
  CHECK(mean_pue(plant, state, -0.9e6).ratio == Approx(1.25));
  CHECK(mean_pue(plant, state, -0.9e6).reason.empty());
  CHECK(std::isnan(mean_pue(plant, state, -1.1e6).ratio));
}

TEST_CASE("there is no PUE while batteries carry, nor of a run in which they gave more than they took", "[states]") {
  const tests::TemporaryFolder folder;
  const auto summary_of = [](const tests::RecordedRun& run, const std::string& name) {
    return *std::ranges::find(run.summary, name, &NamedValue::name);
  };
  const tests::RecordedRun lost = tests::record_run(
      recorded(tests::two_sided_scenario(), 35.0, {tests::event(20.0, Kind::open, {"utility_a", "utility_b"})}),
      folder / "lost.h5");
  const ResultsReader results(folder / "lost.h5");
  const std::vector<float> pue = results.series("facility", "pue");
  const std::vector<float> battery_w = results.series("facility", "battery_power");
  for (std::size_t second = 0; second < pue.size(); ++second) {
    INFO(second);
    CHECK(std::isnan(pue[second]) == (battery_w[second] > 0.0f));
    CHECK(std::isnan(pue[second]) == (second > 20 && second <= 30));
    if (!std::isnan(pue[second])) CHECK(pue[second] > 1.0f);
  }
  CHECK(std::isnan(std::get<double>(summary_of(lost, "pue").value)));
  CHECK_THAT(summary_of(lost, "pue").reason, Catch::StartsWith("on battery: batteries gave "));
  CHECK(std::isnan(std::get<double>(summary_of(lost, "pue_battery").value)));
  CHECK(std::get<double>(summary_of(lost, "pue_node").value) > 0.5);
  CHECK_THAT(lost.text, Contains("n/a on battery: batteries gave ") && Contains("\n  from batteries  ") &&
                            !Contains("into batteries"));
  for (const NamedValue& value : results.summary()) {  // reasons are in the file
    if (value.name == "pue") CHECK(value.reason == summary_of(lost, "pue").reason);
    if (value.name == "wue") CHECK(value.reason.empty());
  }

  const tests::RecordedRun calm = tests::record_run(recorded(tests::two_sided_scenario(), 5.0, {}), folder / "calm.h5");
  CHECK(std::get<double>(summary_of(calm, "pue").value) > 1.0);
  CHECK(summary_of(calm, "pue").reason.empty());
  CHECK_THAT(calm.text, !Contains("batteries") && !Contains("n/a"));
}
