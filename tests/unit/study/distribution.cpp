// Quantiles of distributions against published and closed values, what a study draws of them, and mistakes at their places.
#include "twin/study/draws/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/study/plan/expander.hpp"
#include "twin/study/plan/expansion.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;
using Kind = Distribution::Kind;

namespace {

const std::string head = "base: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\nkeep: pue\n";

std::string change(const std::string& distribution, const std::string& path = "hall.cooling.loops.supply_temperature") {
  return "  x: { path: " + path + ", distribution: " + distribution + " }\n";
}

Expansion expanded(const std::string& text, Problems& problems) {
  const Study study = read_study_text(head + text, "study.yaml", problems);
  return problems.empty() ? expand(study, {}, problems) : Expansion{};
}

std::string mistakes(const std::string& distribution) {
  Problems problems;
  expanded("changes:\n" + change(distribution) + "combine: { random: { runs: 4 } }\n", problems);
  std::string all;
  for (const Problem& problem : problems.all()) all += format_problem(problem) + "\n";
  return all;
}

/// Cells of the one change of all runs, rising.
std::vector<double> draws(const std::string& distribution, const std::string& way) {
  Problems problems;
  const Expansion runs = expanded("changes:\n" + change(distribution) + "combine: " + way + "\n", problems);
  for (const Problem& problem : problems.all()) UNSCOPED_INFO(format_problem(problem));
  REQUIRE(problems.empty());
  CHECK(runs.is_drawn);
  std::vector<double> values;
  for (std::size_t run = 1; run <= runs.size(); ++run) values.push_back(std::stod(runs.run(run).cells.at(0)));
  std::ranges::sort(values);
  return values;
}

}  // namespace

TEST_CASE("quantiles of a normal distribution are those of tables", "[study][distribution]") {
  const Distribution normal{.kind = Kind::normal, .middle = 40.0, .spread = 2.0, .unit = "degC"};
  CHECK(normal.quantile(0.50) == Approx(40.0).epsilon(1e-15));
  CHECK(normal.quantile(0.95) == Approx(40.0 + 2.0 * 1.6448536269514722).epsilon(1e-14));  // Abramowitz and Stegun 26.2
  CHECK(normal.quantile(0.975) == Approx(40.0 + 2.0 * 1.9599639845400545).epsilon(1e-14));
  CHECK(normal.quantile(0.01) == Approx(40.0 - 2.0 * 2.3263478740408408).epsilon(1e-14));
  CHECK(std::isfinite(normal.quantile(0.0)));
  CHECK(std::isfinite(normal.quantile(1.0)));
}

TEST_CASE("ends take a normal distribution between them, symmetric ones keep its median", "[study][distribution]") {
  const Distribution cut{.kind = Kind::normal, .middle = 0.0, .spread = 1.0, .from = -1.0, .to = 1.0};
  CHECK(cut.quantile(0.0) == Approx(-1.0).margin(1e-9));
  CHECK(cut.quantile(1.0) == Approx(1.0).margin(1e-9));
  CHECK(cut.quantile(0.5) == Approx(0.0).margin(1e-12));
  // F(z) = (Phi(z) - 0.158655) / 0.682689; a quarter of it: Phi(z) = 0.329328, z = -0.44177055.
  CHECK(cut.quantile(0.25) == Approx(-0.4417705467).margin(1e-9));
}

TEST_CASE("half a normal distribution has its median at 0.6745 deviations", "[study][distribution]") {
  const Distribution half{.kind = Kind::normal, .middle = 10.0, .spread = 3.0, .from = 10.0};
  CHECK(half.quantile(0.5) == Approx(10.0 + 3.0 * 0.6744897501960817).epsilon(1e-12));
}

TEST_CASE("a lognormal distribution has its deviations as factors", "[study][distribution]") {
  const Distribution lognormal{.kind = Kind::lognormal, .middle = 100.0, .spread = 1.2};
  CHECK(lognormal.quantile(0.5) == Approx(100.0).epsilon(1e-12));
  CHECK(lognormal.quantile(0.8413447460685429) == Approx(120.0).epsilon(1e-9));
  CHECK(lognormal.quantile(0.1586552539314571) == Approx(100.0 / 1.2).epsilon(1e-9));
}

TEST_CASE("triangles and evenness by their closed forms", "[study][distribution]") {
  const Distribution triangle{.kind = Kind::triangular, .middle = 110.0, .from = 83.0, .to = 167.0};
  CHECK(triangle.quantile(27.0 / 84.0) == Approx(110.0).epsilon(1e-12));  // its top
  CHECK(triangle.quantile(0.1) == Approx(83.0 + std::sqrt(0.1 * 84.0 * 27.0)).epsilon(1e-12));
  CHECK(triangle.quantile(0.9) == Approx(167.0 - std::sqrt(0.1 * 84.0 * 57.0)).epsilon(1e-12));
  const Distribution even{.kind = Kind::uniform, .from = 2.0, .to = 6.0};
  CHECK(even.quantile(0.25) == Approx(3.0));
}

