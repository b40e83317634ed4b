// The smallest value of a function of one number between two bounds, by Brent's method: golden section, and parabolas where they help.
// Source: [brent1973] ch. 5, as Boost.Math has it. It finds a local minimum; whether there is another is seen from all trials.
#pragma once

#include <functional>
#include <vector>

namespace wattloop::twin {

struct OptimumTrial {
  double at = 0.0, value = 0.0;
};

struct Optimum {
  double at = 0.0, value = 0.0;
  bool is_at_end = false;              ///< of the range: beyond it may be better
  bool has_valleys = false;            ///< trials go down, up and down again: there may be a better one elsewhere
  std::vector<OptimumTrial> trials{};  ///< in their order, the ends first
};

/// Of the trials the best, within `tolerance` of a local minimum. std::invalid_argument where range or tolerance is empty.
Optimum minimise(double low, double high, double tolerance, const std::function<double(double)>& value_at);

}  // namespace wattloop::twin
