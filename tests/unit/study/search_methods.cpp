// Bisection, minimum, Sobol indices (the function of [ishigami1990]) and fronts against closed forms.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/search/bisection.hpp"
#include "twin/search/optimum.hpp"
#include "twin/search/pareto_front.hpp"
#include "twin/search/sobol_indices.hpp"
#include "twin/study/draws/samples.hpp"

using namespace wattloop::twin;
using Outcome = Bisection::Outcome;

namespace {

/// Values at shares of a design.
template <class F>
std::vector<double> values_of(const SobolDesign& design, std::uint64_t seed, F f) {
  std::vector<double> values;
  for (const std::vector<double>& x : sobol_shares(design, seed)) values.push_back(f(x));
  return values;
}

double ishigami(const std::vector<double>& share) {
  const auto angle = [&](std::size_t i) { return std::numbers::pi * (2.0 * share[i] - 1.0); };
  return std::sin(angle(0)) + 7.0 * std::pow(std::sin(angle(1)), 2) + 0.1 * std::pow(angle(2), 4) * std::sin(angle(0));
}

/// Numbers of points that nothing beats, by looking at all pairs.
std::set<std::size_t> front_by_pairs(const std::vector<TwoFigures>& points) {
  std::set<std::size_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto beats = [&](const TwoFigures& other) {
      return other.first <= points[i].first && other.second <= points[i].second &&
             (other.first < points[i].first || other.second < points[i].second);
    };
    if (std::ranges::none_of(points, beats)) front.insert(i);
  }
  return front;
}

}  // namespace

TEST_CASE("bisection ends within its tolerance, in as many trials as it must take", "[search]") {
  for (const double limit : {30.0001, 33.7, 41.25, 59.9999}) {
    for (const double tolerance : {4.0, 0.25, 1e-3}) {
      for (const bool is_largest : {true, false}) {
        int asked = 0;
        const Bisection found =
            bisect({.low = 30.0, .high = 60.0, .tolerance = tolerance, .is_largest = is_largest, .probes = 0},
                   [&](double x) { return ++asked, is_largest ? x <= limit : x >= limit; });
        CHECK(found.outcome == Outcome::found);
        CHECK(std::abs(found.holding - limit) <= tolerance);
        CHECK((is_largest ? found.holding <= limit : found.holding >= limit));
        CHECK((is_largest ? found.failing > limit : found.failing < limit));
        CHECK(std::abs(found.failing - found.holding) <= tolerance);
        CHECK(asked == 2 + static_cast<int>(std::ceil(std::log2(30.0 / tolerance))));
        CHECK(found.trials.size() == static_cast<std::size_t>(asked));
      }
    }
  }
}

TEST_CASE("bisection of whole numbers finds each of them, and asks for none twice", "[search]") {
  for (int limit = 3; limit < 40; ++limit) {
    std::map<double, int> asked;
    const Bisection found = bisect({.low = 3.0, .high = 40.0, .is_whole = true, .probes = 3}, [&](double x) {
      ++asked[x];
      CHECK(x == std::floor(x));
      return x <= limit;
    });
    CHECK(found.holding == limit);
    CHECK(found.failing == limit + 1);
    CHECK(found.is_monotone());
    CHECK(std::ranges::all_of(asked, [](const auto& one) { return one.second == 1; }));
    CHECK(asked.size() <= 2 + 6 + 3);
  }
}

TEST_CASE("bisection reports of ends that both hold, both fail or are the wrong way round", "[search]") {
  const BisectionRange range{.low = 0.0, .high = 1.0, .tolerance = 0.01, .probes = 1};
  const Bisection all = bisect(range, [](double) { return true; }), none = bisect(range, [](double) { return false; });
  CHECK(all.outcome == Outcome::all_hold);
  CHECK(all.holding == 1.0);
  CHECK(none.outcome == Outcome::none_holds);
  CHECK(bisect(range, [](double x) { return x > 0.5; }).outcome == Outcome::reversed);
  CHECK(all.trials.size() == 3);
  CHECK(bisect(range, [](double x) { return x < 0.4 || x > 0.6; }).against == std::vector{0.5});
  CHECK_THROWS_AS(bisect({.low = 1.0, .high = 1.0, .tolerance = 0.1}, [](double) { return true; }),
                  std::invalid_argument);
  CHECK_THROWS_AS(bisect({.low = 0.0, .high = 1.0}, [](double) { return true; }), std::invalid_argument);
}

TEST_CASE("bisection sees a second change where its further trials fall", "[search]") {
  const BisectionRange range{.low = 0.0, .high = 64.0, .tolerance = 1.0, .probes = 2};
  const Bisection hole = bisect(range, [](double x) { return x < 60.0 && !(x > 10.0 && x < 20.0); });
  CHECK(hole.outcome == Outcome::found);
  CHECK(hole.against == std::vector{16.0});  // trials were at 0, 32, 48, 56, 60, 58, 59
  CHECK(bisect(range, [](double x) { return x < 60.0; }).is_monotone());
}

TEST_CASE("a minimum is within the tolerance of where it is", "[search]") {
  for (const double lowest : {1.3, 2.0, 7.77, 9.5}) {
    for (const double tolerance : {0.5, 0.01}) {
      const auto valley = [&](double x) { return std::abs(x - lowest) + 0.1 * std::pow(x - lowest, 2) + 3.0; };
      const Optimum found = minimise(1.0, 10.0, tolerance, valley);
      CHECK(std::abs(found.at - lowest) <= tolerance);
      CHECK(found.value == valley(found.at));
      CHECK_FALSE(found.has_valleys);
      CHECK(found.trials.size() < 30);
    }
  }
  CHECK(minimise(1.0, 10.0, 0.01, [](double x) { return std::cosh(x - 4.0); }).trials.size() < 16);
  const Optimum at_end = minimise(1.0, 10.0, 0.1, [](double x) { return -x; });
  CHECK(at_end.at == 10.0);
  CHECK(at_end.is_at_end);
  CHECK(minimise(0.0, 10.0, 0.1, [](double x) { return std::sin(3.0 * x); }).has_valleys);
}

