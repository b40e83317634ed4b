#include "twin/comparison/overlay.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

constexpr double longest_gap_ratio = 1.5, least_told_fraction = 0.9;

/// The median interval; zero of fewer than two samples.
double usual_interval_s(const std::vector<double>& times_s) {
  std::vector<double> intervals_s;
  for (std::size_t k = 1; k < times_s.size(); ++k) intervals_s.push_back(times_s[k] - times_s[k - 1]);
  if (intervals_s.empty()) return 0.0;
  const auto middle = intervals_s.begin() + static_cast<std::ptrdiff_t>(intervals_s.size() / 2);
  std::nth_element(intervals_s.begin(), middle, intervals_s.end());
  return *middle;
}

/// When the time begins that sample `k`, from 1, stands for.
double begin_s(const SampleSeries& series, std::size_t k, double usual_s) {
  const double since_s = series.times_s[k] - series.times_s[k - 1];
  return series.times_s[k] - (since_s > longest_gap_ratio * usual_s ? usual_s : since_s);
}

}  // namespace

Overlay overlay_of(const SampleSeries& measured, const SampleSeries& modelled) {
  const double measured_s = usual_interval_s(measured.times_s), modelled_s = usual_interval_s(modelled.times_s);
  Overlay overlay{.intervals = {}, .interval_s = std::max(measured_s, modelled_s)};
  if (measured_s <= 0.0 || modelled_s <= 0.0) return overlay;
  const bool is_measured_coarse = measured_s >= modelled_s;
  const SampleSeries &coarse = is_measured_coarse ? measured : modelled,
                     &fine = is_measured_coarse ? modelled : measured;
  const double fine_s = std::min(measured_s, modelled_s);
  std::size_t first = 1;
  for (std::size_t k = 1; k < coarse.times_s.size(); ++k) {
    const double begin = begin_s(coarse, k, overlay.interval_s), end = coarse.times_s[k];
    double sum = 0.0, told_s = 0.0;
    while (first < fine.times_s.size() && fine.times_s[first] <= begin) ++first;
    for (std::size_t i = first; i < fine.times_s.size() && fine.times_s[i - 1] < end; ++i) {
      const double shared_s = std::min(fine.times_s[i], end) - std::max(begin_s(fine, i, fine_s), begin);
      if (shared_s <= 0.0) continue;
      sum += shared_s * fine.values[i];
      told_s += shared_s;
    }
    if (told_s < least_told_fraction * (end - begin)) {
      ++overlay.left_out;
      continue;
    }
    const double mean = sum / told_s, own = coarse.values[k];
    overlay.intervals.push_back({begin, end, is_measured_coarse ? own : mean, is_measured_coarse ? mean : own});
  }
  return overlay;
}

}  // namespace wattloop::twin
