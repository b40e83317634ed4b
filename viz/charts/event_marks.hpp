// What happened, above the panels of a timeline: lines in words with numbers, and these numbers where the lines stand in time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/report/events/event_summary.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Where an event summary stands: words across `area`, numbers above the first panel, whose ends are `left` and `right` for `begin_s` and `end_s`.
struct EventSummaryRoom {
  Rectangle area;
  double left = 0.0, right = 0.0;
  double begin_s = 0.0, end_s = 1.0;
  double size = 14.0;  ///< height of the text

  double x(double time_s) const { return left + (right - left) * (time_s - begin_s) / (end_s - begin_s); }
};

/// A line of the event summary with the number that finds it in the panels.
struct EventSummaryEntry {
  int number = 0;
  std::vector<std::string> lines;  ///< of text, the first with the time
  double x = 0.0;                  ///< of its upright in the panels
  bool is_loss = false;
};

/// A number above the panels, or several that stand close together.
struct EventNumber {
  double x = 0.0;
  int first = 0, last = 0;
  std::vector<double> uprights;
};

struct PlacedEvents {
  std::vector<EventSummaryEntry> entries;
  std::vector<EventNumber> numbers;
  std::string rest{};     ///< what the black upright is, and how many more events there are
  double shown_x = 0.0;   ///< of the time of the picture
  bool is_shown = false;  ///< that time is between begin and end
};

/// The most reporting lines that fit, all with the same number of text lines at most two each.
PlacedEvents place_events(std::span<const twin::EventSummaryLine> event_lines, double shown_s,
                          const EventSummaryRoom& room);

/// Height that the words need.
double height_of(const PlacedEvents& placed, double size);

/// The same of the row of numbers, which stands between the title of the first panel and its plot.
double height_of_numbers(const PlacedEvents& placed, double size);

/// Words at the top of `area`, numbers above the first of the plots, uprights in all of them and nowhere else.
void draw_events(Drawing& drawing, const PlacedEvents& placed, const EventSummaryRoom& room,
                 std::span<const Rectangle> plots);

}  // namespace wattloop::viz
