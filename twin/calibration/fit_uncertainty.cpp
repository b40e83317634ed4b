#include "twin/calibration/fit_uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>

namespace wattloop::twin {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Kind = KnownParameter::Kind;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double at_bound_fraction = 1e-4;        // of the range
constexpr double smallest_movement = 1e-6;        // of a scale, over the whole range, in the mean of all intervals
constexpr double smallest_singular_ratio = 1e-3;  // columns of length one: correlations beyond 1 - 1e-6
constexpr double smallest_share = 0.1;            // of a direction that nothing reports
constexpr double most_correlation = 0.9999;

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// A series with slopes of the parameters that are free.
class Noise {
 public:
  Noise(const FittedSeries& series, const std::vector<std::size_t>& free) : series_(series) {
    slopes_.resize(static_cast<Eigen::Index>(series.residuals.size()), static_cast<Eigen::Index>(free.size()));
    for (std::size_t j = 0; j < free.size(); ++j)
      slopes_.col(static_cast<Eigen::Index>(j)) = vector_of(series.slopes[free[j]]);
  }

  const Matrix& slopes() const { return slopes_; }
  double weight() const { return 1.0 / (series_.scale * series_.scale); }

  /// R X, column by column: what came before and what comes after fade alike.
  Matrix correlated(const Matrix& columns, double rho) const {
    Matrix before = columns, after = columns;
    for (Eigen::Index i = 1; i < columns.rows(); ++i) before.row(i) += fading(i, rho) * before.row(i - 1);
    for (Eigen::Index i = columns.rows() - 1; i > 0; --i) after.row(i - 1) += fading(i, rho) * after.row(i);
    return before + after - columns;
  }

  /// Of noise with this correlation: the mean of r'r, over its variance, and of r'Lr, the sum over neighbours, where r = (1 - H) e.
  struct Moments {
    double squares = 0.0, neighbours = 0.0;
  };

  Moments moments(double rho, const Matrix& gain) const {
    const Matrix of_noise = correlated(slopes_, rho), of_neighbours = with_neighbours(slopes_);
    const Matrix jrj = slopes_.transpose() * of_noise, jlj = slopes_.transpose() * of_neighbours;
    const Matrix jlrj = of_neighbours.transpose() * of_noise, jj = slopes_.transpose() * slopes_;
    double pairs = 0.0;
    for (Eigen::Index i = 1; i < slopes_.rows(); ++i) pairs += are_neighbours(i) ? rho : 0.0;
    return {static_cast<double>(slopes_.rows()) - 2.0 * (gain * jrj).trace() + (gain * jj * gain * jrj).trace(),
            pairs - 2.0 * (gain * jlrj).trace() + (gain * jlj * gain * jrj).trace()};
  }

  SeriesNoise found(const Matrix& gain) const {
    const Vector residuals = vector_of(series_.residuals);
    const double squares = residuals.squaredNorm();
    const double ratio = squares > 0.0 ? residuals.dot(Vector(with_neighbours(residuals))) / squares : 0.0;
    const auto reported = [&](double rho) {
      const Moments mean = moments(rho, gain);
      return mean.neighbours / mean.squares;
    };
    double low = 0.0, high = most_correlation;
    if (!(reported(low) < ratio)) high = low;
    for (int halving = 0; halving < 40 && high > low; ++halving) {
      const double middle = 0.5 * (low + high);
      (reported(middle) < ratio ? low : high) = middle;
    }
    const double rho = 0.5 * (low + high), points = static_cast<double>(slopes_.rows());
    return {std::sqrt(squares / std::max(moments(rho, gain).squares, 1e-9)), rho,
            points * (1.0 - rho * rho) / (1.0 + rho * rho)};
  }

 private:
  double fading(Eigen::Index i, double rho) const {
    const auto at = static_cast<std::size_t>(i);
    return std::pow(rho, (series_.times_s[at] - series_.times_s[at - 1]) / series_.interval_s);
  }

  bool are_neighbours(Eigen::Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return series_.times_s[at] - series_.times_s[at - 1] < 1.5 * series_.interval_s;
  }

  Matrix with_neighbours(const Matrix& columns) const {
    Matrix sums = Matrix::Zero(columns.rows(), columns.cols());
    for (Eigen::Index i = 1; i < columns.rows(); ++i) {
      if (!are_neighbours(i)) continue;
      sums.row(i) += 0.5 * columns.row(i - 1);
      sums.row(i - 1) += 0.5 * columns.row(i);
    }
    return sums;
  }

