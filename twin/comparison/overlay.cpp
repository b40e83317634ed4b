#include "twin/comparison/overlay.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

constexpr double least_reported_fraction = 0.9;

}  // namespace

Overlay overlay_of(const SampleSeries& measured, const SampleSeries& modelled) {
  const double measured_s = median_step_s(measured.times_s), modelled_s = median_step_s(modelled.times_s);
  Overlay overlay{.intervals = {}, .interval_s = std::max(measured_s, modelled_s)};
  if (measured_s <= 0.0 || modelled_s <= 0.0) return overlay;
  const bool is_measured_coarse = measured_s >= modelled_s;
  const SampleSeries &coarse = is_measured_coarse ? measured : modelled,
                     &fine = is_measured_coarse ? modelled : measured;
  const RowIntervals of_coarse = row_intervals(coarse.times_s, overlay.interval_s, coarse.stamp);
  const RowIntervals of_fine = row_intervals(fine.times_s, std::min(measured_s, modelled_s), fine.stamp);
  std::size_t first = 0;
  for (std::size_t k = 0; k < coarse.times_s.size(); ++k) {
    const double begin = of_coarse.begin_s[k], end = of_coarse.end_s[k];
    double sum = 0.0, reported_s = 0.0;
    while (first < fine.times_s.size() && of_fine.end_s[first] <= begin) ++first;
    for (std::size_t i = first; i < fine.times_s.size() && of_fine.begin_s[i] < end; ++i) {
      const double shared_s = std::min(of_fine.end_s[i], end) - std::max(of_fine.begin_s[i], begin);
      if (shared_s <= 0.0) continue;
      sum += shared_s * fine.values[i];
      reported_s += shared_s;
    }
    if (reported_s < least_reported_fraction * (end - begin)) {
      ++overlay.left_out;
      continue;
    }
    const double mean = sum / reported_s, own = coarse.values[k];
    overlay.intervals.push_back({begin, end, is_measured_coarse ? own : mean, is_measured_coarse ? mean : own});
  }
  return overlay;
}

}  // namespace wattloop::twin
