#include "twin/calibration/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Core>
#include <unsupported/Eigen/NonLinearOptimization>

namespace wattloop::twin {

namespace {

constexpr int most_iterations = 60;
constexpr double start_inside_fraction = 0.01;  // at a bound itself nothing would move
constexpr double no_answer = 1e100;             // a residual that no step goes to

/// What the library asks, in angles.
class Angles {
 public:
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;

  Angles(const BoundedProblem& problem, std::size_t residuals) : problem_(problem), residuals_(residuals) {}

  int inputs() const { return static_cast<int>(problem_.lower.size()); }
  int values() const { return static_cast<int>(residuals_); }

  int operator()(const InputType& angles, ValueType& residuals) const {
    const std::vector<double> found = problem_.residuals(values_at(angles));
    if (found.size() != residuals_) {
      residuals.setConstant(no_answer);
      return 0;
    }
    std::ranges::copy(found, residuals.begin());
    return 0;
  }

  int df(const InputType& angles, JacobianType& jacobian) const {
    const std::vector<std::vector<double>> slopes = problem_.slopes(values_at(angles));
    for (std::size_t j = 0; j < slopes.size(); ++j) {
      const double per_angle = (problem_.upper[j] - problem_.lower[j]) * std::sin(2.0 * angles[j]);
      for (std::size_t i = 0; i < residuals_; ++i) jacobian(i, j) = per_angle * slopes[j][i];
    }
    return 0;
  }

  std::vector<double> values_at(const InputType& angles) const {
    std::vector<double> values(problem_.lower.size());
    for (std::size_t j = 0; j < values.size(); ++j) {
      const double sine = std::sin(angles[j]), range = problem_.upper[j] - problem_.lower[j];
      values[j] = std::clamp(problem_.lower[j] + range * sine * sine, problem_.lower[j], problem_.upper[j]);
    }
    return values;
  }

  InputType angles_of(const std::vector<double>& values) const {
    InputType angles(inputs());
    for (std::size_t j = 0; j < values.size(); ++j) {
      const double share = (values[j] - problem_.lower[j]) / (problem_.upper[j] - problem_.lower[j]);
      angles[j] = std::asin(std::sqrt(std::clamp(share, start_inside_fraction, 1.0 - start_inside_fraction)));
    }
    return angles;
  }

 private:
  const BoundedProblem& problem_;
  std::size_t residuals_;
};

}  // namespace

BoundedFit fit_within_bounds(const BoundedProblem& problem) {
  using Status = Eigen::LevenbergMarquardtSpace::Status;
  const Angles nobody(problem, 0);
  Eigen::VectorXd angles = nobody.angles_of(problem.start);
  const std::size_t residuals = problem.residuals(nobody.values_at(angles)).size();
  if (residuals < problem.lower.size()) throw std::invalid_argument("fewer residuals than parameters");
  Angles functor(problem, residuals);
  Eigen::LevenbergMarquardt<Angles> solver(functor);
  solver.parameters.ftol = 1e-9;
  solver.parameters.xtol = 1e-7;
  solver.parameters.maxfev = 1000;
  Status status = solver.minimizeInit(angles);
  BoundedFit fit;
  while (status == Status::NotStarted || status == Status::Running) {
    if (fit.iterations == most_iterations) break;
    status = solver.minimizeOneStep(angles);
    ++fit.iterations;
    problem.when_stepped(fit.iterations, solver.fnorm * solver.fnorm);
  }
  fit.values = functor.values_at(angles);
  fit.sum_of_squares = solver.fnorm * solver.fnorm;
  fit.is_converged = status != Status::Running && status != Status::TooManyFunctionEvaluation &&
                     status != Status::ImproperInputParameters && status != Status::UserAsked;
  fit.end = fit.is_converged ? "converged" : "did not converge";
  return fit;
}

}  // namespace wattloop::twin
