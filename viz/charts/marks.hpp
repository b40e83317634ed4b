// What happened when: the names of events above the panels of a timeline, each event with its line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viz/charts/timeline.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Where the events of a timeline can be named: `left` and `right` are its ends in pixels for the times 0 and
/// `end_s`; names may reach as far as `names_end`.
struct MarkRoom {
  double left = 0.0, right = 0.0, names_end = 0.0;
  double end_s = 1.0;
  double size = 14.0;  ///< height of the text

  double x(double time_s) const { return left + (right - left) * time_s / end_s; }
};

/// A name that stands for one event or several of a kind.
struct MarkLabel {
  std::string text;
  double x = 0.0;     ///< of the first event's line
  double left = 0.0;  ///< of the text
  int line = 0;       ///< of text, from the lowest
  bool is_shown_time = false;
};

struct PlacedMarks {
  std::vector<MarkLabel> labels;
  std::vector<double> line_x;  ///< of events, each pixel once
  int lines = 0;               ///< of text that are used
};

/// Finds names and places for all events of the run, so that no names overlap. Where there is not enough room
/// events of one kind that are close to each other share a name ("12 x thermal_shutdown, 2 min to 3 min"),
/// and in the end all events one.
PlacedMarks place_marks(std::span<const Mark> marks, double shown_s, const MarkRoom& room);

/// Height that the names need.
double height_of(const PlacedMarks& placed, double size);

/// Draws lines down to `bottom` and names upwards from `names_bottom`.
void draw_marks(Drawing& drawing, const PlacedMarks& placed, double bottom, double names_bottom, double size);

}  // namespace wattloop::viz
