#include "twin/integration/core/fitted_step.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {

constexpr double least_decay = 1e-3;  ///< below, differences of the series would lose digits; s hardly moves there

}  // namespace

FittedStep::FittedStep(double decay) : decay_(std::max(decay, least_decay)) {
  const double x = decay_, square = 0.5 * x * x + x, fallen = -std::expm1(-x);
  first_share_ = (x + std::sqrt(x * x - square * fallen)) / square;
  scale_ = (1.0 / first_share_ - 1.0) / (ros2_gamma * x);
  carry_ = (2.0 + x) * first_share_ - 1.0;
  end_e_1_ = fallen / x;
  rest_share_ = 0.5 / ((1.0 - end_e_1_) / x - ros2_gamma * end_e_1_);
}

double FittedStep::e_1(double progress) const {
  if (progress == 0.0) return 0.0;
  return progress == 1.0 ? end_e_1_ : -std::expm1(-decay_ * progress) / decay_;
}

StepWeights FittedStep::weights(double e_1, double e_2) const {
  return {e_1 / first_share_, rest_share_ * (e_2 - ros2_gamma * e_1)};
}

StepWeights FittedStep::at(double progress) const {
  if (decay_ == 0.0) return weights(progress, 0.5 * progress * progress);
  const double first = e_1(progress);
  return weights(first, (progress - first) / decay_);
}

StepWeights FittedStep::mean(double from, double to) const {
  const double progress = 0.5 * (from + to);
  if (decay_ == 0.0) return weights(progress, 0.5 * (to * to + to * from + from * from) / 3.0);
  const double first = (1.0 - (e_1(to) - e_1(from)) / (to - from)) / decay_;
  return weights(first, (progress - first) / decay_);
}

}  // namespace wattloop::twin
