// Limits on figures of the summary: what is read of them, which mistakes are reported, and what is said of a figure afterwards.
#include "twin/run/figures/kpi_limit.hpp"

#include <cmath>

#include "tests/support/catch.hpp"
#include "twin/run/figures/verdict.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Relation = KpiLimit::Relation;

namespace {

const double no_number = std::nan("");

/// Figures as a summary has them.
const std::vector<NamedValue> figures{
    {"peak_die_temperature", 60.0 + 273.15, "K", "hottest die of the run"},
    {"smallest_throttle_margin", 27.0, "delta_K", "below throttling"},
    {"peak_die_gpu", std::string("row_1.rack_1.node_1.gpu_7"), "", "GPU of the hottest die"},
    {"pue", 1.1247, "1", "facility over IT energy"},
    {"highest_ups_loading", 0.95, "1", "load over rating"},
    {"trips", std::int64_t{2}, "", "parts that an overload switched off"},
    {"peak_facility_power", 11.26e6, "W", "highest power"},
    {"it_energy", 3.6e6 * 50.0, "J", "energy"},
    {"wue", 1.58e-3 / 3.6e6, "m3/J", "water"},
    {"first_throttle_time", no_number, "s", "first GPU below full clock", "no GPU throttled"},
    {"peak_die_time", 5400.0, "s", "when it was hottest"},
};

KpiLimit read(const std::string& text) {
  Problems problems;
  const std::vector<KpiLimit> limits = read_limits(std::vector{text}, figures, problems);
  for (const Problem& problem : problems.all()) FAIL(format_problem(problem));
  REQUIRE(limits.size() == 1);
  return limits.front();
}

/// The message and the hint of the one mistake.
std::string mistake(const std::string& text) {
  Problems problems;
  CHECK(read_limits(std::vector{text}, figures, problems).empty());
  REQUIRE(problems.size() == 1);
  CHECK(problems.all()[0].place.file == "--limit '" + text + "'");
  return problems.all()[0].message + "; " + problems.all()[0].hint;
}

Verdict verdict_of(const std::string& text) {
  const std::vector<Verdict> verdicts = judge(std::vector{read(text)}, figures);
  REQUIRE(verdicts.size() == 1);
  return verdicts.front();
}

std::string line_of(const std::string& text) { return verdicts_text(std::vector{verdict_of(text)}); }

}  // namespace

TEST_CASE("a limit has a figure, a relation and a bound in the unit of the figure", "[limit]") {
  const KpiLimit hottest = read("peak_die_temperature <= 80 degC");
  CHECK(hottest.name == "peak_die_temperature");
  CHECK(hottest.relation == Relation::at_most);
  CHECK(hottest.bound == Approx(353.15));
  CHECK(hottest.text == "peak_die_temperature <= 80 degC");
  CHECK(read(" peak_die_temperature<176degF ").bound == Approx(353.15));
  CHECK(read("peak_die_temperature<176 degF").relation == Relation::below);
  CHECK(read("smallest_throttle_margin >= 5 K").bound == 5.0);
  CHECK(read("smallest_throttle_margin >= 5 K").relation == Relation::at_least);
  CHECK(read("pue>1.2").bound == 1.2);
  CHECK(read("pue>1.2").relation == Relation::above);
  CHECK(read("highest_ups_loading <= 90 %").bound == Approx(0.9));
  CHECK(read("trips <= 0").bound == 0.0);
  CHECK(read("peak_facility_power <= 11.5 MW").bound == Approx(11.5e6));
  CHECK(read("it_energy < 60 kWh").bound == Approx(60 * 3.6e6));
  CHECK(read("peak_die_time >= 1 h 30 min").bound == 5400.0);
  CHECK(read("smallest_throttle_margin >= -2 K").bound == -2.0);
}

