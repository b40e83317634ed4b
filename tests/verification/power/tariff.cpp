// What a run costs and emits, against bills made by hand.
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/verification.hpp"
#include "twin/economics/bill.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/energy_parts.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double hour_s = 3600.0, kwh_j = 3.6e6, megawatt = 1e6;

/// 0.20 on weekdays of July from 16 to 21 h, else 0.10 a kWh; 10 a kW, 5 a kW more from 22 to 6 h; 730 a month.
Tariff tariff_by_hand() {
  Tariff tariff;
  PriceHours peak{.days = PriceHours::Days::weekdays, .first_hour = 16, .end_hour = 21};
  peak.months.fill(false);
  peak.months[6] = true;
  tariff.energy = {{peak, 0.20 / kwh_j}, {{}, 0.10 / kwh_j}};
  tariff.demand = {{{}, 10.0 / 1e3}, {{.first_hour = 22, .end_hour = 6}, 5.0 / 1e3}};
  tariff.fixed_per_month = 730.0;
  return tariff;
}

void check(const std::string& quantity, double ours, double theirs) {
  CHECK_THAT(ours, Catch::Matchers::WithinRel(theirs, 1e-9));
  tests::report_verification(
      {"bill of 26 h over a Friday in July", "closed form", quantity, ours, theirs, 1e-9 * theirs, "1"});
}

/// An hour of 1 MW, the next of 2 MW, and so on, in periods of 7 min that end nowhere in particular.
void meter(Bill& bill, double hours) {
  const auto energy_until_j = [](double t_s) {
    const double whole = std::floor(t_s / hour_s), rest_s = t_s - whole * hour_s;
    const bool is_odd = std::fmod(whole, 2.0) == 1.0;
    const double pairs = std::floor(whole / 2.0);
    return megawatt * (pairs * 3.0 * hour_s + (is_odd ? hour_s + 2.0 * rest_s : rest_s));
  };
  constexpr double period_s = 420.0;
  for (double t_s = 0.0; t_s < hours * hour_s - 1.0;) {
    double end_s = std::min(t_s + period_s, hours * hour_s);
    const double next_hour_s = (std::floor(t_s / hour_s) + 1.0) * hour_s;
    if (end_s > next_hour_s) end_s = next_hour_s;  // the load changes there
    bill.add(t_s, end_s, energy_until_j(end_s) - energy_until_j(t_s));
    t_s = end_s;
  }
}

}  // namespace

TEST_CASE("a bill by hand: time of use, demand in its hours, months", "[verification][economics]") {
  Bill bill(tariff_by_hand(), "2026-07-17T15:00:00");  // Friday
  meter(bill, 26.0);
  // Friday 16 to 21 h: 2 + 1 + 2 + 1 + 2 = 8 MWh at 0.20; of 39 MWh the other 31 at 0.10.
  check("energy, currency", bill.energy_cost(), 8000 * 0.20 + 31000 * 0.10);
  check("demand of whole months, currency", bill.demand_cost_of_whole_months(), 2000 * 10.0 + 2000 * 5.0);
  check("demand, currency", bill.demand_cost(), (2000 * 10.0 + 2000 * 5.0) * 26.0 / (31 * 24));
  check("fixed, currency", bill.fixed_cost(), 730.0 * 26.0 / (31 * 24));
  check("peak demand, W", bill.peak_demand_w(), 2 * megawatt);
  CHECK(bill.peak_demand_at_s() == hour_s + 900.0);
}

TEST_CASE("each month has a highest demand of its own, and an interval belongs to one", "[verification][economics]") {
  Bill bill(tariff_by_hand(), "2026-07-31T22:00:00");
  bill.add(0.0, 2.0 * hour_s, 2.0 * hour_s * megawatt);                    // to midnight
  bill.add(2.0 * hour_s, 4.0 * hour_s, 2.0 * hour_s * 3.0 * megawatt);     // August
  bill.add(4.0 * hour_s, 4.0 * hour_s + 600.0, 600.0 * 100.0 * megawatt);  // no whole interval
  CHECK_THAT(bill.demand_cost_of_whole_months(), Catch::Matchers::WithinRel((1000 + 3000) * 15.0, 1e-9));
  const double august_h = 2.0 + 1.0 / 6.0;
  CHECK_THAT(bill.demand_cost(), Catch::Matchers::WithinRel(15.0 * (1000 * 2.0 + 3000 * august_h) / (31 * 24), 1e-9));
}

