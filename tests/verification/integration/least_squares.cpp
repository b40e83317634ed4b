// Least squares between bounds, against values that are certified or known by hand.
//
//   Misra1a   y = b1 (1 - exp(-b2 x)): b1 = 238.94212918, b2 = 5.5015643181e-4, sum of squares 0.12455138894, from both of its starts [nist_strd]
//   a bound   the best value of a line through the origin lies beyond it: the bound, and what is left of the squares by hand
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/calibration/least_squares.hpp"

using namespace wattloop::twin;

namespace {

const std::vector<double> misra_x{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                  378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
const std::vector<double> misra_y{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                  44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};

BoundedProblem misra(std::vector<double> start) {
  BoundedProblem problem{.lower = {10.0, 1e-5}, .upper = {1000.0, 1e-2}, .start = std::move(start)};
  problem.residuals = [](std::span<const double> b) {
    std::vector<double> residuals;
    for (std::size_t i = 0; i < misra_x.size(); ++i)
      residuals.push_back(b[0] * (1.0 - std::exp(-b[1] * misra_x[i])) - misra_y[i]);
    return residuals;
  };
  problem.slopes = [](std::span<const double> b) {
    std::vector<std::vector<double>> slopes(2);
    for (const double x : misra_x) {
      slopes[0].push_back(1.0 - std::exp(-b[1] * x));
      slopes[1].push_back(b[0] * x * std::exp(-b[1] * x));
    }
    return slopes;
  };
  return problem;
}

}  // namespace

TEST_CASE("least squares finds the certified values of Misra1a from both starts", "[calibration]") {
  for (const std::vector<double>& start : {std::vector<double>{500.0, 1e-4}, std::vector<double>{250.0, 5e-4}}) {
    const BoundedFit fit = fit_within_bounds(misra(start));
    CHECK(fit.is_converged);
    CHECK(fit.values[0] == Approx(238.94212918).epsilon(1e-6));
    CHECK(fit.values[1] == Approx(5.5015643181e-4).epsilon(1e-6));
    CHECK(fit.sum_of_squares == Approx(0.12455138894).epsilon(1e-7));
  }
}

TEST_CASE("least squares stays at a bound beyond which the best value lies", "[calibration]") {
  // y = 3 x at x = 1, 2, 3 and a slope of 2 at most: residuals -1, -2, -3.
  BoundedProblem problem{.lower = {0.0}, .upper = {2.0}, .start = {1.0}};
  problem.residuals = [](std::span<const double> a) {
    return std::vector<double>{a[0] - 3.0, 2.0 * a[0] - 6.0, 3.0 * a[0] - 9.0};
  };
  problem.slopes = [](std::span<const double>) { return std::vector<std::vector<double>>{{1.0, 2.0, 3.0}}; };
  const BoundedFit fit = fit_within_bounds(problem);
  CHECK(fit.values[0] == Approx(2.0).epsilon(1e-6));
  CHECK(fit.values[0] <= 2.0);
  CHECK(fit.sum_of_squares == Approx(14.0).epsilon(1e-5));
}