TEST_CASE("mistakes in limits are reported with what would be right", "[limit]") {
  CHECK(mistake("pux <= 1.2") == "the summary of this hall has no 'pux'; did you mean 'pue'?");
  CHECK_THAT(mistake("peak_dy_temperature <= 80 degC"), Contains("did you mean 'peak_die_temperature'?"));
  CHECK_THAT(mistake("nothing_like_it <= 1"), Contains("--json prints all names"));
  CHECK_THAT(mistake("peak_die_gpu <= 3"), Contains("'peak_die_gpu' is a text, not a number"));
  for (const char* text : {"pue", "pue 1.2", "pue = 1.2", "pue == 1.2", "pue =< 1.2", "<= 1.2", "", "1 < pue < 2"})
    CHECK_THAT(mistake(text), Contains("expected KPI <= VALUE UNIT"));
  CHECK_THAT(mistake("peak_die_temperature <= 80"), Contains("'80' has no unit, expected degC"));
  CHECK_THAT(mistake("peak_die_temperature <= 80 W"), Contains("'80 W' is in W, expected degC"));
  CHECK_THAT(mistake("peak_die_temperature <="), Contains("no value, expected degC"));
  CHECK_THAT(mistake("peak_die_temperature <= warm"), Contains("is no number with a unit"));
  CHECK_THAT(mistake("smallest_throttle_margin >= 5 degC"), Contains("is a temperature") && Contains("write '5 K'"));
  CHECK_THAT(mistake("peak_die_temperature <= 5 delta_degC"), Contains("5 delta_degC"));
  CHECK_THAT(mistake("pue <= 1.2 W"), Contains("expected a ratio"));
  CHECK_THAT(mistake("trips <= 5 %"), Contains("expected a count"));
  CHECK_THAT(mistake("pue <= nan"), Contains("pue:"));
}

TEST_CASE("all mistakes are reported, and good limits are kept beside them", "[limit]") {
  Problems problems;
  const std::vector<std::string> texts{"pux <= 1", "trips <= 0", "pue 1", "pue <= 1 W"};
  CHECK(read_limits(texts, figures, problems).size() == 1);
  CHECK(problems.size() == 3);
}

TEST_CASE("a figure at its bound holds <= and >=, and violates < and >", "[limit]") {
  CHECK(verdict_of("smallest_throttle_margin <= 27 K").is_met);
  CHECK(verdict_of("smallest_throttle_margin >= 27 K").is_met);
  CHECK_FALSE(verdict_of("smallest_throttle_margin < 27 K").is_met);
  CHECK_FALSE(verdict_of("smallest_throttle_margin > 27 K").is_met);
  CHECK(verdict_of("trips <= 2").is_met);
  CHECK_FALSE(verdict_of("trips < 2").is_met);
}

TEST_CASE("verdicts say in the unit of the limit by how much it is met or violated", "[limit]") {
  CHECK(line_of("peak_die_temperature <= 80 degC") ==
        "\nVerdicts\n  peak_die_temperature <= 80 degC       60 degC  held, 20 K left\n");
  CHECK_THAT(line_of("peak_die_temperature <= 122 degF"), Contains("140 degF  VIOLATED by 18 degF\n"));
  CHECK_THAT(line_of("smallest_throttle_margin >= 30 K"), Contains("27 K  VIOLATED by 3 K\n"));
  CHECK_THAT(line_of("highest_ups_loading <= 90 %"), Contains("95 %  VIOLATED by 5 %\n"));
  CHECK_THAT(line_of("pue >= 1"), Contains("1.125  held, 0.1247 left\n"));
  CHECK_THAT(line_of("trips <= 0"), Contains(" 2  VIOLATED by 2\n"));
  CHECK_THAT(line_of("peak_facility_power <= 11.5 MW"), Contains("11.26 MW  held, 0.24 MW left\n"));
  CHECK_THAT(line_of("it_energy < 60 kWh"), Contains("50 kWh  held, 10 kWh left\n"));
  CHECK_THAT(line_of("wue <= 1.5 L/kWh"), Contains("1.58 L/kWh  VIOLATED by 0.08 L/kWh\n"));
  CHECK_THAT(line_of("peak_die_time >= 2 h"), Contains("1 h 30 min  VIOLATED by 30 min\n"));
  CHECK(verdict_of("smallest_throttle_margin >= 30 K").margin() == Approx(-3.0));
  CHECK(verdict_of("pue <= 1.2").margin() == Approx(0.0753));
  CHECK(verdicts_text({}).empty());
}

TEST_CASE("a figure that is not a number holds no limit, and the reason is reported", "[limit]") {
  for (const char* text : {"first_throttle_time >= 10 min", "first_throttle_time <= 10 min"}) {
    const Verdict verdict = verdict_of(text);
    CHECK_FALSE(verdict.is_met);
    CHECK_FALSE(verdict.can_be_judged());
    CHECK(is_any_violated(std::vector{verdict_of("pue <= 2"), verdict}));
    CHECK_THAT(line_of(text), Contains("n/a  VIOLATED: cannot be judged, no GPU throttled\n"));
  }
  CHECK_FALSE(is_any_violated(std::vector{verdict_of("pue <= 2")}));
  CHECK_FALSE(is_any_violated({}));
}
