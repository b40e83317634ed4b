// What a cluster costs beside energy: capital, lease, staff, against sums by hand; and a run by GPU time, by tokens and by failures.
//
// Capital recovery factors are those of tables of engineering economics, and the annuity pays off its price [short1995].
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/verification.hpp"
#include "twin/economics/site_costs.hpp"
#include "twin/run/figures/cost_lines.hpp"
#include "twin/run/figures/losses.hpp"
#include "twin/run/figures/summary.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0, year_s = 365.24219878125 * day_s;

void check(const std::string& quantity, double ours, double theirs, double tolerance, const std::string& source) {
  CHECK_THAT(ours, Catch::Matchers::WithinAbs(theirs, tolerance));
  tests::report_verification({"cost of a cluster beside energy", source, quantity, ours, theirs, tolerance, "1"});
}

double number(const std::vector<NamedValue>& figures, const std::string& name) {
  for (const NamedValue& figure : figures) {
    if (figure.name == name) return std::get<double>(figure.value);
  }
  FAIL("no figure " << name);
  return 0.0;
}

bool has(const std::vector<NamedValue>& figures, const std::string& name) {
  return std::ranges::any_of(figures, [&](const NamedValue& figure) { return figure.name == name; });
}

std::vector<NamedValue> summary_of(const tests::ScenarioRun& run) {
  return summarise({run.plant, run.scenario, run.simulation(), run.statistics});
}

/// 36 M of capital over 3 years are 1 M a month, with 0.4 M of lease and 0.1 M of staff; a month of 31 days.
const std::string economics =
    "economics={capital: {nodes: {price: 30e6 USD, lifetime: 3 years, maintenance: 4 %}, "
    "network: {price: 6e6 USD, lifetime: 3 years}}, lease_per_month: 400e3 USD, staff_per_month: 100e3 USD}";
constexpr double per_month = 1e6 + 30e6 * 0.04 / 12.0 + 400e3 + 100e3;

}  // namespace

TEST_CASE("capital recovery factors are those of tables, and without interest a share of the lifetime",
          "[verification][economics]") {
  check("capital recovery factor, 7 %, 5 years", capital_recovery_factor(0.07, 5.0), 0.2439, 5e-5, "short1995");
  check("capital recovery factor, 10 %, 10 years", capital_recovery_factor(0.10, 10.0), 0.1627, 5e-5, "short1995");
  CHECK(capital_recovery_factor(0.0, 3.0) == 1.0 / 3.0);
  CHECK(capital_recovery_factor(1e-9, 3.0) == Approx(1.0 / 3.0).epsilon(1e-8));
}

TEST_CASE("an annuity pays off its price with interest", "[verification][economics]") {
  const SitePrices prices{.capital = {{"nodes", 300e6, 4.0 * year_s, 0.0}}, .discount_per_year_ratio = 0.08};
  double owed = 300e6;
  for (int year = 0; year < 4; ++year) owed = owed * 1.08 - costs_of(prices, 12.0).capital;
  check("debt after the last of four payments over the price", owed / 300e6, 0.0, 1e-12, "closed form");
}

TEST_CASE("three months of a cluster of 550 M over three years cost 45.8 M of capital, and 3.6 M at 1.2 M a month",
          "[verification][economics]") {
  const SitePrices prices{.capital = {{"equipment", 520e6, 3.0 * year_s, 0.0}, {"building", 30e6, 3.0 * year_s, 0.0}},
                          .operation_per_month = 1.2e6};
  const double months = months_between(LocalClock("2026-01-01T00:00:00"), 0.0, 90.0 * day_s);
  const SiteCosts costs = costs_of(prices, months);
  check("capital of three months, million", costs.capital / 1e6, 550.0 / 36.0 * 3.0, 1e-9, "closed form");
  check("operation of three months, million", costs.operation / 1e6, 3.6, 1e-9, "closed form");
  CHECK(costs.total() / 1e6 == Approx(49.4333).epsilon(1e-5));
}

TEST_CASE("a part of a month costs its share of that month", "[verification][economics]") {
  const LocalClock clock("2028-01-31T12:00:00");
  CHECK(months_between(clock, 0.0, 0.5 * day_s) == Approx(0.5 / 31.0).epsilon(1e-12));
  CHECK(months_between(clock, 0.0, 30.0 * day_s) == Approx(0.5 / 31.0 + 1.0 + 0.5 / 31.0).epsilon(1e-12));  // leap year
  CHECK(months_between(clock, 0.0, 366.0 * day_s) == Approx(12.0).epsilon(1e-12));
  CHECK(months_between(clock, 5.0, 5.0) == 0.0);
}

