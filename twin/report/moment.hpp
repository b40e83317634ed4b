// Which moment of a run is shown: a time, an event, the worst, the end.
#pragma once

#include <string>
#include <vector>

#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

struct ShownMoment {
  double time_s = 0.0;
  std::string words{};  ///< "first throttle", why this moment was chosen; empty for a time that was asked for
};

/// Times that pictures can show: those at which racks were recorded, else GPUs, else the facility. Empty where nothing was.
std::vector<double> shown_times_s(const ResultsReader& results);

/// The worst moment of those at which racks were recorded, so that all pictures show the same: when most GPUs are down, of such
/// moments when most are throttled, then the first; where no GPU is ever down or throttled, when a die is hottest.
ShownMoment worst_moment(const ResultsReader& results);

/// A time ("30 min"), a time of day or a date ("16:00", "2026-07-15 16:00"), the kind of an event ("first_throttle": its first), "worst" or "end"; empty: the worst.
/// It is the time of a record that pictures show: the nearest, of an event the first that shows what it did. Throws
/// `InputError` where it is none of them.
ShownMoment read_moment(const ResultsReader& results, const std::string& given);

}  // namespace wattloop::twin
