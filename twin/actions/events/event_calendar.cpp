#include "twin/actions/events/event_calendar.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wattloop::twin {

EventCalendar::EventCalendar(std::vector<ScheduledEvent> events) {
  for (ScheduledEvent& event : events) {
    last_pair_ = std::max(last_pair_, event.pair);
    events_[event.at_s].push_back(std::move(event));
  }
}

void EventCalendar::add(std::vector<ScheduledEvent> events) {
  const std::size_t before = last_pair_;
  for (ScheduledEvent& event : events) {
    if (event.pair != 0) event.pair += before;
    last_pair_ = std::max(last_pair_, event.pair);
    std::vector<ScheduledEvent>& of_time = events_[event.at_s];
    const auto place = std::ranges::upper_bound(of_time, event.begin_s, {}, &ScheduledEvent::begin_s);
    of_time.insert(place, std::move(event));
  }
}

std::span<const ScheduledEvent> EventCalendar::at(double t_s) const {
  const auto found = events_.find(t_s);
  return found == events_.end() ? std::span<const ScheduledEvent>() : std::span(found->second);
}

double EventCalendar::next_s(double t_s) const {
  const auto next = events_.upper_bound(t_s);
  return next == events_.end() ? std::numeric_limits<double>::infinity() : next->first;
}

EventCalendar EventCalendar::from(double t_s) const {
  EventCalendar later;
  later.events_.insert(events_.lower_bound(t_s), events_.end());
  later.last_pair_ = last_pair_;
  return later;
}

std::vector<ScheduledEvent> EventCalendar::events() const {
  std::vector<ScheduledEvent> all;
  for (const auto& [at_s, of_time] : events_) all.insert(all.end(), of_time.begin(), of_time.end());
  return all;
}

}  // namespace wattloop::twin
