// Two series of samples at times of their own, laid over each other as means over the intervals of the coarser one.
#pragma once

#include <cstddef>
#include <vector>

#include "core/tables/time_stamps.hpp"

namespace wattloop::twin {

/// A sample stands for the interval that its time is the end, the begin or, half to either side, the instant of: up to the next sample there,
/// at most one and a half of the usual interval. Times ascend.
struct SampleSeries {
  std::vector<double> times_s{}, values{};
  StampOf stamp = StampOf::end;
};

struct OverlayInterval {
  double begin_s = 0.0, end_s = 0.0;
  double measured = 0.0, modelled = 0.0;
};

struct Overlay {
  std::vector<OverlayInterval> intervals;
  double interval_s = 0.0;   ///< usual interval of the coarser series
  std::size_t left_out = 0;  ///< intervals of the coarser series of which the other series covers less than nine tenths
};

Overlay overlay_of(const SampleSeries& measured, const SampleSeries& modelled);

}  // namespace wattloop::twin
