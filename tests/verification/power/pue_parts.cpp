// PUE [iso_30134_2] by part: each part that the summary states, from meters inside the integration, against the sum over
// the recorded power of the equipment that makes it up, each value held until the next record. The two have nothing in
// common but the plant.

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/records/recorded_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Sum over time of a column, over all items whose names begin with `prefix`; every value holds until the next.
double held_sum(const ResultsReader& results, const std::string& group, const std::string& column,
                const std::string& prefix = {}) {
  const std::vector<double> times_s = results.times_s(group);
  const std::vector<std::string> items = results.table(group).items;
  double sum = 0.0;
  for (std::size_t item = 0; item < std::max<std::size_t>(items.size(), 1); ++item) {
    if (!items.empty() && !items[item].starts_with(prefix)) continue;
    const std::vector<float> values = results.series(group, column, item);
    for (std::size_t k = 0; k + 1 < times_s.size(); ++k) sum += values[k] * (times_s[k + 1] - times_s[k]);
  }
  return sum;
}

Scenario recorded_hall(double interval_s) {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 120.0;
  scenario.cooling.doors.front().door.fan_power_w = 1000.0;
  scenario.record = {
      .facility_s = interval_s, .racks_s = interval_s, .gpus_s = 60.0, .gpu_fields = {"die_temperature"}};
  return scenario;
}

void check_parts(const ResultsReader& results) {
  const auto summary = [&](const std::string& name) {
    const std::optional<double> value = results.summary_number(name);
    INFO(name);
    REQUIRE(value.has_value());
    return *value;
  };
  const double fabric_j = held_sum(results, "network", "power");
  const double it_j = held_sum(results, "racks", "it_power") + fabric_j;
  const std::map<std::string, double> parts_j{
      {"node", it_j - fabric_j},
      {"fabric", fabric_j},
      {"cdu_pump", held_sum(results, "pumps", "power", "cdu_")},
      {"facility_pump", held_sum(results, "pumps", "power", "facility.")},
      {"chilled_water_pump", held_sum(results, "pumps", "power", "chilled_water.")},
      {"tower", held_sum(results, "towers", "power")},
      {"chiller", held_sum(results, "chillers", "power") + held_sum(results, "chillers", "pump_power")},
      {"crah", held_sum(results, "crahs", "power")},
      {"rear_door_fan", 10 * 1000.0 * 120.0},  // ten doors, all at their design flow, on UPS all the time
      {"transformer_loss", held_sum(results, "feeders", "loss", "transformer_")},
      {"pdu_loss", held_sum(results, "feeders", "loss", "pdu_")},
      {"ups_loss", held_sum(results, "ups", "loss")},
      {"battery", -held_sum(results, "ups", "battery_power")},
  };
  const bool is_on_battery = parts_j.at("battery") < -1e-6 * it_j;  // then there is no PUE, and no part of batteries
  double sum_ratio = 0.0;
  for (const auto& [name, energy_j] : parts_j) {
    INFO(name << ": recorded " << energy_j << " J");
    CHECK(summary(name + "_energy") == Approx(energy_j).epsilon(1e-3).margin(1e-6 * it_j));
    if (name == "battery" && is_on_battery) {
      CHECK(std::isnan(summary("pue_battery")));
      sum_ratio += summary("battery_energy") / summary("it_energy");
      continue;
    }
    CHECK(summary("pue_" + name) == Approx(energy_j / it_j).epsilon(1e-3).margin(1e-6));
    sum_ratio += summary("pue_" + name);
  }
  CHECK(sum_ratio == Approx(summary("facility_energy") / summary("it_energy")).epsilon(1e-7));
  CHECK(sum_ratio == Approx(held_sum(results, "facility", "power") / it_j).epsilon(1e-3));
  CHECK((is_on_battery ? std::isnan(summary("pue")) : summary("pue") == Approx(sum_ratio).epsilon(1e-7)));
  CHECK(summary("it_energy") == Approx(it_j).epsilon(1e-3));
  CHECK(summary("water_use") * 998.0 == Approx(held_sum(results, "facility", "water_flow")).epsilon(1e-3));
}

}  // namespace

