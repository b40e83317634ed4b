// A chart as its reader reads it: from tick labels to a scale, from pixels to values. Knows nothing of how it was drawn
// but where texts and lines ended up.
#pragma once

#include <string>
#include <vector>

#include "viz/drawing/drawing.hpp"

namespace wattloop::tests {

/// A scale as its ticks report it.
struct ReadScale {
  double pixel = 0.0, value = 0.0;  ///< of one tick
  double value_per_pixel = 0.0;
  std::size_t ticks = 0;
  double at(double pixel_there) const { return value + (pixel_there - pixel) * value_per_pixel; }
};

/// One panel with the scale of its left edge.
struct ReadPanel {
  viz::Rectangle area;
  std::string title;
  ReadScale values;
};

struct ReadChart {
  std::vector<ReadPanel> panels;  ///< from the top
  ReadScale time_s;               ///< in seconds, from the ticks and the unit in the axis' title
  std::string time_title;
};

/// Reads the scales of a chart; `size` is the height of its text. Checks on the way that ticks stand at equal distances
/// for equal numbers, that each has a line at its own place, and that no line has no label.
ReadChart read_chart(const viz::Drawing& drawing, double size);

/// Points of the lines of that colour with more than `least_points` points inside of `area`.
std::vector<std::vector<viz::Point>> lines_in(const viz::Drawing& drawing, const viz::Rectangle& area,
                                              const viz::Colour& colour, std::size_t least_points);

std::vector<viz::Text> texts_in(const viz::Drawing& drawing);

}  // namespace wattloop::tests
