// A step of ROS2 (twin/integration/core/integrator_core_rosenbrock.cpp) fitted to states that relax by themselves: nodes of racks, which
// units heat and a flow empties within seconds. Where what units give holds over a step, such a state goes along an exponential,
// and ROS2, whatever it takes for J, is of order 2. So the column of such a state in I - g h J is scaled by the factor for which
// the step ends where the exponential does. With x = -h J_ii, and u = 1 / (1 + g s x) for the scale s:
//
//   k1 = u f,   k2 = -c k1,  c = (2 + x) u - 1      of a state that is alone
//   3/2 k1 + 1/2 k2 = f (1 - e^-x) / x              hence (x^2/2 + x) u^2 - 2 x u + 1 - e^-x = 0, of which u is the larger root
//
// s grows from 0.72 at x = 0, where the step is of order 3, to 1. What k2 has beyond -c k1 is due to all others: n, the change over
// the step of the rate that they cause. The error estimate is h/2 (k2 + c k1), and h/2 (k1 + k2) at x = 0 without a fit. Between
// begin and end, with u f = k1 - g/(1 - 2 g) (k2 + c k1) and n = (k2 + c k1) / (u (1 - 2 g)), a state goes along
//
//   y + h (e_1 f + e_2 n)     e_1 = (1 - e^{-x t}) / x,  e_2 = (t - e_1) / x,  t from 0 to 1
//
// Scaling a column keeps its sum, so that energy balances as before. Verified in tests/verification/units/fitted_step.cpp.
#pragma once

namespace wattloop::twin {

inline constexpr double ros2_gamma = 1.0 - 0.70710678118654752440;

/// Weights of h k1 and h (k2 + c k1) in the distance from the begin of a step.
struct StepWeights {
  double of_first = 0.0, of_rest = 0.0;
};

class FittedStep {
 public:
  /// Not fitted: ROS2 as it is.
  FittedStep() = default;

  /// Fitted to a state that falls to e^-decay over the step.
  explicit FittedStep(double decay);

  double scale() const { return scale_; }  ///< s
  double carry() const { return carry_; }  ///< c

  /// At `progress` of the step, from 0 to 1.
  StepWeights at(double progress) const;

  /// Mean from one progress to another.
  StepWeights mean(double from, double to) const;

 private:
  StepWeights weights(double e_1, double e_2) const;
  double e_1(double progress) const;

  double decay_ = 0.0;  ///< x
  double scale_ = 1.0, carry_ = 1.0;
  double first_share_ = 1.0;                            ///< u
  double rest_share_ = 1.0 / (1.0 - 2.0 * ros2_gamma);  ///< so that the rest weighs 1/2 at the end
  double end_e_1_ = 1.0;
};

}  // namespace wattloop::twin
