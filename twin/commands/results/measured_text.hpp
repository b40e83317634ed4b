// What `wattloop compare --measured` prints and writes.
#pragma once

#include <span>
#include <string>

#include "twin/comparison/measured_comparison.hpp"

namespace wattloop::twin {

/// Scores and worst intervals, for people.
std::string measured_text(std::span<const MeasuredSeries> series);
/// The same for programs.
std::string measured_json(std::span<const MeasuredSeries> series);

/// The first line of an overlay, by which it is known.
inline constexpr const char* overlay_head = "begin_s,end_s,recorded,unit,measured,modelled,measured_less_modelled\n";
/// One line for each interval of each series.
std::string overlay_csv(std::span<const MeasuredSeries> series);

}  // namespace wattloop::twin
