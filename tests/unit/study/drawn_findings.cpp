// What draws say of figures and limits: percentiles and their intervals against published and closed values, in text, JSON and HDF5.
#include "twin/study/tables/drawn_findings.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/report/study/study_page.hpp"
#include "twin/study/draws/confidence.hpp"
#include "twin/study/draws/distribution.hpp"
#include "twin/study/draws/samples.hpp"
#include "twin/study/tables/study_report.hpp"
#include "twin/study/tables/study_table_reader.hpp"

using namespace wattloop::twin;
using Catch::Matchers::Contains;
using wattloop::tests::TemporaryFolder;
using Kind = TableColumn::Kind;

namespace {

std::vector<double> first_numbers(int count) {
  std::vector<double> values;
  for (int k = 1; k <= count; ++k) values.push_back(k);
  return values;
}

/// Draws x of a normal distribution 40 +- 2 degC; die = 3 x + 20 in one stratum each; the last `failed` of them have no answer.
StudyTable drawn_table(std::size_t runs, std::size_t failed = 0) {
  StudyTable table{.title = "draws",
                   .runs = runs,
                   .columns = {{"x", "degC", "x", Kind::number, true},
                               {"die", "degC", "a die", Kind::number, false},
                               {"die <= 146 degC", "", "", Kind::verdict, false}},
                   .is_drawn = true};
  const Distribution normal{.kind = Distribution::Kind::normal, .middle = 40.0, .spread = 2.0};
  const std::vector<double> shares = stratified_samples(runs, 1, 0);
  for (std::size_t k = 0; k < runs; ++k) {
    const double x = normal.quantile(shares[k]), die = 3.0 * x + 20.0;
    const bool is_failed = k + failed >= runs;
    table.rows.push_back({.run = k + 1,
                          .exit_code = is_failed ? 2 : 0,
                          .cells = {fmt::format("{}", x), is_failed ? "" : fmt::format("{}", die),
                                    is_failed      ? ""
                                    : die <= 146.0 ? "held"
                                                   : "violated"}});
  }
  return table;
}

}  // namespace

TEST_CASE("percentiles lie between order statistics as number 7 of Hyndman and Fan has them", "[study][drawn]") {
  const std::vector<double> values = first_numbers(101);
  CHECK(percentile(values, 0.05).value == Approx(6.0));
  CHECK(percentile(values, 0.50).value == Approx(51.0));
  CHECK(percentile(values, 0.95).value == Approx(96.0));
  const std::vector<double> ten = first_numbers(10);
  CHECK(percentile(ten, 0.25).value == Approx(3.25));  // 1 + 9 x 0.25
  CHECK(percentile(std::vector{7.0}, 0.95).value == 7.0);
}

TEST_CASE("the interval of a median is that of tables of order statistics", "[study][drawn]") {
  // Of 20 values the sixth and the fifteenth hold the median with 95.86 %, of 20 with at least 90 % the sixth and 15th, too; of 10 the
  // second and the ninth with 97.85 % (Conover, Practical Nonparametric Statistics, table A3).
  const Estimate of_20 = percentile(first_numbers(20), 0.5), of_10 = percentile(first_numbers(10), 0.5);
  CHECK(of_20.low == 6.0);
  CHECK(of_20.high == 15.0);
  CHECK(of_10.low == 2.0);
  CHECK(of_10.high == 9.0);
}

TEST_CASE("fewer than 59 values leave the end of a 95th percentile open", "[study][drawn]") {
  CHECK(draws_needed(0.95) == 59);  // 0.95^59 = 0.0485, the first below 5 %
  CHECK(draws_needed(0.05) == 59);
  CHECK(std::isinf(percentile(first_numbers(58), 0.95).high));
  CHECK(percentile(first_numbers(59), 0.95).high == 59.0);
  CHECK(std::isinf(percentile(first_numbers(58), 0.05).low));
  CHECK(percentile(first_numbers(59), 0.05).low == 1.0);
}

TEST_CASE("intervals of percentiles hold the truth as often as they say", "[study][drawn]") {
  constexpr int cases = 2000;
  int held_low = 0, held_median = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    std::vector<double> values = random_samples(100, seed, 3);  // even from 0 to 1: a percentile is its share
    std::ranges::sort(values);
    const Estimate low = percentile(values, 0.05), median = percentile(values, 0.5);
    held_low += low.low <= 0.05 && 0.05 <= low.high ? 1 : 0;
    held_median += median.low <= 0.5 && 0.5 <= median.high ? 1 : 0;
  }
  // At least 90 %, less two standard errors of 0.67 %; not much more, since counts come in whole numbers.
  CHECK(held_low / double{cases} > 0.886);
  CHECK(held_low / double{cases} < 0.98);
  CHECK(held_median / double{cases} > 0.886);
  CHECK(held_median / double{cases} < 0.95);
}

