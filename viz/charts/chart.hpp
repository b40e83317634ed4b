// Draws a timeline: panels one below the other over a common time axis, with legends, marks and the time of
// the picture.
#pragma once

#include "viz/charts/timeline.hpp"

namespace wattloop::viz {

/// Adds the timeline to `drawing`, all of it inside `area`. `size` is the height of its text in pixels.
void draw_timeline(Drawing& drawing, const Timeline& timeline, const Rectangle& area, double size);

}  // namespace wattloop::viz