TEST_CASE("of a Latin hypercube each stratum of a distribution has one draw", "[study][distribution]") {
  const std::vector<double> values =
      draws("{ kind: normal, mean: 40 degC, deviation: 2 K }", "{ latin_hypercube: { runs: 50 } }");
  REQUIRE(values.size() == 50);
  for (std::size_t k = 0; k < 50; ++k) {
    const double share = 0.5 * std::erfc(-(values[k] - 40.0) / 2.0 / std::sqrt(2.0));
    CHECK(share >= Approx(static_cast<double>(k) / 50.0).margin(1e-9));
    CHECK(share <= Approx(static_cast<double>(k + 1) / 50.0).margin(1e-9));
  }
}

TEST_CASE("independent draws have the mean and the deviation that are asked for", "[study][distribution]") {
  const std::vector<double> values =
      draws("{ kind: normal, mean: 40 degC, deviation: 2 K }", "{ random: { runs: 10000 } }");
  double sum = 0.0, square = 0.0;
  for (const double value : values) sum += value, square += (value - 40.0) * (value - 40.0);
  CHECK(sum / 1e4 == Approx(40.0).margin(4.0 * 2.0 / 100.0));  // four standard errors
  CHECK(std::sqrt(square / 1e4) == Approx(2.0).margin(4.0 * 2.0 / std::sqrt(2e4)));
}

TEST_CASE("a study of ranges is not one of draws", "[study][distribution]") {
  Problems problems;
  const Expansion runs = expanded(
      "changes:\n  x: { path: hall.cooling.loops.supply_temperature, range: { from: 30 degC, to: 40 degC } }\n"
      "combine: { latin_hypercube: { runs: 10 } }\n",
      problems);
  REQUIRE(problems.empty());
  CHECK_FALSE(runs.is_drawn);
}

TEST_CASE("mistakes of a distribution are reported at their lines", "[study][distribution]") {
  CHECK_THAT(mistakes("{ kind: nromal, mean: 40 degC, deviation: 2 K }"),
             Contains("study.yaml:4") && Contains("there is no distribution 'nromal'") && Contains("'normal'"));
  CHECK_THAT(mistakes("{ kind: normal, mean: 40 degC }"), Contains("deviation"));
  CHECK_THAT(mistakes("{ kind: normal, mean: 40 degC, deviation: -2 K }"), Contains("gives no spread"));
  CHECK_THAT(mistakes("{ kind: normal, mean: 40 degC, deviation: 2 degC }"), Contains("is in degC, expected K"));
  CHECK_THAT(mistakes("{ kind: normal, mean: 40 degC, deviation: 2 K, from: 310 K }"),
             Contains("write all of them in one unit"));
  CHECK_THAT(mistakes("{ kind: lognormal, median: 100 W, factor: 20 % }"), Contains("expected no unit"));
  CHECK_THAT(mistakes("{ kind: lognormal, median: 100 W, factor: 0.9 }"), Contains("a number above 1"));
  CHECK_THAT(mistakes("{ kind: triangular, from: 3 K, likeliest: 9 K, to: 6 K }"), Contains("not between its ends"));
  CHECK_THAT(mistakes("{ kind: uniform, from: 6 K, to: 3 K }"), Contains("the distribution is empty"));
  CHECK_THAT(mistakes("{ kind: uniform, from: 3 K }"), Contains("to"));
  CHECK_THAT(mistakes("{ kind: uniform, from: 3 K, to: 6 K, mean: 4 K }"), Contains("mean"));
  CHECK_THAT(mistakes("normal"), Contains("distribution"));
}

TEST_CASE("a distribution is drawn and not stepped through, and is the only source of values",
          "[study][distribution]") {
  Problems problems;
  expanded("changes:\n" + change("{ kind: uniform, from: 30 degC, to: 40 degC }"), problems);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(format_problem(problems.all().front()), Contains("no single values") && Contains("latin_hypercube"));
  Problems twice;
  expanded(
      "changes:\n  x: { path: hall.racks.nodes, values: [4, 8], distribution: { kind: uniform, from: 4, to: 8 } }\n",
      twice);
  REQUIRE_FALSE(twice.empty());
  CHECK_THAT(format_problem(twice.all().front()), Contains("values, range, distribution, of"));
}
