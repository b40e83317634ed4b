// The instants at which a window is cut into samples: those it was asked for, with more between them where inlets bend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twin/integration/core/integrator.hpp"

namespace wattloop::twin {

class WindowGrid {
 public:
  /// The instants of `window`, and others between them so that none are further apart than `longest_s`.
  void fill(double begin_s, const Window& window, double longest_s);

  /// Ends the grid at `end_s`, which lies within it.
  void cut(double end_s);

  double end_s() const { return instants_s_.back(); }
  std::span<const double> instants_s() const { return instants_s_; }
  std::span<const std::uint8_t> shows_units() const { return shows_units_; }

  /// Whether an instant was asked for; counted from 1, as 0 is the begin.
  bool is_asked(std::size_t instant) const { return is_asked_[instant - 1] != 0; }

 private:
  std::vector<double> instants_s_;
  std::vector<std::uint8_t> shows_units_, is_asked_;  ///< [instant - 1]
};

/// The part of a window up to the first of its instants that is not before `end_s`.
Window part_until(double end_s, const Window& whole);

}  // namespace wattloop::twin
