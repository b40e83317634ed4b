// Fans of nodes, and rooms off their set-points, in the summary of an air-cooled hall, against its tables.
#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/change.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/unit/run/summary_by_tables.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

constexpr double duration_s = 600.0;

/// The set-point of the room falls to 17 degC for two minutes, which its water does not reach, and eight nodes lose their power for one.
Scenario warm_hall() {
  Scenario scenario = read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/halls/dgx_h100_air.yaml",
                                    {"duration=10 min", "hall.racks.count=16", "hall.racks.rows=2", "initial=steady"});
  scenario.record = {.facility_s = 1.0, .racks_s = 1.0, .gpus_s = 600.0, .gpu_fields = {"die_temperature"}};
  EventSpec lower = tests::event(60.0, EventSpec::Kind::set, {"room_1.air_temperature"}, 120.0);
  lower.to_si = 290.15;
  scenario.events = {lower, tests::event(300.0, EventSpec::Kind::open, {"pdu_a_1", "pdu_b_1"}, 60.0)};
  return scenario;
}

double number(const tests::RecordedRun& run, const std::string& name) {
  for (const NamedValue& value : run.summary) {
    if (value.name == name) return std::get<double>(value.value);
  }
  FAIL("no figure " << name);
  return 0.0;
}

}  // namespace

TEST_CASE("the summary reports fans of nodes and rooms off their set-points as the tables do", "[summary][air]") {
  const tests::TemporaryFolder folder;
  const Scenario scenario = warm_hall();
  const tests::RecordedRun run =
      tests::record_run(scenario, tests::UnevenWork(), folder / "air.h5", tests::RunWith::multirate);
  const tests::Tables tables(folder / "air.h5");
  const double mean_w = tables.integral("facility", "node_fan_power") / duration_s;
  CHECK(number(run, "mean_node_fan_power") == Approx(mean_w).epsilon(1e-6));
  CHECK(number(run, "peak_node_fan_power") == Approx(tables.highest("facility", "node_fan_power").value).epsilon(1e-6));
  const double fastest = tables.highest("racks", "fan_speed").value;
  CHECK(number(run, "highest_node_fan_speed") == Approx(fastest).epsilon(1e-6));

  // Four nodes a rack, 1.53 kW each at full speed, but where the rack draws nothing.
  const std::vector<float> it_w = tables.results().column("racks", "it_power");
  double by_speed_j = 0.0;
  std::size_t item = 0;
  tables.for_each("racks", "fan_speed", "", [&](std::size_t row, const std::string&, double speed) {
    const bool has_power = it_w[item++] > 0.0F;
    by_speed_j += row > 0 && has_power ? 4.0 * 1530.0 * speed * speed * speed : 0.0;
  });
  CHECK(by_speed_j / duration_s == Approx(mean_w).epsilon(0.01));
  CHECK(mean_w < 0.995 * 16.0 * 4.0 * 1530.0 * fastest * fastest * fastest);

  const std::vector<float> set_k = tables.results().column("rooms", "air_set_point");
  double warm_s = 0.0;
  item = 0;
  tables.for_each("rooms", "temperature", "", [&](std::size_t row, const std::string& room, double air_k) {
    const double allowed_k = static_cast<double>(set_k[item++]) + 0.5;
    if (room == "room_1" && row < static_cast<std::size_t>(duration_s)) warm_s += air_k > allowed_k ? 1.0 : 0.0;
  });
  CHECK(warm_s > 100.0);
  CHECK(warm_s < 300.0);
  CHECK(number(run, "room_1_above_set_point_time") == Approx(warm_s).margin(1.0));
  CHECK_THAT(run.text,
             Contains("their fans") && Contains(fmt::format("{:.0f} % of full speed at most", 100.0 * fastest)));
  CHECK_THAT(run.text, Contains("air of room_1 above its set-point for " +
                                format_quantity(number(run, "room_1_above_set_point_time"), "s")));
}

TEST_CASE("power of the fans of nodes follows their speeds second by second, whoever integrates", "[summary][air]") {
  const auto with = GENERATE(tests::RunWith::multirate, tests::RunWith::monolithic);
  const tests::TemporaryFolder folder;
  tests::record_run(warm_hall(), tests::UnevenWork(), folder / "air.h5", with);
  const tests::Tables tables(folder / "air.h5");
  const std::vector<float> speed = tables.results().column("racks", "fan_speed");
  const std::vector<float> it_w = tables.results().column("racks", "it_power");
  constexpr std::size_t racks = 16;
  std::size_t compared = 0;
  double slowest_w = 1e9, fastest_w = 0.0;
  tables.for_each("facility", "node_fan_power", "", [&](std::size_t row, const std::string&, double fans_w) {
    if (row == 0) return;
    double by_speed_w = 0.0;
    bool is_steady = true;  // no rack gets or loses its power
    for (std::size_t rack = 0; rack < racks; ++rack) {
      const std::size_t before = (row - 1) * racks + rack;  // a second's power is by the speed at its begin
      const double fraction = static_cast<double>(speed[before]);
      is_steady = is_steady && (it_w[before] > 0.0F) == (it_w[before + racks] > 0.0F);
      by_speed_w += it_w[before] > 0.0F ? 4.0 * 1530.0 * fraction * fraction * fraction : 0.0;
    }
    if (!is_steady) return;
    INFO("second " << row);
    CHECK(fans_w == Approx(by_speed_w).epsilon(1e-4));
    slowest_w = std::min(slowest_w, fans_w);
    fastest_w = std::max(fastest_w, fans_w);
    ++compared;
  });
  CHECK(compared > 590);
  CHECK(fastest_w > 1.05 * slowest_w);
}
