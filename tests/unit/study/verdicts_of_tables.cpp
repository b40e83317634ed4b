// Verdicts and figures that tools give of tables: bounds of a guideline by hour and by month, what an audit ranks first, medians, what came
// first, and the front of two figures. Tables are made up; no two numbers are equal.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "twin/calibration/fit_uncertainty.hpp"
#include "twin/calibration/guideline.hpp"
#include "twin/commands/studies/pareto_report.hpp"
#include "twin/report/study/study_page.hpp"
#include "twin/search/audit_findings.hpp"
#include "twin/study/tables/study_report.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Column = TableColumn::Kind;

namespace {

/// One after the other, each so long; `apart`: by how much the model is above what was measured.
std::vector<OverlayInterval> intervals_of(double long_s,
                                          const std::vector<std::pair<double, double>>& measured_and_apart) {
  std::vector<OverlayInterval> intervals;
  for (const auto& [measured, apart] : measured_and_apart) {
    const double begin_s = long_s * static_cast<double>(intervals.size());
    intervals.push_back({begin_s, begin_s + long_s, measured, measured + apart});
  }
  return intervals;
}

const GuidelineVerdict* verdict_of(const std::vector<GuidelineVerdict>& verdicts, const std::string& values) {
  const auto found = std::ranges::find(verdicts, values, &GuidelineVerdict::values);
  return found == verdicts.end() ? nullptr : &*found;
}

StudyTable table_of(std::vector<TableColumn> columns, const std::vector<std::vector<std::string>>& cells) {
  StudyTable table{.title = "made up", .runs = cells.size(), .columns = std::move(columns)};
  for (const std::vector<std::string>& row : cells) table.rows.push_back({.run = table.rows.size() + 1, .cells = row});
  return table;
}

}  // namespace

TEST_CASE("hourly scores are of whole hours of the clock, each with the intervals that end in it", "[guideline]") {
  // Two hours in quarters: 100 W and 200 W in the mean; the model is 4 W and 12 W above it.
  const auto quarters =
      intervals_of(900.0, {{70, 1}, {90, 3}, {110, 5}, {130, 7}, {170, 9}, {190, 11}, {210, 13}, {230, 15}});
  const std::vector<GuidelineVerdict> verdicts = guideline_verdicts(quarters, "2026-01-01T00:00:00");
  const GuidelineVerdict* hourly = verdict_of(verdicts, "hourly");
  REQUIRE(hourly != nullptr);
  CHECK(hourly->score.points == 2);
  CHECK(hourly->score.rmse == Approx(std::sqrt(4.0 * 4.0 + 12.0 * 12.0)));  // n - 1 is 1
  CHECK(hourly->score.cv_rmse_ratio == Approx(std::sqrt(160.0) / 150.0));
  CHECK(hourly->score.nmbe_ratio == Approx(-16.0 / 150.0));
  const GuidelineVerdict* quarterly = verdict_of(verdicts, "of 15 min");
  REQUIRE(quarterly != nullptr);
  CHECK(quarterly->score.points == 8);
  CHECK((quarterly->most_cv_rmse_ratio == 0.30 && quarterly->most_nmbe_ratio == 0.10));
}

TEST_CASE("monthly scores are of calendar months, and have bounds of their own", "[guideline]") {
  std::vector<std::pair<double, double>> days;
  for (int day = 0; day < 31; ++day) days.emplace_back(100.0, 6.0);
  for (int day = 0; day < 28; ++day) days.emplace_back(200.0, -2.0);
  const std::vector<GuidelineVerdict> verdicts = guideline_verdicts(intervals_of(86400.0, days), "2026-01-01T00:00:00");
  const GuidelineVerdict* monthly = verdict_of(verdicts, "monthly");
  REQUIRE(monthly != nullptr);
  CHECK(monthly->score.points == 2);
  CHECK(monthly->score.rmse == Approx(std::sqrt(36.0 + 4.0)));
  CHECK(monthly->score.nmbe_ratio == Approx(-4.0 / 150.0));
  CHECK((monthly->most_cv_rmse_ratio == 0.15 && monthly->most_nmbe_ratio == 0.05));
  CHECK(monthly->holds());
  CHECK(verdict_of(verdicts, "hourly") == nullptr);
}

TEST_CASE("a guideline is held at its bounds and no more beyond either of them", "[guideline]") {
  const auto is_held = [](double cv, double nmbe) {
    return GuidelineVerdict{"hourly", {2, cv, nmbe, 1.0, {}}, 0.30, 0.10}.holds();
  };
  CHECK(is_held(0.30, 0.10));
  CHECK(is_held(0.30, -0.10));
  CHECK_FALSE(is_held(0.3001, 0.0));
  CHECK_FALSE(is_held(0.1, 0.1001));
  CHECK_FALSE(is_held(0.1, -0.1001));
  CHECK_FALSE(is_held(std::nan(""), std::nan("")));
}

