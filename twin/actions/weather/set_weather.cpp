#include "twin/actions/weather/set_weather.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "core/units/units.hpp"
#include "physics/air/psychrometrics.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/fault_events.hpp"
#include "twin/actions/weather/outdoors.hpp"

namespace wattloop::twin {

namespace {

constexpr double driest_fraction = 1e-3;
constexpr double rounding_of_bulbs_k = 1e-6;

Bulbs completed(const physics::WeatherNow& now, Bulbs bulbs) {
  const double depression_k = now.dry_bulb_k - now.wet_bulb_k;
  if (!bulbs.dry_k) bulbs.dry_k = bulbs.wet_k ? *bulbs.wet_k + depression_k : now.dry_bulb_k;
  if (!bulbs.wet_k) bulbs.wet_k = *bulbs.dry_k - depression_k;
  return bulbs;
}

template <class State>  // const or not
auto course_of_bulb(State& state, std::size_t input) -> decltype(state.equipment.courses.data()) {
  const auto found = std::ranges::find(state.equipment.courses, input, &SettingCourse::input);
  return found == state.equipment.courses.end() ? nullptr : &*found;
}

bool is_in_force(const SettingCourse* course, double time_s) {
  if (course == nullptr) return false;
  const auto is_left = [&](const TemporarySetting& setting) { return time_s < setting.gone_s; };
  return course->is_set || std::ranges::any_of(course->temporary, is_left);
}

bool is_of_weather(const Plant& plant, const ScheduledEvent& event) {
  return event.target_kind == ScheduledEvent::TargetKind::input &&
         (event.target == plant.outside.dry_bulb || event.target == plant.outside.wet_bulb);
}

bool is_a_bulb(const std::string& pattern) {
  return fits_pattern(dry_bulb_setting, pattern) || fits_pattern(wet_bulb_setting, pattern);
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

/// Lets events of the weather act by themselves.
class WeatherEvents {
 public:
  WeatherEvents(const Scenario& scenario, const Plant& plant, std::vector<ScheduledEvent> events)
      : plant_(plant), outdoors_(make_outdoors(scenario)), events_(std::move(events)) {
    state_.inputs = plant.initial_inputs;
  }

  /// From the settings of `now` on.
  void begin_from(const PlantState& now) {
    state_.inputs = now.inputs;
    state_.equipment.courses = now.equipment.courses;
  }

  /// The bulbs after what acts at that time, which is after that of the call before.
  Bulbs at(double time_s) {
    state_.time_s = time_s;
    follow_weather(plant_, outdoors_, state_);
    for (; next_ < events_.size() && events_[next_].at_s <= time_s; ++next_)
      apply_event(plant_, events_[next_], state_, log_);
    return completed(physics::weather_at(outdoors_.weather, outdoors_.start_s + time_s),
                     bulbs_by_events(plant_, state_));
  }

 private:
  const Plant& plant_;
  const Outdoors outdoors_;
  const std::vector<ScheduledEvent> events_;
  std::size_t next_ = 0;
  PlantState state_;
  std::vector<EventRecord> log_;
};

/// When a course that began before reaches the ends of its ramps.
void add_ramp_ends(const SettingCourse* course, std::set<double>& times_s) {
  if (course == nullptr) return;
  times_s.insert(course->lasting.end_s);
  for (const TemporarySetting& setting : course->temporary) times_s.insert({setting.ramp.end_s, setting.gone_s});
}

/// `now`: where the run has come to; nullptr: before its start.
void check_weather(const Scenario& scenario, const Plant& plant, const PlantState* now,
                   std::span<const ScheduledEvent> events, Problems& problems) {
  if (!plant.outside.is_felt()) return;
  std::vector<ScheduledEvent> of_weather;
  std::set<double> times_s;
  for (const ScheduledEvent& event : events) {
    if (!is_of_weather(plant, event)) continue;
    of_weather.push_back(event);
    times_s.insert({event.at_s, event.at_s + event.over_s});
  }
  if (of_weather.empty()) return;
  WeatherEvents weather(scenario, plant, std::move(of_weather));
  if (now != nullptr) {
    for (const std::size_t bulb : {plant.outside.dry_bulb, plant.outside.wet_bulb})
      add_ramp_ends(course_of_bulb(*now, bulb), times_s);
    std::erase_if(times_s, [&](double time_s) { return time_s < now->time_s || std::isinf(time_s); });
    weather.begin_from(*now);
  }
  for (const double time_s : times_s) {
    const Bulbs bulbs = weather.at(time_s);
    if (*bulbs.wet_k <= *bulbs.dry_k + rounding_of_bulbs_k) continue;
    const Mention mention = last_of_weather(scenario, time_s);
    problems.add(
        {mention.place,
         fmt::format("the wet bulb of {} is above the dry bulb of {}, at {}", format_quantity(*bulbs.wet_k, "K"),
                     format_quantity(*bulbs.dry_k, "K"), format_quantity(time_s, "s")),
         "write a wet bulb that is not above the dry bulb", mention.excerpt});
    return;  // what follows may follow from it
  }
}

}  // namespace

physics::WeatherNow with_bulbs(physics::WeatherNow now, const Bulbs& bulbs) {
  if (!bulbs.dry_k && !bulbs.wet_k) return now;
  const Bulbs both = completed(now, bulbs);
  now.dry_bulb_k = *both.dry_k;
  now.wet_bulb_k = std::min(*both.wet_k, *both.dry_k);
  const double water = physics::humidity_ratio_at_wet_bulb(now.dry_bulb_k, now.wet_bulb_k, now.pressure_pa);
  const double vapour_pa = now.pressure_pa * water / (physics::water_to_air_mass_ratio + water);
  now.relative_humidity_fraction =
      std::clamp(vapour_pa / physics::saturation_pressure_pa(now.dry_bulb_k), driest_fraction, 1.0);
  now.dew_point_k = physics::dew_point_k({now.dry_bulb_k, now.relative_humidity_fraction, now.pressure_pa});
  return now;
}

Bulbs bulbs_by_events(const Plant& plant, const PlantState& state) {
  Bulbs bulbs;
  if (!plant.outside.is_felt() || state.equipment.courses.empty()) return bulbs;
  const SettingCourse* dry = course_of_bulb(state, plant.outside.dry_bulb);
  const SettingCourse* wet = course_of_bulb(state, plant.outside.wet_bulb);
  if (is_in_force(dry, state.time_s)) bulbs.dry_k = dry->at(state.time_s);
  if (is_in_force(wet, state.time_s)) bulbs.wet_k = wet->at(state.time_s);
  return bulbs;
}

void follow_below_events(const Plant& plant, const physics::WeatherNow& said, PlantState& state) {
  if (!plant.outside.is_felt() || state.equipment.courses.empty()) return;
  const Bulbs bulbs = bulbs_by_events(plant, state);
  const auto follow = [&](std::size_t input, double without_k) {
    SettingCourse* course = course_of_bulb(state, input);
    if (course != nullptr && !course->is_set) course->lasting = {without_k, without_k, state.time_s, state.time_s};
  };
  follow(plant.outside.dry_bulb, *completed(said, {.wet_k = bulbs.wet_k}).dry_k);
  follow(plant.outside.wet_bulb, *completed(said, {.dry_k = bulbs.dry_k}).wet_k);
}

bool names_a_bulb(const EventSpec& event) {
  return event.kind == EventSpec::Kind::set && std::ranges::any_of(event.targets, is_a_bulb);
}

void check_set_weather(const Scenario& scenario, const Plant& plant, std::span<const ScheduledEvent> events,
                       Problems& problems) {
  check_weather(scenario, plant, nullptr, events, problems);
}

void check_later_weather(const PendingWeather& pending, const Plant& plant, Problems& problems) {
  check_weather(pending.scenario, plant, &pending.now, pending.events, problems);
}

}  // namespace wattloop::twin
