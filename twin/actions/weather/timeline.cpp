#include "twin/actions/weather/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "twin/actions/weather/outdoors.hpp"

namespace wattloop::twin {

namespace {
constexpr double rounding_ratio = 1e-9;  ///< of the interval: far below any interval, far above round-off

/// Instants that differ by their rounding alone are one, that of the event.
double with_event(double next_s, double event_s) {
  constexpr double least_s = 1e-10, roundings = 4.0;
  const double rounding_s = std::max(least_s, roundings * std::numeric_limits<double>::epsilon() * event_s);
  return event_s - next_s < rounding_s ? event_s : next_s;
}

}  // namespace

double next_multiple_s(double t_s, double interval_s) {
  return (std::floor(t_s / interval_s + rounding_ratio) + 1.0) * interval_s;
}

bool is_multiple(double t_s, double interval_s) {
  const double intervals = t_s / interval_s;
  return std::abs(intervals - std::round(intervals)) < rounding_ratio;
}

Timeline::Timeline(std::vector<ScheduledEvent> events, const workload::Workload& workload,
                   std::vector<double> record_intervals_s, double end_s)
    : events_(std::move(events)),
      workload_(workload),
      record_intervals_s_(std::move(record_intervals_s)),
      end_s_(end_s) {}

double Timeline::next_event_s(double t_s) const {
  const double next_s = std::min(end_s_, events_.next_s(t_s));
  return t_s < stop_s_ ? std::min(next_s, stop_s_) : next_s;
}

double Timeline::next_thing_s(double t_s) const {
  const double event_s = next_event_s(t_s);
  double next_s = std::min(event_s, workload_.next_change_s(t_s));
  for (const double interval_s : record_intervals_s_) next_s = std::min(next_s, next_multiple_s(t_s, interval_s));
  return with_event(next_s, event_s);
}

void Timeline::fill_skipping(double t_s, double longest_s, std::vector<double>& instants_s) const {
  instants_s.assign(1, std::min(next_thing_s(t_s), next_multiple_s(t_s, longest_s)));
}

double Timeline::next_s(double t_s) const {
  const double event_s = next_event_s(t_s);
  double next_s = std::min(event_s, workload_.next_change_s(t_s));
  next_s = std::min(next_s, next_multiple_s(t_s, protection_interval_s));
  next_s = std::min(next_s, next_multiple_s(t_s, control_interval_s));
  for (const double interval_s : record_intervals_s_) next_s = std::min(next_s, next_multiple_s(t_s, interval_s));
  return with_event(next_s, event_s);
}

void Timeline::fill_window(double t_s, Reach reach, std::vector<double>& instants_s) const {
  instants_s.assign(1, next_s(t_s));
  if (reach.largest_s <= 0.0) return;
  const double tick_s = reach.crosses_control_ticks ? weather_interval_s : control_interval_s;
  double end_s = std::min(next_event_s(t_s), next_multiple_s(t_s, tick_s));
  end_s = std::min(end_s, next_multiple_s(t_s, reach.largest_s));
  while (instants_s.back() < end_s) instants_s.push_back(next_s(instants_s.back()));
}

}  // namespace wattloop::twin
