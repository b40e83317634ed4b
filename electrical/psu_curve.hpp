// The power supplies of a node: AC input and DC output of one another, piecewise linear between the load points of
// [program_80plus]. Verified in tests/verification/equipment_losses.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "electrical/equipment.hpp"

namespace wattloop::electrical {

/// The line through knots whose x rise; its outer segments go on. Without branches, so that loops over it vectorise.
template <std::size_t Knots>
class Polyline {
 public:
  Polyline() = default;
  Polyline(const std::array<double, Knots>& x, const std::array<double, Knots>& y) {
    for (std::size_t i = 0; i + 1 < Knots; ++i) {
      x_[i] = x[i];
      y_[i] = y[i];
      slope_[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    }
  }

  double at(double x) const noexcept {
    double from_x = x_[0], from_y = y_[0], slope = slope_[0];
    for (std::size_t i = 1; i + 1 < Knots; ++i) {
      const bool is_beyond = x >= x_[i];
      from_x = is_beyond ? x_[i] : from_x;
      from_y = is_beyond ? y_[i] : from_y;
      slope = is_beyond ? slope_[i] : slope;
    }
    return from_y + slope * (x - from_x);
  }

 private:
  std::array<double, Knots - 1> x_{}, y_{}, slope_{};  ///< [segment] where it begins
};

/// The curve of given supplies, computed once for many nodes.
class PsuCurve {
 public:
  PsuCurve(const PsuParams& params);  // not explicit: supplies and their curve are one thing

  /// AC input of supplies that deliver `output_w`, which is not negative. At no output the loss is the line through the
  /// losses at 10 and 20 %, but not below zero; above rated output the line from 50 to 100 % goes on.
  double input_w(double output_w) const noexcept { return input_.at(output_w); }

  /// DC output of supplies that draw `input_w`: the inverse of `input_w`; 0 below the loss at no output.
  double output_w(double input_w) const noexcept { return std::max(0.0, output_.at(input_w)); }

 private:
  static constexpr std::size_t knot_count = 5;  ///< 0, 10, 20, 50 and 100 % of rated output
  Polyline<knot_count> input_, output_;
};

/// The same for a single question.
double psu_input_w(const PsuParams& params, double output_w) noexcept;
double psu_output_w(const PsuParams& params, double input_w) noexcept;

/// What is wrong with efficiencies that each lie in range: input must rise with output, else there is no
/// inverse.
std::vector<std::string> check(const PsuParams& params);

}  // namespace wattloop::electrical
