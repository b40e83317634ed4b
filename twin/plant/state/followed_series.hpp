// A measured column over a run: what a setting or the weather follows. Times are seconds of the run.
//
//   linear   on the line between two samples          step   the earlier of the two
//
// Inputs of a plant are held between instants, so that a run is given means: over cells that end at every sample and, on a slope, at multiples
// of a tick. The integral over the run is that of the column, whoever integrates and wherever else windows end.
// Verified in tests/verification/work/followed.cpp.
#pragma once

#include <vector>

namespace wattloop::twin {

struct FollowedSeries {
  enum class Between { linear, step };

  std::vector<double>
      stamps_s;  ///< increasing; the first at or before the begin of the run, where no sample is missing there
  std::vector<double> values;  ///< SI
  double interval_s = 0.0;     ///< median step
  Between between = Between::linear;

  /// Before the first sample that, after the last one the last.
  double at(double time_s) const;

  /// What is held now, and until when; infinity after the last sample.
  struct Held {
    double value;
    double until_s;
  };
  Held held(double time_s) const;

  /// Its largest value from the begin of a run to its end.
  double largest(double duration_s) const;
};

}  // namespace wattloop::twin
