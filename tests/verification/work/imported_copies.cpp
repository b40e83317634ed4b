// Many nodes from one: what independent delays do to a sum.
//
//   sum of N equal copies           standard deviation N s                        the copies are the same
//   each late by a uniform part     sqrt(N) s in the mean square over draws       the cross terms of circular shifts have the mean 0
//   of the whole trace
//
// Both are exact for any trace; the second is compared over many seeds. A circular shift by whole rows keeps the magnitude of every
// Fourier coefficient, here by a sum written out in this test.
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/imports/telemetry/node_copies.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

constexpr std::size_t rows = 1000;

/// A node of a training job: steps of power and noise.
TraceRows measured() {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0.0, 300.0);
  TraceRows trace{.names = {"node_1"}, .nodes = {"node_1"}, .node_of = {0}, .gpus = {""}, .interval_s = 2.0};
  for (std::size_t row = 0; row < rows; ++row) {
    trace.stamps_s.push_back(2.0 * static_cast<double>(row));
    trace.power_w.push_back((row % 23 < 20 ? 6800.0 : 3500.0) + noise(random));
  }
  return trace;
}

double deviation(const std::vector<double>& values) {
  double mean = 0.0, squares = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean) / static_cast<double>(values.size());
  return std::sqrt(squares);
}

std::vector<double> sum_of(const TraceRows& trace, const std::vector<NodeCopy>& copies) {
  std::vector<double> sum_w(trace.rows(), 0.0);
  for (const NodeCopy& copy : copies) {
    for (std::size_t row = 0; row < trace.rows(); ++row) sum_w[row] += copied_power_w(trace, copy, row, 0);
  }
  return sum_w;
}

std::vector<NodeCopy> copies(const TraceRows& trace, const CopyOptions& options) {
  Problems problems;
  std::vector<NodeCopy> made = copies_of(trace, options, problems);
  REQUIRE(problems.empty());
  return made;
}

double magnitude(const std::vector<double>& values, std::size_t frequency) {
  std::complex<double> sum = 0.0;
  for (std::size_t row = 0; row < values.size(); ++row)
    sum +=
        values[row] * std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(frequency * row % values.size()) /
                                          static_cast<double>(values.size()));
  return std::abs(sum);
}

}  // namespace

TEST_CASE("the deviation of a sum of copies is N times that of one, and sqrt(N) times with full jitter", "[imports]") {
  const TraceRows trace = measured();
  const double one_w = deviation(trace.power_w);
  for (const std::size_t count : {std::size_t{16}, std::size_t{100}}) {
    const double nodes = static_cast<double>(count);
    CHECK(deviation(sum_of(trace, copies(trace, {.nodes = count}))) == Approx(nodes * one_w).epsilon(1e-12));
    double squares = 0.0;
    constexpr int seeds = 400;
    for (int seed = 0; seed < seeds; ++seed) {
      const double sum_w = deviation(sum_of(
          trace, copies(trace, {.nodes = count, .jitter_s = 2.0 * rows, .seed = static_cast<std::uint64_t>(seed)})));
      squares += sum_w * sum_w / seeds;
    }
    const double ratio = std::sqrt(squares) / one_w;
    CHECK(ratio == Approx(std::sqrt(nodes)).epsilon(0.02));
    if (count == 100)
      tests::report_verification({"sum of 100 copies of one node, each late by a part of the whole trace",
                                  "closed form", "deviation over that of one", ratio, 10.0, 0.2, "1"});
  }
}

TEST_CASE("a jitter of a few rows stays within it, and all delays come", "[imports]") {
  const TraceRows trace = measured();
  std::vector<int> seen(6, 0);
  for (const NodeCopy& copy : copies(trace, {.nodes = 6000, .jitter_s = 10.0, .seed = 3})) {
    REQUIRE(copy.shift_rows < seen.size());
    ++seen[copy.shift_rows];
  }
  for (const int count : seen) CHECK(std::abs(count - 1000) < 120);  // four standard deviations
  Problems problems;
  copies_of(trace, {.nodes = 2, .jitter_s = 1.0}, problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems.all().front().message == "1 s is shorter than the interval of the trace, 2 s: no node would move");
}

TEST_CASE("each copy keeps its spectrum and its energy, and levels have the spread that is asked for", "[imports]") {
  const TraceRows trace = measured();
  std::vector<double> levels;
  for (const NodeCopy& copy :
       copies(trace, {.nodes = 20000, .jitter_s = 2.0 * rows, .spread_ratio = 0.05, .seed = 9})) {
    levels.push_back(copy.level_ratio);
    if (levels.size() > 5) continue;
    const std::vector<double> copied = sum_of(trace, {copy});
    for (const std::size_t frequency :
         {std::size_t{0}, std::size_t{1}, std::size_t{43}, std::size_t{44}, std::size_t{499}})
      CHECK(magnitude(copied, frequency) ==
            Approx(copy.level_ratio * magnitude(trace.power_w, frequency)).epsilon(1e-9));
  }
  double mean = 0.0;
  for (const double level : levels) mean += level / static_cast<double>(levels.size());
  CHECK(std::abs(mean - 1.0) < 4.0 * 0.05 / std::sqrt(20000.0));
  CHECK(deviation(levels) ==
        Approx(0.05 * 0.9932).epsilon(0.02));  // of a normal distribution whose values beyond 3 are 3
}
