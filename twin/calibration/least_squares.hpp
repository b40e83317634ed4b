// Least squares between bounds: Levenberg and Marquardt, as MINPACK has it, in angles instead of values:
//
//   x = lower + (upper - lower) sin^2(u)
//
// so that no step leaves the bounds and a minimum at one of them is a minimum of u, too. Source: [more1978]; the change of variable is that of
// [james1975]. Verified in tests/verification/integration/least_squares.cpp against certified values of [nist_strd].
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wattloop::twin {

struct BoundedProblem {
  std::vector<double> lower{}, upper{}, start{};
  /// Of values within bounds; empty where there is no answer, which then is no way to go.
  std::function<std::vector<double>(std::span<const double>)> residuals{};
  /// [parameter][residual]: change of the residual per change of the value.
  std::function<std::vector<std::vector<double>>(std::span<const double>)> slopes{};
  std::function<void(int iteration, double sum_of_squares)> when_stepped = [](int, double) {};
};

struct BoundedFit {
  std::vector<double> values{};
  double sum_of_squares = 0.0;
  int iterations = 0;
  bool is_converged = false;
  std::string end{};  ///< why it ended, in words
};

/// Throws std::invalid_argument where there are fewer residuals than parameters, or none at the start.
BoundedFit fit_within_bounds(const BoundedProblem& problem);

}  // namespace wattloop::twin
