// Scheduled events by their times. One that is added later takes the place that it would have had from the start.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "twin/actions/events/scheduled_events.hpp"

namespace wattloop::twin {

/// Events of one time are in the order in which they begin, and then in the order in which they were given.
class EventCalendar {
 public:
  EventCalendar() = default;

  /// In the order of `schedule_events`.
  explicit EventCalendar(std::vector<ScheduledEvent> events);

  /// Adds events that were scheduled by themselves. Their pairs get numbers that no other pair has. The work is that of these events,
  /// however many others there are.
  void add(std::vector<ScheduledEvent> events);

  std::span<const ScheduledEvent> at(double t_s) const;

  /// The time of the first event after `t_s`; infinity if there is none.
  double next_s(double t_s) const;

  /// The events at `t_s` and after it; new pairs get the numbers that they would get here.
  EventCalendar from(double t_s) const;

  /// All of them, in order.
  std::vector<ScheduledEvent> events() const;

 private:
  std::map<double, std::vector<ScheduledEvent>> events_{};
  std::size_t last_pair_ = 0;
};

}  // namespace wattloop::twin
