#include "twin/planning/weather/weather_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/weather/set_weather.hpp"
#include "twin/planning/events/fault_events.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding_of_bulbs_k = 1e-6;

bool is_same(const Ramp& one, const Ramp& other) {
  return one.from == other.from && one.to == other.to && one.start_s == other.start_s && one.end_s == other.end_s;
}

bool is_same(const TemporarySetting& one, const TemporarySetting& other) {
  return one.pair == other.pair && is_same(one.ramp, other.ramp) && one.leaves_s == other.leaves_s &&
         one.gone_s == other.gone_s;
}

/// Whether the same follows from both from now on.
bool is_same(const SettingCourse& one, const SettingCourse& other) {
  const auto are_same = [](const auto& a, const auto& b) { return is_same(a, b); };
  return one.input == other.input && one.is_set == other.is_set && is_same(one.lasting, other.lasting) &&
         std::ranges::equal(one.temporary, other.temporary, are_same);
}

bool are_same(const std::vector<SettingCourse>& some, const std::vector<SettingCourse>& others) {
  return std::ranges::equal(some, others, [](const auto& one, const auto& other) { return is_same(one, other); });
}

bool is_of_weather(const Plant& plant, const ScheduledEvent& event) {
  return event.target_kind == ScheduledEvent::TargetKind::input &&
         (event.target == plant.outside.dry_bulb || event.target == plant.outside.wet_bulb);
}

/// The event of the weather that acted last.
Mention last_of_weather(const Scenario& scenario, double time_s) {
  Mention mention;
  for (const EventSpec& spec : scenario.events) {
    if (spec.at_s > time_s || spec.kind != EventSpec::Kind::set) continue;
    const auto target = std::ranges::find_if(spec.targets, is_a_bulb);
    if (target != spec.targets.end())
      mention = mention_of(spec, static_cast<std::size_t>(target - spec.targets.begin()));
  }
  return mention;
}

}  // namespace

WeatherAhead::WeatherAhead(const Scenario& scenario, const Plant& plant, const PlantState& now,
                           std::span<const ScheduledEvent> events)
    : scenario_(scenario), plant_(plant), outdoors_(make_outdoors(scenario)) {
  state_.inputs = plant.initial_inputs;
  std::vector<double> times_s;
  for (const ScheduledEvent& event : events) put(event, times_s);
  for (const SettingCourse& course : courses_of(now)) {
    times_s.push_back(course.lasting.end_s);
    for (const TemporarySetting& setting : course.temporary)
      times_s.insert(times_s.end(), {setting.ramp.end_s, setting.gone_s});
  }
  for (const double time_s : times_s) {
    if (time_s >= now.time_s && !std::isinf(time_s)) instant_at(time_s);
  }
  take();
}

WeatherAhead::Courses WeatherAhead::courses_of(const PlantState& now) const {
  Courses courses;
  for (const SettingCourse& course : now.equipment.courses) {
    if (course.input != plant_.outside.dry_bulb && course.input != plant_.outside.wet_bulb) continue;
    courses.push_back(course);
    drop_gone(courses.back(), now.time_s);
  }
  return courses;
}

WeatherAhead::Place WeatherAhead::instant_at(double time_s) {
  const auto [place, is_new] = instants_.try_emplace(time_s);
  if (is_new) changes_.push_back({.time_s = time_s, .is_new = true});
  return place;
}

/// An event of the weather at its place among those of its instant (twin/actions/events/event_calendar.hpp).
void WeatherAhead::put(const ScheduledEvent& event, std::vector<double>& times_s) {
  if (!is_of_weather(plant_, event)) return;
  Instant& instant = instant_at(event.at_s)->second;
  std::vector<ScheduledEvent>& of_time = instant.events;
  const auto place = std::ranges::upper_bound(of_time, event.begin_s, {}, &ScheduledEvent::begin_s);
  const auto number = static_cast<std::size_t>(place - of_time.begin());
  of_time.insert(place, event);
  changes_.push_back({.time_s = event.at_s, .event = number});
  if (instant.known && number < instant.known->events)
    changes_.push_back({.time_s = event.at_s, .known_before = std::exchange(instant.known, {})});
  times_s.insert(times_s.end(), {event.at_s, event.at_s + event.over_s});
}

