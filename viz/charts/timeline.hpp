// Curves over the whole run, from a results file: power above, temperatures below, and what happened when.
#pragma once

#include <string>
#include <vector>

#include "twin/results/results_reader.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

struct Curve {
  std::string label;
  Colour colour;
  std::vector<double> times_s;
  std::vector<double> values;  ///< in the panel's unit
};

/// Curves that share a vertical axis.
struct Panel {
  std::string title;  ///< with unit: "power, kW"
  std::vector<Curve> curves;
  bool from_zero = false;
};

/// Something that happened, marked in every panel.
struct Mark {
  double time_s = 0.0;
  std::string kind, target;  ///< "fail", "cdu_1"
};

struct Timeline {
  double end_s = 0.0;
  double shown_s = 0.0;  ///< time of the hall picture
  std::vector<Panel> panels;
  std::vector<Mark> marks;
};

/// Curves that were recorded; panels without any are left out.
Timeline read_timeline(const twin::ResultsReader& results, double shown_s);

}  // namespace wattloop::viz