  const FittedSeries& series_;
  Matrix slopes_;
};

/// Slopes of all series over the whole range of each parameter, in scales.
Matrix scaled_slopes(std::span<const FittedSeries> series, std::span<const ParameterRange> ranges) {
  Eigen::Index rows = 0, row = 0;
  for (const FittedSeries& one : series) rows += static_cast<Eigen::Index>(one.residuals.size());
  Matrix slopes(rows, static_cast<Eigen::Index>(ranges.size()));
  for (const FittedSeries& one : series) {
    const auto count = static_cast<Eigen::Index>(one.residuals.size());
    for (std::size_t j = 0; j < ranges.size(); ++j)
      slopes.col(static_cast<Eigen::Index>(j)).segment(row, count) =
          (ranges[j].upper - ranges[j].lower) / one.scale * vector_of(one.slopes[j]);
    row += count;
  }
  return slopes;
}

/// Which parameters the measurements report at all, and which only together.
void find_unreported(std::span<const FittedSeries> series, std::span<const ParameterRange> ranges,
                     FitUncertainty& found) {
  Matrix slopes = scaled_slopes(series, ranges);
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < ranges.size(); ++j) {
    const ParameterRange& range = ranges[j];
    const double share = (range.value - range.lower) / (range.upper - range.lower);
    const double length = slopes.col(static_cast<Eigen::Index>(j)).norm();
    if (length < smallest_movement * std::sqrt(static_cast<double>(slopes.rows()))) {
      found.parameters[j].kind = Kind::moves_nothing;
    } else if (share < at_bound_fraction) {
      found.parameters[j].kind = Kind::at_lower_bound;
    } else if (share > 1.0 - at_bound_fraction) {
      found.parameters[j].kind = Kind::at_upper_bound;
    } else {
      slopes.col(static_cast<Eigen::Index>(free.size())) = slopes.col(static_cast<Eigen::Index>(j)) / length;
      free.push_back(j);
    }
  }
  if (free.empty()) return;
  const Matrix columns = slopes.leftCols(static_cast<Eigen::Index>(free.size()));
  const Eigen::SelfAdjointEigenSolver<Matrix> directions(columns.transpose() * columns);
  const Vector lengths = directions.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  for (Eigen::Index d = 0; d < lengths.size(); ++d) {
    if (lengths[d] >= smallest_singular_ratio * lengths.maxCoeff()) continue;
    std::vector<std::size_t> together;
    for (std::size_t f = 0; f < free.size(); ++f) {
      if (std::abs(directions.eigenvectors()(static_cast<Eigen::Index>(f), d)) > smallest_share)
        together.push_back(free[f]);
    }
    for (const std::size_t j : together) {
      found.parameters[j].kind = Kind::not_alone;
      for (const std::size_t other : together) {
        if (other != j && std::ranges::count(found.parameters[j].with, other) == 0)
          found.parameters[j].with.push_back(other);
      }
    }
  }
}

void report_interval(const ParameterRange& range, double standard_error, double quantile, KnownParameter& parameter) {
  parameter.standard_error = standard_error;
  parameter.low = range.value - quantile * standard_error;
  parameter.high = range.value + quantile * standard_error;
  if (!(parameter.low > range.lower) && !(parameter.high < range.upper)) parameter.kind = Kind::too_wide;
  parameter.low = std::max(parameter.low, range.lower);
  parameter.high = std::min(parameter.high, range.upper);
}

}  // namespace

FitUncertainty uncertainty_of(std::span<const FittedSeries> series, std::span<const ParameterRange> ranges,
                              double level) {
  FitUncertainty found;
  found.parameters.assign(ranges.size(), {.standard_error = no_number, .low = no_number, .high = no_number});
  found.correlation.assign(ranges.size(), std::vector<double>(ranges.size(), no_number));
  find_unreported(series, ranges, found);
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < ranges.size(); ++j) {
    if (found.parameters[j].kind == Kind::estimated) free.push_back(j);
  }
  std::vector<Noise> noises;
  for (const FittedSeries& one : series) noises.emplace_back(one, free);
  const auto count = static_cast<Eigen::Index>(free.size());
  Matrix information = Matrix::Zero(count, count), spread = information;
  for (const Noise& noise : noises) information += noise.weight() * noise.slopes().transpose() * noise.slopes();
  const Matrix inverse = count > 0 ? Matrix(information.ldlt().solve(Matrix::Identity(count, count))) : information;
  for (const Noise& noise : noises) {
    found.noise.push_back(noise.found(noise.weight() * inverse));
    const SeriesNoise& of = found.noise.back();
    const double weight = noise.weight() * of.standard_deviation;
    spread += weight * weight * noise.slopes().transpose() * noise.correlated(noise.slopes(), of.neighbour_correlation);
    found.degrees_of_freedom += of.independent_points;
  }
  found.degrees_of_freedom = std::max(1.0, found.degrees_of_freedom - static_cast<double>(count));
  const Matrix covariance = inverse * spread * inverse;
  const boost::math::students_t student(found.degrees_of_freedom);
  const double quantile = boost::math::quantile(student, 0.5 + 0.5 * level);
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::size_t j = free[static_cast<std::size_t>(a)];
    report_interval(ranges[j], std::sqrt(covariance(a, a)), quantile, found.parameters[j]);
    for (Eigen::Index b = 0; b < count; ++b)
      found.correlation[j][free[static_cast<std::size_t>(b)]] =
          covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
  }
  return found;
}

}  // namespace wattloop::twin
