// Dry and wet bulb at the instants of all events of the weather that are still to come. What an event changes is compared from its instant on,
// up to the instant from which everything is as before: the work of an event does not follow from the number of the others.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

class WeatherAhead {
 public:
  /// Of a run that has come to `now`, with the events of that instant and of later ones. `scenario` and `plant` must outlive it.
  WeatherAhead(const Scenario& scenario, const Plant& plant, const PlantState& now,
               std::span<const ScheduledEvent> events);

  /// Whether further events, none of which is before `now`, set a wet bulb above the dry bulb at any instant of events or at the end of
  /// any ramp: that goes to `problems`. Their pairs are those that they get in the calendar of the run.
  void check(const PlantState& now, std::span<const ScheduledEvent> events, Problems& problems);

  /// The events of the last `check` are events of the run from now on. Without it they are forgotten.
  void take() { changes_.clear(); }

 private:
  using Courses = std::vector<SettingCourse>;  ///< of bulbs that events have changed

  /// What the first events of an instant made of the courses before it.
  struct Known {
    Courses before, after;
    std::array<double, 2> weather_k{};  ///< dry and wet bulb where no event has changed them
    std::size_t events = 0;
  };
  struct Instant {
    std::vector<ScheduledEvent> events;  ///< none: the end of a ramp
    std::optional<Known> known;
  };
  using Place = std::map<double, Instant>::iterator;

  /// What has to be undone if events are not taken.
  struct Change {
    double time_s = 0.0;
    bool is_new = false;                     ///< the whole instant
    std::optional<std::size_t> event = {};   ///< that was put there
    std::optional<Known> known_before = {};  ///< otherwise
  };

  Place instant_at(double time_s);
  void put(const ScheduledEvent& event, std::vector<double>& times_s);
  void undo();
  Courses courses_of(const PlantState& now) const;
  bool compare(Place at, const Courses& before, Problems& problems);
  Known after(const Instant& instant, double time_s, const Courses& before);

  const Scenario& scenario_;
  const Plant& plant_;
  const Outdoors outdoors_;
  std::map<double, Instant> instants_;
  std::vector<Change> changes_;
  PlantState state_{};              ///< scratch
  std::vector<EventRecord> log_{};  ///< scratch
};

/// Events of a scenario that set a wet bulb above the dry bulb, at their times and at the ends of their ramps, go to `problems`.
void check_set_weather(const Scenario& scenario, const Plant& plant, std::span<const ScheduledEvent> events,
                       Problems& problems);

}  // namespace wattloop::twin
