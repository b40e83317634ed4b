// Where the bars of a diagram begin and end: over what they join, as far as there is room beside them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "twin/drawings/diagrams/layered_layout.hpp"

namespace wattloop::twin {

inline constexpr double box_width = 170, column_width = 188;  ///< pixels

/// From left to right, pixels. Of what is no bar: of its box.
struct Extent {
  double left = 0.0, right = 0.0;

  /// The place nearest to `x` at which a line meets the bar.
  double port(double x) const;
};

/// [box] `is_bar`: [box]; connections as the layout has them.
std::vector<Extent> extents_of(const LayeredLayout& layout, std::span<const std::array<std::size_t, 2>> connections,
                               const std::vector<bool>& is_bar);

}  // namespace wattloop::twin