TEST_CASE("a demand interval that ends at midnight belongs to the month that ends there", "[verification][economics]") {
  Bill bill(tariff_by_hand(), "2026-07-31T22:00:00");
  bill.add(0.0, 6300.0, 6300.0 * megawatt);
  bill.add(6300.0, 7200.0, 900.0 * 5.0 * megawatt);  // the last quarter of July
  bill.add(7200.0, 10800.0, 3600.0 * 3.0 * megawatt);
  REQUIRE(bill.months().size() == 2);
  CHECK_THAT(bill.months()[0].peak_w, Catch::Matchers::WithinRel(5.0 * megawatt, 1e-9));
  CHECK_THAT(bill.months()[1].peak_w, Catch::Matchers::WithinRel(3.0 * megawatt, 1e-9));
  CHECK_THAT(bill.demand_cost_of_whole_months(), Catch::Matchers::WithinRel((5000 + 3000) * 15.0, 1e-9));
}

TEST_CASE("a demand interval is that of the clock, not of the run", "[verification][economics]") {
  Bill bill(tariff_by_hand(), "2026-07-17T12:10:00");
  bill.add(0.0, 300.0, 300.0 * 9.0 * megawatt);  // to 12:15: 3 MW over the quarter that began at 12:00
  bill.add(300.0, 1200.0, 900.0 * 2.0 * megawatt);
  CHECK_THAT(bill.peak_demand_w(), Catch::Matchers::WithinRel(3.0 * megawatt, 1e-9));
}

TEST_CASE("prices over midnight, and an hour that none covers", "[verification][economics]") {
  Tariff tariff = tariff_by_hand();
  CHECK(mistake(tariff).empty());
  CHECK(tariff.demand[1].hours.hold({7, 0, 23, false}));
  CHECK(tariff.demand[1].hours.hold({7, 0, 5, false}));
  CHECK_FALSE(tariff.demand[1].hours.hold({7, 0, 6, false}));
  tariff.energy[1].hours.end_hour = 23;
  CHECK(mistake(tariff) == "no energy price is valid at 23:00 on weekdays of month 1");
}

TEST_CASE("a run is billed for what its meter of feeds counts", "[verification][economics]") {
  const double price = 0.0815;
  tests::ScenarioRun run(
      "one_rack",
      {"duration=3 h", "workload={kind: constant}", "economics={tariff: flat, carbon_intensity: 0.4 kg/kWh}"},
      tests::ScenarioRun::By::multirate);
  run.to_end();
  const double feed_kwh = run.state().states[run.plant.meters.feed] / kwh_j;
  REQUIRE(run.statistics.costs);
  CHECK_THAT(run.statistics.costs->bill()->total(), Catch::Matchers::WithinRel(price * feed_kwh, 1e-9));
  CHECK_THAT(run.statistics.costs->carbon_kg(), Catch::Matchers::WithinRel(0.4 * feed_kwh, 1e-9));
}

TEST_CASE("carbon follows a file by its dates, whatever its year", "[verification][economics]") {
  const tests::TemporaryFolder folder;
  const std::string path = (folder / "grid.csv").string();
  std::ofstream(path) << "time,intensity\n2020-12-31 23:00:00+00:00,100\n2021-01-01 00:00:00+00:00,200\n"
                         "2021-01-01 01:00:00+00:00,400\n2021-01-01 02:00:00+00:00,800\n2021-01-01 03:00:00+00:00,0\n";
  tests::ScenarioRun run(
      "one_rack",
      {"start=2026-01-01T00:00:00", "duration=3 h", "workload={kind: constant}",
       fmt::format("economics={{carbon_intensity: {{follow: {{file: '{}', column: intensity, unit: g/kWh, "
                   "time: time, time_unit: date, utc_offset: 0 h}}}}}}",
                   path)},
      tests::ScenarioRun::By::multirate);
  double expected_kg = 0.0, before_kwh = 0.0;
  for (const auto& [until_h, kg_per_kwh] : {std::pair{1.0, 0.2}, {2.0, 0.4}, {3.0, 0.8}}) {
    run.until(until_h * hour_s);
    const double feed_kwh = run.state().states[run.plant.meters.feed] / kwh_j;
    expected_kg += kg_per_kwh * (feed_kwh - before_kwh);
    before_kwh = feed_kwh;
  }
  CHECK_THAT(run.statistics.costs->carbon_kg(), Catch::Matchers::WithinRel(expected_kg, 1e-9));
}

TEST_CASE("events at a time of day, on a date, and every so often", "[verification][economics]") {
  const tests::ScenarioRun run("one_rack",
                               {"start=2026-07-15T06:00:00", "duration=3 d",
                                "events=[{at: 18:00, set: loop_1.supply_temperature, by: 1 K, for: 1 h, every: 1 d}, "
                                "{at: 2026-07-15T07:30, fail: cdu_1.pump_a}, {at: 1 h, restore: cdu_1.pump_a}]"});
  std::vector<double> at_h;
  for (const EventSpec& event : run.scenario.events) at_h.push_back(event.at_s / hour_s);
  CHECK(at_h == std::vector<double>{1.0, 1.5, 12.0, 36.0, 60.0});
}
