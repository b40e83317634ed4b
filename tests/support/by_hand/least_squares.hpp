// Least squares for fits inside tests: Levenberg and Marquardt, with derivatives by differences.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace wattloop::tests {

using Residuals = std::function<std::vector<double>(std::span<const double> unknowns)>;

/// The unknowns near `start` for which the residuals have the least sum of squares. All unknowns should be of order one.
std::vector<double> least_squares(const Residuals& residuals, std::vector<double> start);

/// Root of the mean square.
double root_mean_square(std::span<const double> values);

}  // namespace wattloop::tests
