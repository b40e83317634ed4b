// Where events that are added later come among those that are there.
#include <limits>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/actions/events/event_calendar.hpp"

using namespace wattloop::twin;

namespace {

ScheduledEvent event_at(double at_s, const std::string& name) {
  ScheduledEvent event;
  event.at_s = event.begin_s = at_s;
  event.name = name;
  return event;
}

/// A temporary event and its end, as `schedule_events` has them.
std::vector<ScheduledEvent> temporary(double begin_s, double end_s, const std::string& name, std::size_t pair = 1) {
  std::vector<ScheduledEvent> both{event_at(begin_s, name), event_at(begin_s, "end of " + name)};
  both[1].at_s = end_s;
  for (ScheduledEvent& one : both) one.pair = pair;
  return both;
}

std::string names_at(const EventCalendar& calendar, double t_s) {
  std::string names;
  for (const ScheduledEvent& event : calendar.at(t_s)) names += (names.empty() ? "" : ", ") + event.name;
  return names;
}

}  // namespace

TEST_CASE("events of one time are in the order in which they begin, and then in the order in which they were given",
          "[event_calendar]") {
  EventCalendar calendar({event_at(10.0, "a"), event_at(25.0, "b")});
  calendar.add({event_at(25.0, "c")});
  calendar.add(temporary(12.0, 25.0, "d"));
  calendar.add(temporary(11.0, 25.0, "e"));
  calendar.add({event_at(25.0, "f")});
  CHECK(names_at(calendar, 25.0) == "end of e, end of d, b, c, f");
  CHECK(names_at(calendar, 10.0) == "a");
  CHECK(names_at(calendar, 10.5).empty());
}

TEST_CASE("a calendar names the next time at which there is an event", "[event_calendar]") {
  EventCalendar calendar;
  CHECK(calendar.next_s(0.0) == std::numeric_limits<double>::infinity());
  calendar.add(temporary(5.0, 7.5, "a"));
  CHECK(calendar.next_s(-1.0) == 5.0);
  CHECK(calendar.next_s(5.0) == 7.5);
  CHECK(calendar.next_s(7.5) == std::numeric_limits<double>::infinity());
}

TEST_CASE("every temporary event has a number that no other has, also after the events before it are dropped",
          "[event_calendar]") {
  EventCalendar all(temporary(1.0, 2.0, "a", 4));
  all.add(temporary(3.0, 9.0, "b"));
  EventCalendar later = all.from(3.0);
  for (EventCalendar* calendar : {&all, &later}) calendar->add(temporary(5.0, 6.0, "c"));
  CHECK(all.events().size() == 6);
  CHECK(later.events().size() == 4);
  for (const EventCalendar* calendar : {&all, &later}) {
    CHECK(calendar->at(3.0).front().pair == 5);
    CHECK(calendar->at(9.0).front().pair == 5);
    CHECK(calendar->at(5.0).front().pair == 6);
    CHECK(calendar->at(6.0).front().pair == 6);
  }
  CHECK(all.at(1.0).front().pair == 4);
}
