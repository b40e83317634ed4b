// The timeline: at which instants something may jump. Periodic instants are whole multiples of their interval, computed
// the same way each time, so that equal instants are equal numbers.
#pragma once

#include <utility>
#include <vector>

#include "twin/actions/events/event_calendar.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

/// First multiple of `interval_s` after `t_s`.
double next_multiple_s(double t_s, double interval_s);

/// Whether `t_s` is a multiple of `interval_s`.
bool is_multiple(double t_s, double interval_s);

/// GPU firmware looks at its die once a second.
inline constexpr double protection_interval_s = 1.0;

/// Staging logic looks at pumps every five seconds.
inline constexpr double control_interval_s = 5.0;

/// At whole multiples of this a run may be left and taken up again: integrators forget there what they carried, taken or
/// not. A multiple of the control interval, so that windows end there anyway.
inline constexpr double checkpoint_interval_s = 600.0;

/// The smallest windows that skip seconds of firmware, where longer ones did not stay calm.
inline constexpr double shortest_skip_s = 60.0;

class Timeline {
 public:
  Timeline(std::vector<ScheduledEvent> events, const workload::Workload& workload,
           std::vector<double> record_intervals_s, double end_s);

  /// The next instant after `t_s` at which the step contract has something to do.
  double next_s(double t_s) const;

  /// How far a window may go: to multiples of `largest_s`, 0 for the next instant alone; and whether over control ticks.
  struct Reach {
    double largest_s = 0.0;
    bool crosses_control_ticks = false;
  };

  /// The instants after `t_s` up to the first at which more than work, firmware and records may act: an event, a control
  /// tick, the weather, the end, or a multiple of `reach.largest_s`.
  void fill_window(double t_s, Reach reach, std::vector<double>& instants_s) const;

  /// The first instant after `t_s` that firmware and staging have no part in: work, records, events, the end.
  double next_thing_s(double t_s) const;

  /// The instant of a window that skips seconds, its end: the next such one, or the next multiple of `longest_s`.
  void fill_skipping(double t_s, double longest_s, std::vector<double>& instants_s) const;

  /// Events due at `t_s`, in their order.
  std::span<const ScheduledEvent> events_at(double t_s) const { return events_.at(t_s); }

  const EventCalendar& events() const { return events_; }

  /// Adds events after the present instant of the run or at it.
  void add(std::vector<ScheduledEvent> events) { events_.add(std::move(events)); }

  /// From here on these events alone.
  void follow(EventCalendar events) { events_ = std::move(events); }

  double end_s() const { return end_s_; }

  /// A window ends there as at an event.
  void stop_at(double time_s) { stop_s_ = time_s; }

 private:
  double next_event_s(double t_s) const;

  EventCalendar events_;
  const workload::Workload& workload_;
  std::vector<double> record_intervals_s_;
  double end_s_;
  double stop_s_ = -1.0;
};

}  // namespace wattloop::twin