TEST_CASE("each part of PUE is what the recorded loads of its equipment sum to", "[pue][hall]") {
  const tests::TemporaryFolder folder;
  SECTION("undisturbed") {
    const auto integrator = GENERATE(tests::RunWith::monolithic, tests::RunWith::multirate);
    tests::record_run(recorded_hall(1.0), folder / "hall.h5", integrator);
    const ResultsReader results(folder / "hall.h5");
    check_parts(results);
    CHECK(*results.summary_number("pue_battery") == Approx(0.0).margin(1e-12));
  }
  SECTION("the feed is gone for 10 s: batteries give and take, towers and chillers stop and start") {
    Scenario scenario = recorded_hall(0.05);  // what rises from zero while held is low by half an interval of it
    scenario.events = {tests::event(20.0, EventSpec::Kind::open, {"utility_a"}, 10.0)};
    tests::record_run(scenario, folder / "hall.h5", GENERATE(tests::RunWith::monolithic, tests::RunWith::multirate));
    const ResultsReader results(folder / "hall.h5");
    check_parts(results);
    const std::vector<double> times_s = results.times_s("ups");
    const std::vector<float> battery_w = results.series("ups", "battery_power");
    double given_j = 0.0;
    for (std::size_t k = 0; k + 1 < times_s.size(); ++k)
      given_j += std::max(battery_w[k], 0.0f) * (times_s[k + 1] - times_s[k]);
    CHECK(given_j > 10.0 * 64 * 1600.0);
    const electrical::Ups::Params& ups = scenario.power.ups;  // full: rated output, and the loss that goes with it
    const double loss_fraction = ups.constant_loss_fraction + ups.linear_loss_fraction + ups.quadratic_loss_fraction;
    const double full_j = ups.rated_w * (1.0 + loss_fraction) * ups.battery_time_s;
    CHECK(1.0 - *results.summary_number("lowest_state_of_charge") == Approx(given_j / full_j).epsilon(1e-3));
    CHECK(*results.summary_number("battery_energy") < 0.0);  // not yet full again
    CHECK(std::isnan(*results.summary_number("pue")));
  }
}

TEST_CASE("the recorded power of the facility is the sum of its parts at every instant", "[pue][hall]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = recorded_hall(1.0);
  scenario.duration_s = 60.0;
  scenario.events = {tests::event(20.0, EventSpec::Kind::open, {"utility_a"}, 10.0)};
  tests::record_run(scenario, folder / "hall.h5");
  const ResultsReader results(folder / "hall.h5");
  const auto series = [&](const char* column) { return results.series("facility", column); };
  std::vector<double> sum_w(results.times_s("facility").size(), 0.0), cooling_w = sum_w;
  for (const char* column : {"node_power", "fabric_power", "electrical_loss"}) {
    for (std::size_t k = 0; k < sum_w.size(); ++k) sum_w[k] += series(column)[k];
  }
  for (const char* column : {"cdu_pump_power", "facility_pump_power", "tower_power", "chiller_power",
                             "chilled_water_pump_power", "crah_power", "rear_door_fan_power"}) {
    for (std::size_t k = 0; k < sum_w.size(); ++k) cooling_w[k] += series(column)[k];
  }
  const std::vector<float> power_w = series("power"), battery_w = series("battery_power"), pue = series("pue");
  for (std::size_t k = 0; k < sum_w.size(); ++k) {
    CHECK(series("cooling_power")[k] == Approx(cooling_w[k]).epsilon(1e-6));
    CHECK(power_w[k] + battery_w[k] == Approx(sum_w[k] + cooling_w[k]).epsilon(1e-6));
    CHECK(std::isnan(pue[k]) == (battery_w[k] > 0.0f));
    if (!std::isnan(pue[k])) CHECK(pue[k] == Approx(power_w[k] / series("it_power")[k]).margin(1e-6));
  }
  CHECK(std::isnan(pue[25]));  // nothing from the feeds, all from batteries
  CHECK(power_w[25] == 0.0f);
}

TEST_CASE("in a dark hall PUE is no number, and the summary says so", "[pue][hall]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = recorded_hall(1.0);
  scenario.duration_s = 30.0;
  scenario.power.ups.battery_time_s = 0.0;
  scenario.events = {tests::event(10.0, EventSpec::Kind::open, {"utility_a"})};
  const tests::RecordedRun run = tests::record_run(scenario, folder / "hall.h5");
  const ResultsReader results(folder / "hall.h5");
  const std::vector<float> pue = results.series("facility", "pue");
  CHECK(std::isfinite(pue[10]));  // the mean up to the loss
  CHECK(std::isnan(pue[11]));
  CHECK(std::isnan(pue.back()));
  CHECK(results.series("facility", "power").back() == 0.0f);
  CHECK(std::isfinite(*results.summary_number("pue")));
  CHECK(run.text.find("nan") == std::string::npos);
}

TEST_CASE("PUE of a record is the ratio of its means, also where part of it is dark", "[pue][hall]") {
  const tests::TemporaryFolder folder;
  Scenario scenario = recorded_hall(10.0);
  scenario.duration_s = 40.0;
  scenario.power.ups.battery_time_s = 0.0;
  scenario.events = {tests::event(14.0, EventSpec::Kind::open, {"utility_a"})};
  tests::record_run(scenario, folder / "hall.h5");
  const ResultsReader results(folder / "hall.h5");
  const auto series = [&](const char* name) { return results.series("facility", name); };
  const std::vector<float> pue = series("pue"), power_w = series("power"), it_w = series("it_power");
  REQUIRE(pue.size() == 5);
  CHECK(it_w[2] == Approx(0.4 * it_w[1]).epsilon(0.05));  // four seconds of ten
  for (std::size_t k = 0; k < 3; ++k) CHECK(pue[k] == Approx(power_w[k] / it_w[k]).epsilon(1e-6));
  CHECK(std::isnan(pue[3]));
}
