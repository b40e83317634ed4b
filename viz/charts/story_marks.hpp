// What happened, above the panels of a timeline: lines in words with numbers, and these numbers where the lines stand in time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/report/event_story.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Where a story stands: words across `area`, numbers above the first panel, whose ends are `left` and `right` for `begin_s` and `end_s`.
struct StoryRoom {
  Rectangle area;
  double left = 0.0, right = 0.0;
  double begin_s = 0.0, end_s = 1.0;
  double size = 14.0;  ///< height of the text

  double x(double time_s) const { return left + (right - left) * (time_s - begin_s) / (end_s - begin_s); }
};

/// A line of the story with the number that finds it in the panels.
struct StoryEntry {
  int number = 0;
  std::vector<std::string> lines;  ///< of text, the first with the time
  double x = 0.0;                  ///< of its upright in the panels
  bool is_loss = false;
};

/// A number above the panels, or several that stand close together.
struct StoryNumber {
  double x = 0.0;
  int first = 0, last = 0;
  std::vector<double> uprights;
};

struct PlacedStory {
  std::vector<StoryEntry> entries;
  std::vector<StoryNumber> numbers;
  std::string rest{};     ///< what the black upright is, and how many more events there are
  double shown_x = 0.0;   ///< of the time of the picture
  bool is_shown = false;  ///< that time is between begin and end
};

/// The most telling lines that fit, all with the same number of text lines at most two each.
PlacedStory place_story(std::span<const twin::StoryLine> story, double shown_s, const StoryRoom& room);

/// Height that the words need.
double height_of(const PlacedStory& placed, double size);

/// The same of the row of numbers, which stands between the title of the first panel and its plot.
double height_of_numbers(const PlacedStory& placed, double size);

/// Words at the top of `area`, numbers above the first of the plots, uprights in all of them and nowhere else.
void draw_story(Drawing& drawing, const PlacedStory& placed, const StoryRoom& room, std::span<const Rectangle> plots);

}  // namespace wattloop::viz
