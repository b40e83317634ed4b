// Recorded series as measurements are compared with them: in the unit of the measurements, means from the first interval on, gaps left out.
#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"
#include "twin/comparison/measured_comparison.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::vector<double> times_s{0.0, 60.0, 120.0, 180.0};

MappedSeries mapped(const char* unit, const char* si_unit, bool is_mean) {
  return {.column = "m",
          .recorded = "facility.x",
          .unit = unit,
          .series = {.table = "facility", .column = "x", .unit = si_unit, .is_mean = is_mean}};
}

}  // namespace

TEST_CASE("the first record of a mean has no interval before it and is not compared", "[compare]") {
  const std::vector<double> values{1e3, 2e3, 3e3, 5e3};
  const SampleSeries means = recorded_samples(mapped("kW", "W", true), times_s, values);
  CHECK(means.stamp == StampOf::end);
  CHECK(means.times_s == std::vector{60.0, 120.0, 180.0});
  CHECK(means.values == std::vector{2.0, 3.0, 5.0});
  const SampleSeries instants = recorded_samples(mapped("kW", "W", false), times_s, values);
  CHECK(instants.stamp == StampOf::instant);
  CHECK(instants.times_s == times_s);
  CHECK(instants.values == std::vector{1.0, 2.0, 3.0, 5.0});
}

TEST_CASE("recorded kelvins are compared in degrees, without records that are no numbers", "[compare]") {
  const std::vector<double> values{300.15, std::numeric_limits<double>::quiet_NaN(), 303.15, 313.15};
  const SampleSeries celsius = recorded_samples(mapped("degC", "K", false), times_s, values);
  CHECK(celsius.times_s == std::vector{0.0, 120.0, 180.0});
  REQUIRE(celsius.values.size() == 3);
  CHECK(celsius.values[0] == Approx(27.0));
  CHECK(celsius.values[1] == Approx(30.0));
  CHECK(celsius.values[2] == Approx(40.0));
  CHECK(recorded_samples(mapped("degF", "K", false), times_s, values).values[2] == Approx(104.0));
}
