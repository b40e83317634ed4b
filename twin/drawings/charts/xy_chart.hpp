// One quantity over another, as SVG with axes.
#pragma once

#include <string>
#include <vector>

#include "twin/drawings/charts/drawing_width.hpp"

namespace wattloop::twin {

struct XyAxis {
  std::string title{};  ///< with its unit: "power, MW"
  double low = 0.0, high = 1.0;
  bool is_logarithmic = false;       ///< by powers of ten; low > 0
  std::vector<std::string> names{};  ///< stand at 0, 1, ... instead of numbers
};

struct XyLine {
  std::string name{};  ///< empty: not in the legend
  std::string colour{};
  std::vector<double> x{}, y{};
  enum class Mark { line, dots, steps } mark = Mark::line;  ///< steps: each x holds until the next
  double width = 1.8;                                       ///< of the line, or of dots across
  std::string label_at_end{};                               ///< stands where the line ends or leaves the axes
  std::string dashes{};                                     ///< "6 4": drawn and left out, in turn; empty: a full line
  bool is_label_upright = false;                            ///< along a line that goes up
};

struct XyChart {
  XyAxis x{}, y{};
  std::vector<XyLine> lines{};
  DrawingWidth for_width = DrawingWidth::wide;
};

/// What lies outside of the axes is cut off; not a number: a gap. Empty without anything finite.
std::string xy_chart(const XyChart& chart);

/// The chart for screens and paper, and that for a telephone.
std::string xy_chart_in_both_widths(XyChart chart);

}  // namespace wattloop::twin
