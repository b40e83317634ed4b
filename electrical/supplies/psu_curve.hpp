// The power supplies of a node: AC input and DC output of one another, piecewise linear between the load points of
// [program_80plus]. Verified in tests/verification/power/equipment_losses.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/numbers/lanes.hpp"
#include "electrical/supplies/psu.hpp"

namespace wattloop::electrical {

/// The line through knots whose x rise; its outer segments go on.
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

  /// x to y, in place: one (double) or eight (Lanes). Without branches, so that eight cost as much as one.
  template <class Numbers>
  void follow(Numbers& x) const noexcept {
    Numbers from_x = Numbers{} + x_[0], from_y = Numbers{} + y_[0], slope = Numbers{} + slope_[0];
    for (std::size_t i = 1; i + 1 < Knots; ++i) {
      const auto is_beyond = x >= x_[i];
      from_x = chosen(is_beyond, Numbers{} + x_[i], from_x);
      from_y = chosen(is_beyond, Numbers{} + y_[i], from_y);
      slope = chosen(is_beyond, Numbers{} + slope_[i], slope);
    }
    x = from_y + slope * (x - from_x);
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
  double input_w(double output_w) const noexcept {
    to_input(output_w);
    return output_w;
  }

  /// DC output of supplies that draw `input_w`: the inverse of `input_w`; 0 below the loss at no output.
  double output_w(double input_w) const noexcept {
    to_output(input_w);
    return input_w;
  }

  /// The same in place, for one (double) or eight (Lanes).
  template <class Numbers>
  void to_input(Numbers& w) const noexcept {
    input_.follow(w);
  }
  template <class Numbers>
  void to_output(Numbers& w) const noexcept {
    output_.follow(w);
    w = chosen(w > 0.0, w, Numbers{});
  }
  /// Output to input, in place, while a share of the supplies, above 0, carries all of it and the others have no power.
  template <class Numbers>
  void to_input_of_share(Numbers& w, double share) const {
    w *= 1.0 / share;
    input_.follow(w);
    w *= share;
  }

 private:
  static constexpr std::size_t knot_count = 5;  ///< 0, 10, 20, 50 and 100 % of rated output
  Polyline<knot_count> input_, output_;
};

/// The same for a single question.
double psu_input_w(const PsuParams& params, double output_w) noexcept;
double psu_output_w(const PsuParams& params, double input_w) noexcept;

/// What is wrong with values that each lie in range: cords without supplies, an input window without width, and efficiencies of which input does not rise with output,
/// so that there is no inverse.
std::vector<std::string> check(const PsuParams& params);

}  // namespace wattloop::electrical