void WeatherAhead::undo() {
  for (; !changes_.empty(); changes_.pop_back()) {
    Change& change = changes_.back();
    const auto place = instants_.find(change.time_s);
    if (place == instants_.end()) continue;  // it is past
    Instant& instant = place->second;
    if (change.is_new) {
      instants_.erase(place);
    } else if (change.event) {
      instant.events.erase(instant.events.begin() + static_cast<std::ptrdiff_t>(*change.event));
    } else {
      instant.known = std::move(change.known_before);
    }
  }
}

/// What the events of an instant make of the courses before it. Where some of them are known to make something, only the others act.
WeatherAhead::Known WeatherAhead::after(const Instant& instant, double time_s, const Courses& before) {
  Known made;
  if (instant.known && are_same(instant.known->before, before)) made = *instant.known;
  state_.time_s = time_s;
  double& dry_k = state_.inputs[plant_.outside.dry_bulb];
  double& wet_k = state_.inputs[plant_.outside.wet_bulb];
  if (made.events > 0) {
    state_.equipment.courses = std::move(made.after);
    std::tie(dry_k, wet_k) = std::pair(made.weather_k[0], made.weather_k[1]);
  } else {
    made.before = state_.equipment.courses = before;
    for (SettingCourse& course : state_.equipment.courses) drop_gone(course, time_s);
    follow_weather(plant_, outdoors_, state_);
    made.weather_k = {dry_k, wet_k};
  }
  for (; made.events < instant.events.size(); ++made.events)
    apply_event(plant_, instant.events[made.events], state_, log_);
  log_.clear();
  made.after = state_.equipment.courses;
  return made;
}

/// False where the wet bulb is above the dry bulb then.
bool WeatherAhead::compare(Place at, const Courses& before, Problems& problems) {
  const double time_s = at->first;
  Known made = after(at->second, time_s, before);
  changes_.push_back({.time_s = time_s, .known_before = std::exchange(at->second.known, std::move(made))});
  const Bulbs bulbs =
      completed(physics::weather_at(outdoors_.weather, outdoors_.start_s + time_s), bulbs_by_events(plant_, state_));
  if (*bulbs.wet_k <= *bulbs.dry_k + rounding_of_bulbs_k) return true;
  const Mention mention = last_of_weather(scenario_, time_s);
  problems.add({mention.place,
                fmt::format("the wet bulb of {} is above the dry bulb of {}, at {}", format_quantity(*bulbs.wet_k, "K"),
                            format_quantity(*bulbs.dry_k, "K"), format_quantity(time_s, "s")),
                "write a wet bulb that is not above the dry bulb", mention.excerpt});
  return false;
}

void WeatherAhead::check(const PlantState& now, std::span<const ScheduledEvent> events, Problems& problems) {
  undo();
  instants_.erase(instants_.begin(), instants_.lower_bound(now.time_s));
  std::vector<double> changed_s;
  for (const ScheduledEvent& event : events) put(event, changed_s);
  std::ranges::sort(changed_s);
  for (const double time_s : changed_s) instant_at(time_s);
  Courses before = courses_of(now);
  auto next_changed = changed_s.begin();
  for (auto at = instants_.begin(); at != instants_.end();) {
    const bool was_known = at->second.known.has_value();
    if (!compare(at, before, problems)) return undo();  // what follows may follow from it
    const std::optional<Known>& known_before = changes_.back().known_before;
    const bool is_as_before = was_known && are_same(known_before->after, at->second.known->after);
    next_changed = std::upper_bound(next_changed, changed_s.end(), at->first);
    if (!is_as_before) {
      ++at;
    } else if (next_changed == changed_s.end()) {
      return;
    } else {
      at = instants_.find(*next_changed);
    }
    if (at != instants_.end()) before = std::prev(at)->second.known->after;
  }
}

void check_set_weather(const Scenario& scenario, const Plant& plant, std::span<const ScheduledEvent> events,
                       Problems& problems) {
  if (!plant.outside.is_felt() ||
      std::ranges::none_of(events, [&](const ScheduledEvent& event) { return is_of_weather(plant, event); }))
    return;
  const PlantState before;  // events of a scenario come after its begin
  WeatherAhead(scenario, plant, before, {}).check(before, events, problems);
}

}  // namespace wattloop::twin