TEST_CASE("Sobol indices of Ishigami's function are those of its closed form", "[search][sobol]") {
  const double pi4 = std::pow(std::numbers::pi, 4), b = 0.1, a = 7.0;
  const double v1 = 0.5 * std::pow(1.0 + b * pi4 / 5.0, 2), v2 = a * a / 8.0, v13 = b * b * pi4 * pi4 * 8.0 / 225.0;
  const double v = v1 + v2 + v13;
  const std::vector<double> first{v1 / v, v2 / v, 0.0}, total{(v1 + v13) / v, v2 / v, v13 / v};
  const SobolDesign design{.samples = 4096, .inputs = 3};
  const std::vector<double> values = values_of(design, 1, ishigami);
  CHECK(values.size() == 4096 * 5);
  const std::vector<SobolIndex> found = sobol_indices(design, values, {.draws = 200});
  for (std::size_t i = 0; i < 3; ++i) {
    INFO("input " << i + 1);
    CHECK(found[i].first == Approx(first[i]).margin(0.01));
    CHECK(found[i].total == Approx(total[i]).margin(0.01));
    CHECK((found[i].first_low <= first[i] && first[i] <= found[i].first_high));
    CHECK((found[i].total_low <= total[i] && total[i] <= found[i].total_high));
    CHECK(found[i].first_high - found[i].first_low < 0.12);
  }
}

TEST_CASE("Sobol indices of a sum are the shares of its variances, and intervals hold them as often as they say",
          "[search][sobol]") {
  const SobolDesign design{.samples = 128, .inputs = 3};
  const auto sum = [](const std::vector<double>& x) { return 1.0 * x[0] + 2.0 * x[1] + 4.0 * x[2]; };
  const std::vector<double> share{1.0 / 21.0, 4.0 / 21.0, 16.0 / 21.0};
  std::vector<double> mean(3);
  int within = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::vector<SobolIndex> found =
        sobol_indices(design, values_of(design, seed, sum), {.draws = 200, .seed = seed});
    for (std::size_t i = 0; i < 3; ++i) {
      mean[i] += found[i].total / 40.0;
      within += found[i].total_low <= share[i] && share[i] <= found[i].total_high ? 1 : 0;
      ++all;
    }
  }
  // One total deviates by S sqrt((E d^4 / (E d^2)^2 - 1) / N) = 0.105 S, d being triangular; the mean of 40 by less than 0.017 S.
  for (std::size_t i = 0; i < 3; ++i) CHECK(mean[i] == Approx(share[i]).epsilon(3 * 0.017));
  CHECK(within >= 0.9 * all);
}

TEST_CASE("samples without an answer are left out, and what does not vary has no indices", "[search][sobol]") {
  const SobolDesign design{.samples = 256, .inputs = 2};
  std::vector<double> values = values_of(design, 3, [](const std::vector<double>& x) { return x[0]; });
  values[7] = values[400] = std::nan("");
  const std::vector<SobolIndex> found = sobol_indices(design, values, {.draws = 50});
  CHECK(found[0].total == Approx(1.0).margin(2 * 0.074));
  CHECK(found[1].total == 0.0);
  CHECK(found[1].first == 0.0);
  CHECK(std::isnan(sobol_indices(design, std::vector<double>(design.size(), 3.0))[0].first));
  CHECK(std::isnan(sobol_indices(design, std::vector<double>(design.size(), std::nan("")))[0].total));
}

TEST_CASE("shares of a Sobol design change one input at a time and fill every half alike", "[search][sobol]") {
  const SobolDesign design{.samples = 64, .inputs = 4};
  const auto shares = sobol_shares(design, 7);
  REQUIRE(shares.size() == design.size());
  std::vector<int> low(4);
  for (std::size_t s = 0; s < design.samples; ++s) {
    const auto* sample = &shares[s * 6];
    for (std::size_t i = 0; i < 4; ++i) {
      low[i] += sample[0][i] < 0.5 ? 1 : 0;
      for (std::size_t k = 0; k < 4; ++k) CHECK(sample[2 + i][k] == sample[k == i ? 1 : 0][k]);
    }
  }
  for (const int count : low) CHECK(std::abs(count - 32) <= 1);
  CHECK(shares == sobol_shares(design, 7));
  CHECK(shares != sobol_shares(design, 8));
}

TEST_CASE("a front is what nothing beats", "[search][pareto]") {
  const double none = std::nan("");
  CHECK(pareto_front(std::vector<TwoFigures>{}).empty());
  CHECK(pareto_front(std::vector<TwoFigures>{{3, 1}, {1, 3}, {2, 2}, {3, 3}, {2, 4}, {none, 0}}) ==
        std::vector<std::size_t>{1, 2, 0});
  CHECK(pareto_front(std::vector<TwoFigures>{{1, 1}, {1, 2}, {1, 1}, {2, 1}}) == std::vector<std::size_t>{0, 2});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> x = random_samples(60, seed, 0), y = random_samples(60, seed, 1);
    std::vector<TwoFigures> points;
    for (std::size_t i = 0; i < x.size(); ++i)  // tenths: many are equal
      points.push_back({std::floor(10.0 * x[i]), std::floor(10.0 * y[i])});
    const std::vector<std::size_t> front = pareto_front(points);
    CHECK(std::set<std::size_t>(front.begin(), front.end()) == front_by_pairs(points));
    CHECK(front.size() == front_by_pairs(points).size());
  }
}
