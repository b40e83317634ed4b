#include "twin/comparison/model_score.hpp"

#include <cmath>
#include <limits>

namespace wattloop::twin {

ModelScore model_score(std::span<const double> measured, std::span<const double> modelled) {
  constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  const std::size_t points = measured.size();
  if (points < 2) return {points, no_number, no_number, no_number, "fewer than two intervals"};
  double sum = 0.0, squares = 0.0, bias = 0.0;
  for (std::size_t k = 0; k < points; ++k) {
    const double difference = measured[k] - modelled[k];
    sum += measured[k];
    squares += difference * difference;
    bias += difference;
  }
  const double mean = sum / static_cast<double>(points), freedom = static_cast<double>(points - 1);
  const double rmse = std::sqrt(squares / freedom);
  if (mean == 0.0) return {points, no_number, no_number, rmse, "the measured mean is zero"};
  return {points, rmse / std::abs(mean), bias / freedom / mean, rmse, {}};
}

}  // namespace wattloop::twin