TEST_CASE("an audit ranks what loses most GPU hours first, of equal ones what is sooner", "[audit]") {
  AuditPlan audit{.parts = {"cdu_1", "cdu_2", "ups_a", "ups_b"}};
  audit.cases = {{AuditCase::Kind::failed, 0, 4},
                 {AuditCase::Kind::failed, 1, 4},
                 {AuditCase::Kind::failed, 2, 4},
                 {AuditCase::Kind::failed, 3, 4}};
  for (const char* text : {"first_loss", "first_limit"}) audit.plan.kept.push_back({.name = text, .is_text = true});
  for (const char* number : {"first_loss_time", "first_limit_time", "lost_gpu_time", "mean_node_power"})
    audit.plan.kept.push_back({.name = number});
  const std::vector<StudyRow> rows{{1, 0, {"a dark", "", "100", "", "7200", "1e6"}, ""},
                                   {2, 0, {"b dark", "", "90", "", "36000", "1e6"}, ""},
                                   {3, 0, {"", "c hot", "", "80", "0", "1e6"}, ""},
                                   {4, 0, {"d dark", "", "95", "", "7200", "1e6"}, ""}};
  const AuditFindings found = audit_findings(audit, rows);
  std::vector<std::size_t> runs;
  for (const AuditFinding& one : found.costly) runs.push_back(one.run);
  CHECK(runs == std::vector<std::size_t>{2, 4, 1, 3});
  CHECK(found.costly[0].after_s == 30.0);
  CHECK(found.costly[3].after_s == 20.0);
  CHECK(found.cut_sets == std::vector<std::vector<std::string>>{{"cdu_1"}, {"cdu_2"}, {"ups_b"}});
}

TEST_CASE("the median of an even number of runs is the mean of the two in the middle", "[study]") {
  const std::vector<TableColumn> columns{{"die", "degC", "die", Column::number, false}};
  const FigureSpread even = find_in(table_of(columns, {{"70"}, {"40"}, {"64"}, {"50"}})).spreads.at(0),
                     odd = find_in(table_of(columns, {{"70"}, {"40"}, {"64"}})).spreads.at(0);
  CHECK(even.median == 57.0);
  CHECK((even.least == 40.0 && even.least_run == 2 && even.most == 70.0 && even.most_run == 1));
  CHECK(odd.median == 64.0);
}

TEST_CASE("the time to act is that of the run in which it came first", "[study_page]") {
  const StudyTable table =
      table_of({{"part", "", "part", Column::text, true}, {"first_throttle_time", "s", "t", Column::number, false}},
               {{"cdu_1", "90"}, {"cdu_2", "45"}, {"cdu_3", ""}, {"cdu_4", "120"}});
  CHECK_THAT(study_page(table, "losses"),
             Contains("<li>earliest first_throttle_time: 45 s, run 2 (part = cdu_2)</li>"));
}

TEST_CASE("figures of a front stand below their own heads", "[study][pareto]") {
  const StudyTable table = table_of({{"supply", "degC", "s", Column::number, true},
                                     {"pue", "1", "p", Column::number, false},
                                     {"margin", "K", "m", Column::number, false}},
                                    {{"30", "1.3", "9"}, {"35", "1.2", "4"}, {"40", "1.25", "3"}});
  const std::vector<ParetoFigure> figures = pareto_figures("pue,max:margin", table.columns);
  const std::string text = front_text(front_of(table, figures), figures);
  CHECK_THAT(text, Contains("2 of 3 runs are on the front of pue and margin"));
  const std::size_t head = text.find("pue", text.find('\n', 1)), second = text.find("margin, K", head);
  REQUIRE((head != std::string::npos && second != std::string::npos));
  const std::string row = text.substr(text.find("run 2: supply = 35 degC"));
  CHECK(row.find("1.2") < row.find(" 4\n"));
  CHECK(row.find(" 4\n") != std::string::npos);
}

TEST_CASE("a parameter is not identifiable where both ends of its interval are beyond its bounds, not one",
          "[calibration]") {
  // y = a x with residuals of 0.1 in turn: the interval is narrow; a range that ends just above the value cuts it on one side.
  FittedSeries series{.interval_s = 60.0, .scale = 1.0};
  series.slopes.emplace_back();
  for (int k = 0; k < 40; ++k) {
    series.times_s.push_back(60.0 * (k + 1));
    series.residuals.push_back(k % 4 < 2 ? 0.1 : -0.1);
    series.slopes[0].push_back(1.0);
  }
  const auto kind = [&](double lower, double upper) {
    const FitUncertainty found =
        uncertainty_of(std::vector{series}, std::vector<ParameterRange>{{5.0, lower, upper}}, 0.9);
    return found.parameters.at(0).kind;
  };
  CHECK(kind(0.0, 10.0) == KnownParameter::Kind::estimated);
  CHECK(kind(0.0, 5.005) == KnownParameter::Kind::estimated);
  CHECK(kind(4.995, 10.0) == KnownParameter::Kind::estimated);
  CHECK(kind(4.995, 5.005) == KnownParameter::Kind::too_wide);
}