TEST_CASE("a run costs its share of the month, by GPU time and by token", "[verification][economics]") {
  tests::ScenarioRun run("one_rack",
                         {"duration=30 min", "initial=steady", "workload.tokens_per_step=4194304", economics},
                         tests::ScenarioRun::By::multirate);
  run.to_end();
  const std::vector<NamedValue> figures = summary_of(run);
  const double months = 0.5 / (24.0 * 31.0), total = per_month * months;
  CHECK(number(figures, "capital_cost") == Approx(1e6 * months).epsilon(1e-9));
  CHECK(number(figures, "maintenance_cost") == Approx(100e3 * months).epsilon(1e-9));
  CHECK(number(figures, "lease_cost") == Approx(400e3 * months).epsilon(1e-9));
  CHECK(number(figures, "staff_cost") == Approx(100e3 * months).epsilon(1e-9));
  CHECK(number(figures, "total_cost") == Approx(total).epsilon(1e-9));
  CHECK(number(figures, "cost_per_gpu_time") * hour_s == Approx(total / (64.0 * 0.5)).epsilon(1e-9));
  CHECK(number(figures, "failure_cost") == 0.0);
  const double tokens = 4194304.0 * number(figures, "job_steps");
  CHECK(number(figures, "job_steps") > 100.0);
  CHECK(number(figures, "tokens") == tokens);
  CHECK(number(figures, "cost_per_million_tokens") == Approx(total / tokens * 1e6).epsilon(1e-9));
  CHECK_FALSE(has(figures, "energy_cost"));
}

TEST_CASE("failures cost the time for which all GPUs of a job stop, and of what they do again",
          "[verification][economics]") {
  tests::ScenarioRun run(
      "one_rack",
      {"duration=40 min", "initial=steady", economics, "events=[{at: 1000 s, fail: row_1.rack_1.node_3, for: 5 min}]"},
      tests::ScenarioRun::By::multirate);
  Losses losses(run.plant);
  run.to_end(&losses);
  const std::vector<NamedValue> figures = summary_of(run);
  const double stopped_s = number(figures, "job_stopped_time"), redone_s = number(figures, "job_redone_time");
  // Five minutes of failure, booting, and six minutes of restart; it goes on from the checkpoint at 900 s.
  CHECK(stopped_s >= 300.0 + 360.0);
  CHECK(redone_s > 0.0);
  const double per_gpu_h = per_month * (40.0 / 60.0) / (24.0 * 31.0) / (64.0 * 40.0 / 60.0);
  CHECK(number(figures, "failure_cost") == Approx(64.0 * (stopped_s + redone_s) / hour_s * per_gpu_h).epsilon(1e-9));
  std::map<std::string, std::string> lines;
  for (const auto& [name, words] : cost_lines({run.plant, run.scenario, run.simulation(), run.statistics}, {}))
    lines.emplace(name, words);
  CHECK(lines.at("failures") == fmt::format("{:.2f} USD: {:.1f} GPU h of stopped jobs and of lost work",
                                            number(figures, "failure_cost"), 64.0 * (stopped_s + redone_s) / hour_s));
  CHECK(lines.at("per GPU hour") == fmt::format("{:.4f} USD", per_gpu_h));
  CHECK_FALSE(has(figures, "tokens"));
  CHECK_FALSE(has(figures, "cost_per_million_tokens"));
  const std::vector<NamedValue> lost =
      loss_figures({run.plant, run.scenario, run.simulation(), run.statistics}, losses);
  CHECK(number(lost, "lost_gpu_time") >= 8.0 * 300.0);
  CHECK(number(lost, "lost_gpu_cost") == Approx(number(lost, "lost_gpu_time") / hour_s * per_gpu_h).epsilon(1e-9));
}

TEST_CASE("a month of a run costs its own share of that month, and months sum to the run",
          "[verification][economics]") {
  tests::ScenarioRun run("one_rack",
                         {"start=2026-01-31T23:40:00", "duration=30 min", "workload={kind: constant}", economics},
                         tests::ScenarioRun::By::multirate);
  run.to_end();
  const std::vector<MonthRecord> months = months_of({run.plant, run.scenario, run.simulation(), run.statistics});
  REQUIRE(months.size() == 2);
  CHECK((months[0].month == "2026-01" && months[0].begin_s == 0.0 && months[0].end_s == 1200.0));
  CHECK((months[1].month == "2026-02" && months[1].begin_s == 1200.0 && months[1].end_s == 1800.0));
  const double january = 1200.0 / (31.0 * day_s), february = 600.0 / (28.0 * day_s);
  const std::vector<NamedValue> of_run = summary_of(run);
  for (const auto& [name, price] :
       {std::pair("lease_cost", 400e3), {"staff_cost", 100e3}, {"capital_cost", 1e6}, {"maintenance_cost", 100e3}}) {
    INFO(name);
    CHECK(number(months[0].figures, name) == Approx(price * january).epsilon(1e-9));
    CHECK(number(months[1].figures, name) == Approx(price * february).epsilon(1e-9));
    CHECK(number(of_run, name) == Approx(price * (january + february)).epsilon(1e-9));
  }
}
