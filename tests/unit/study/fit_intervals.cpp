// Intervals of fitted parameters end where their bounds do.
#include <cmath>

#include "tests/support/catch.hpp"
#include "twin/calibration/fit_uncertainty.hpp"

using namespace wattloop::twin;

TEST_CASE("an interval of a fitted parameter ends at its bounds", "[calibration][intervals]") {
  FittedSeries series{.interval_s = 1.0};
  series.slopes.resize(1);
  for (int k = 0; k < 40; ++k) {
    series.times_s.push_back(k);
    series.residuals.push_back(k % 2 == 0 ? 1.0 : -1.0);
    series.slopes[0].push_back(1.0);
  }
  // The mean of 40 values of standard deviation 1 has a standard error of 0.16, and 90 % are within 1.7 of these.
  const auto interval = [&](double value) {
    const std::vector<ParameterRange> ranges{{.value = value, .lower = 0.0, .upper = 10.0}};
    return uncertainty_of(std::vector{series}, ranges, 0.9).parameters[0];
  };
  CHECK(interval(0.1).low == 0.0);
  CHECK(interval(0.1).high == Approx(0.1 + 1.685 * std::sqrt(1.0 / 39.0)).epsilon(0.02));
  CHECK(interval(9.9).high == 10.0);
  CHECK(interval(5.0).low > 4.6);
}
