#include "tests/support/by_hand/least_squares.hpp"

#include <cmath>
#include <utility>

namespace wattloop::tests {

namespace {

constexpr double difference = 1e-5, enough = 1e-7;
constexpr int most_steps = 60, most_dampings = 10;

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Solves a x = b for a symmetric positive a, which it destroys.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Derivatives of the residuals, [unknown][residual].
std::vector<std::vector<double>> slopes(const Residuals& residuals, const std::vector<double>& at,
                                        const std::vector<double>& here) {
  std::vector<std::vector<double>> by_unknown;
  for (std::size_t k = 0; k < at.size(); ++k) {
    std::vector<double> beside = at;
    beside[k] += difference;
    by_unknown.push_back(residuals(beside));
    for (std::size_t i = 0; i < here.size(); ++i) by_unknown[k][i] = (by_unknown[k][i] - here[i]) / difference;
  }
  return by_unknown;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::vector<double> least_squares(const Residuals& residuals, std::vector<double> at) {
  const std::size_t n = at.size();
  std::vector<double> here = residuals(at);
  double sum = sum_of_squares(here), damping = 1e-3;
  for (int step = 0; step < most_steps; ++step) {
    const auto slope = slopes(residuals, at, here);
    std::vector<std::vector<double>> normal(n, std::vector<double>(n));
    std::vector<double> down(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) normal[i][j] = dot(slope[i], slope[j]);
      down[i] = -dot(slope[i], here);
    }
    const double before = sum;
    for (int trial = 0; trial < most_dampings && sum == before; ++trial) {
      auto damped = normal;
      for (std::size_t i = 0; i < n; ++i) damped[i][i] += damping * normal[i][i] + 1e-12;
      const std::vector<double> move = solved(std::move(damped), down);
      std::vector<double> there = at;
      for (std::size_t i = 0; i < n; ++i) there[i] += move[i];
      std::vector<double> left = residuals(there);
      const double less = sum_of_squares(left);
      damping *= less < sum ? 0.2 : 5.0;
      if (!(less < sum)) continue;
      at = std::move(there);
      here = std::move(left);
      sum = less;
    }
    if (before - sum <= enough * before) break;
  }
  return at;
}

double root_mean_square(std::span<const double> values) {
  return std::sqrt(sum_of_squares(values) / static_cast<double>(values.size()));
}

}  // namespace wattloop::tests
