// Which moment of a run is shown: a time, an event, the worst, the end.
#pragma once

#include <string>

#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

struct Moment {
  double time_s = 0.0;
  std::string words{};  ///< "first throttle", why this moment was chosen; empty for a time that was asked for
};

/// The worst moment: when most GPUs are off, of such moments when most are throttled, then the first; where no GPU is
/// ever off or throttled, when a die is hottest.
Moment worst_moment(const ResultsReader& results);

/// A time ("30 min"), the kind of an event ("first_throttle": its first), "worst" or "end"; empty: the worst. Throws
/// `InputError` where it is none of them.
Moment read_moment(const ResultsReader& results, const std::string& given);

}  // namespace wattloop::twin
