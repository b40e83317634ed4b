// States of equipment over time: a lane for each, coloured by what it does, as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/drawings/charts/drawing_width.hpp"

namespace wattloop::twin {

/// What a lane shows; each has one colour on every page.
enum class LaneState {
  runs,
  stands,
  disabled,
  failed,
  off,
  off_in_part,
  on_battery,
  slowed,
  partly,
  not_recorded,
  waits,
  stopped
};

struct LaneSpan {
  double begin_s = 0.0, end_s = 0.0;
  LaneState state = LaneState::not_recorded;
  std::string words{};  ///< "failed", shown under the pointer and where there is room
};

struct Lane {
  std::string title{};
  std::vector<LaneSpan> spans{};  ///< in the order of time, none overlaps
};

/// Lanes below each other over one axis of time, with a legend of the states that occur. Empty without lanes or time.
std::string swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s);

/// For a telephone: the whole time in one column, the name of a lane above its bar.
std::string narrow_swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s);

/// The one or the other.
inline std::string swim_lanes(std::span<const Lane> lanes, double begin_s, double end_s, DrawingWidth width) {
  return width == DrawingWidth::wide ? swim_lanes(lanes, begin_s, end_s) : narrow_swim_lanes(lanes, begin_s, end_s);
}

/// Spans of equal state from samples: each holds until the next sample, the last until `end_s`.
std::vector<LaneSpan> lane_spans(std::span<const double> times_s, std::span<const LaneState> states, double end_s);

}  // namespace wattloop::twin