TEST_CASE("the interval of a share is that of Clopper and Pearson", "[study][drawn]") {
  const Estimate none = share_of_draws(0, 200), some = share_of_draws(3, 20), all = share_of_draws(10, 10);
  CHECK(none.low == 0.0);
  CHECK(none.high == Approx(1.0 - std::pow(0.05, 1.0 / 200.0)).epsilon(1e-9));  // closed form
  CHECK(all.low == Approx(std::pow(0.05, 0.1)).epsilon(1e-9));
  CHECK(all.high == 1.0);
  CHECK(some.value == Approx(0.15));
  CHECK(some.low == Approx(0.0422).margin(5e-5));  // 90 % interval of 3 of 20
  CHECK(some.high == Approx(0.3437).margin(5e-5));
  // At its ends as few, or as many, come with 5 % each.
  const double p = some.high, q = 1.0 - p;
  CHECK(std::pow(q, 20) + 20 * p * std::pow(q, 19) + 190 * p * p * std::pow(q, 18) +
            1140 * p * p * p * std::pow(q, 17) ==
        Approx(0.05).epsilon(1e-6));
}

TEST_CASE("the band of a linear figure of a normal parameter is mean -+ 1.645 deviations", "[study][drawn]") {
  const StudyTable table = drawn_table(1000);
  const DrawnFindings found = drawn_findings(table).value();
  REQUIRE(found.bands.size() == 1);
  const FigureBand& die = found.bands[0];
  CHECK(die.count == 1000);
  CHECK(die.median.value == Approx(140.0).margin(0.03));  // strata of a thousandth
  CHECK(die.low.value == Approx(140.0 - 6.0 * 1.6448536).margin(0.06));
  CHECK(die.high.value == Approx(140.0 + 6.0 * 1.6448536).margin(0.06));
  CHECK(die.high.low < 140.0 + 6.0 * 1.6448536);
  CHECK(die.high.high > 140.0 + 6.0 * 1.6448536);
  REQUIRE(found.chances.size() == 1);
  CHECK(found.chances[0].share.value == Approx(0.158655).margin(1.5e-3));  // beyond one deviation
  CHECK(drawn_caveats(found).empty());
}

TEST_CASE("draws without an answer and too few draws are reported", "[study][drawn]") {
  const StudyTable table = drawn_table(50, 3);
  const DrawnFindings found = drawn_findings(table).value();
  CHECK(found.bands[0].count == 47);
  const std::string text = drawn_text(table, found);
  CHECK_THAT(text, Contains("3 of 50 draws have no answer"));
  CHECK_THAT(text, Contains("47 draws are too few"));
  CHECK_THAT(text, Contains("open.."));
  const auto json = nlohmann::json::parse(drawn_json(table, found));
  CHECK(json["figures"]["die"]["percentile_95"]["high"].is_null());
  CHECK(json["figures"]["die"]["median"]["value"].get<double>() == found.bands[0].median.value);
}

TEST_CASE("tables of studies without distributions have no bands", "[study][drawn]") {
  StudyTable table = drawn_table(100);
  table.is_drawn = false;
  CHECK_FALSE(drawn_findings(table).has_value());
  CHECK_THAT(findings_text(table, find_in(table)), !Contains("5 % below"));
  CHECK_THAT(study_page(table, "t"), !Contains("How likely"));
}

TEST_CASE("bands are the same in text, JSON, page and the table that is read back", "[study][drawn]") {
  const TemporaryFolder folder;
  const StudyTable table = drawn_table(200);
  const DrawnFindings found = drawn_findings(table).value();
  write_hdf5(table, folder / "study.h5");
  const StudyTable again = read_study_table(folder / "study.h5");
  CHECK(again.is_drawn);
  CHECK(findings_text(again, find_in(again)) == findings_text(table, find_in(table)));
  const Hdf5Reader file(folder / "study.h5");
  const std::vector<double> written = file.read<double>("percentiles/die");
  REQUIRE(written.size() == 3);
  CHECK(written[0] == found.bands[0].low.value);
  CHECK(written[2] == found.bands[0].high.value);
  CHECK(file.read<double>("percentiles/die_high").at(1) == found.bands[0].median.high);
  CHECK(file.read<double>("limit_shares/violating").at(0) == found.chances[0].share.value);
  const BandText shown(found.bands[0]);
  const std::string high = shown.number(found.bands[0].high.value);
  CHECK_THAT(findings_text(table, find_in(table)), Contains(high));
  CHECK_THAT(study_page(table, "t"), Contains("How likely") && Contains(high) && Contains("<svg"));
}
