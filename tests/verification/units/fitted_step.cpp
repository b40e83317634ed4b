// Steps fitted to states that relax by themselves, against the exponential, in numbers that stand for one state or two:
//
//   alone        y' = -x (y - 1), y(0) = 0:  y(t) = 1 - e^{-x t}, its mean over a part by hand; nothing is left for the error
//   fed          z' = r, y' = -x (y - z):    y falls behind the ramp by r / x; of order 2 in the length of the step
//   not fitted   what ROS2 [verwer1999] is

#include <array>
#include <cmath>

#include "tests/support/catch.hpp"
#include "twin/integration/core/fitted_step.hpp"

using namespace wattloop::twin;

namespace {

/// k1 and k2 of a step of length 1, of a state that is alone and has rate 1 at the begin.
struct Stages {
  double first, second;
};

Stages stages_alone(const FittedStep& fit, double x) {
  const double divisor = 1.0 + ros2_gamma * fit.scale() * x;
  const double first = 1.0 / divisor;
  return {first, (1.0 - x * first - 2.0 * first) / divisor};
}

/// y after `steps` steps to t = 1, behind a ramp of rate 1: y' = -x (y - z), y = z = 0 at the begin.
double behind_ramp(double x, int steps) {
  const double h = 1.0 / steps;
  const FittedStep fit(h * x);
  const double divisor = 1.0 + ros2_gamma * fit.scale() * h * x;
  double y = 0.0, z = 0.0;
  for (int step = 0; step < steps; ++step) {
    const double z_first = 1.0, z_second = 1.0 - 2.0 * z_first;  // its column is not fitted, and it feels no one
    const double fed = ros2_gamma * h * x;
    const double first = (-x * (y - z) + fed * z_first) / divisor;
    const double second = (-x * (y + h * first - z - h * z_first) - 2.0 * first + fed * z_second) / divisor;
    y += h * (1.5 * first + 0.5 * second);
    z += h * (1.5 * z_first + 0.5 * z_second);
  }
  return y;
}

double exact_behind_ramp(double x) { return 1.0 - (1.0 - std::exp(-x)) / x; }

}  // namespace

TEST_CASE("a step fitted to a state that relaxes alone follows its exponential", "[core][fitted]") {
  const double x = GENERATE(1e-3, 0.02, 0.3, 1.0, 2.5, 7.0, 40.0, 1000.0);
  const FittedStep fit(x);
  const auto [first, second] = stages_alone(fit, x);
  const auto exact = [x](double t) { return -std::expm1(-x * t) / x; };
  INFO("x = " << x);
  CHECK(fit.scale() > 0.72);
  CHECK(fit.scale() <= 1.0);
  CHECK(1.5 * first + 0.5 * second == Approx(exact(1.0)).epsilon(1e-9));
  const double rest = second + fit.carry() * first;
  CHECK(std::abs(rest) < 1e-9);
  for (const double t : {0.0, 0.1, 0.5, 1.0}) {
    const StepWeights weights = fit.at(t);
    CHECK(weights.of_first * first + weights.of_rest * rest == Approx(exact(t)).epsilon(1e-9).margin(1e-12));
  }
  CHECK(fit.at(1.0).of_rest == Approx(0.5));
  const double from = 0.2, to = 0.9;
  const double exact_mean = (1.0 - (std::exp(-x * from) - std::exp(-x * to)) / (x * (to - from))) / x;
  const StepWeights mean = fit.mean(from, to);
  CHECK(mean.of_first * first + mean.of_rest * rest == Approx(exact_mean).epsilon(1e-6));
}

TEST_CASE("a fitted step behind a ramp is of order 2, and closer than a step that is not", "[core][fitted]") {
  const double x = 4.0, exact = exact_behind_ramp(x);
  std::array<double, 3> error{};
  int steps = 8;
  for (double& e : error) {
    e = std::abs(behind_ramp(x, steps) - exact);
    steps *= 2;
  }
  INFO(error[0] << " " << error[1] << " " << error[2]);
  CHECK(std::log2(error[0] / error[1]) > 1.7);
  CHECK(std::log2(error[1] / error[2]) > 1.7);
  CHECK(std::abs(behind_ramp(x, 1) - exact) < 0.05);
}

TEST_CASE("a step that is not fitted is ROS2, with its extension of order 2", "[core][fitted]") {
  const FittedStep plain;
  CHECK(plain.scale() == 1.0);
  CHECK(plain.carry() == 1.0);
  for (const double t : {0.0, 0.25, 0.5, 1.0}) {
    const StepWeights weights = plain.at(t);
    CHECK(weights.of_first == t);
    CHECK(weights.of_rest == Approx((0.5 * t * t - ros2_gamma * t) / (1.0 - 2.0 * ros2_gamma)));
  }
  const StepWeights of_all = plain.mean(0.0, 1.0);
  CHECK(of_all.of_first == 0.5);
  CHECK(of_all.of_rest == Approx((1.0 / 6.0 - 0.5 * ros2_gamma) / (1.0 - 2.0 * ros2_gamma)));
}
