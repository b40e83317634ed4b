#include "twin/calibration/guideline.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double hour_s = 3600.0;
constexpr double least_reported_fraction = 0.9;  // of an hour or a month

/// Of a time: when its hour or month begins, and ends.
using Period = std::function<std::pair<double, double>(double time_s)>;

ModelScore score_of(std::span<const OverlayInterval> intervals) {
  std::vector<double> measured, modelled;
  for (const OverlayInterval& interval : intervals) {
    measured.push_back(interval.measured);
    modelled.push_back(interval.modelled);
  }
  return model_score(measured, modelled);
}

/// Means over periods that are reported nearly wholly. An interval is in the period in which it ends.
std::vector<OverlayInterval> means_over(std::span<const OverlayInterval> intervals, const Period& period) {
  std::vector<OverlayInterval> means;
  OverlayInterval sum;
  double reported_s = 0.0;
  const auto close = [&] {
    if (reported_s > 0.0 && reported_s >= least_reported_fraction * (sum.end_s - sum.begin_s))
      means.push_back({sum.begin_s, sum.end_s, sum.measured / reported_s, sum.modelled / reported_s});
  };
  for (const OverlayInterval& interval : intervals) {
    const double length_s = interval.end_s - interval.begin_s;
    const auto [begin_s, end_s] = period(interval.end_s - 0.5 * std::min(length_s, 1.0));
    if (begin_s != sum.begin_s || end_s != sum.end_s) {
      close();
      sum = {begin_s, end_s, 0.0, 0.0};
      reported_s = 0.0;
    }
    sum.measured += length_s * interval.measured;
    sum.modelled += length_s * interval.modelled;
    reported_s += length_s;
  }
  close();
  return means;
}

std::pair<double, double> hour_at(double time_s) {
  const double begin_s = hour_s * std::floor(time_s / hour_s);
  return {begin_s, begin_s + hour_s};
}

Period months_from(const std::string& start_iso) {
  return [start = parse_local_time(start_iso).value_or(LocalTime{1970})](double time_s) {
    const LocalTime now = time_after(start, time_s);
    const LocalTime next = now.month == 12 ? LocalTime{now.year + 1} : LocalTime{now.year, now.month + 1};
    return std::pair(seconds_between(start, {now.year, now.month}), seconds_between(start, next));
  };
}

}  // namespace

bool GuidelineVerdict::holds() const {
  return score.cv_rmse_ratio <= most_cv_rmse_ratio && std::abs(score.nmbe_ratio) <= most_nmbe_ratio;
}

std::vector<GuidelineVerdict> guideline_verdicts(std::span<const OverlayInterval> intervals,
                                                 const std::string& start_iso) {
  constexpr double hourly_cv = 0.30, hourly_nmbe = 0.10, monthly_cv = 0.15, monthly_nmbe = 0.05;
  std::vector<GuidelineVerdict> verdicts;
  if (intervals.empty()) return verdicts;
  const double usual_s = intervals.back().end_s - intervals.back().begin_s;
  if (usual_s < hour_s)
    verdicts.push_back({"of " + format_quantity(usual_s, "s"), score_of(intervals), hourly_cv, hourly_nmbe});
  if (usual_s <= hour_s) {
    const std::vector<OverlayInterval> hours = means_over(intervals, hour_at);
    if (hours.size() > 1) verdicts.push_back({"hourly", score_of(hours), hourly_cv, hourly_nmbe});
  }
  const std::vector<OverlayInterval> months = means_over(intervals, months_from(start_iso));
  if (months.size() > 1) verdicts.push_back({"monthly", score_of(months), monthly_cv, monthly_nmbe});
  return verdicts;
}

}  // namespace wattloop::twin
