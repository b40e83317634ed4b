#include "twin/actions/staging/sequences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/staging/economisers.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/parts/sequence_catalog.hpp"

namespace wattloop::twin {

namespace {

double requested_setting(const Plant& plant, const PlannedSequence& sequence, const PlantState& state) {
  const OutsideNow outside{.dry_bulb_k = state.inputs[plant.outside.dry_bulb],
                           .wet_bulb_k = state.inputs[plant.outside.wet_bulb]};
  return sequence_kinds()[sequence.kind].setting(sequence.params, outside);
}

bool is_due(const Plant& plant, const PlannedSequence& sequence, const PlantState& state) {
  if (is_set_by_an_economiser(plant, sequence.input, state)) return false;
  return std::abs(requested_setting(plant, sequence, state) - lasting_value(sequence.input, state)) > sequence.deadband;
}

/// The course that an event has begun, if any has.
SettingCourse* find_course(std::size_t input, PlantState& state) {
  const auto found = std::ranges::find(state.equipment.courses, input, &SettingCourse::input);
  return found == state.equipment.courses.end() ? nullptr : &*found;
}

}  // namespace

double lasting_value(std::size_t input, const PlantState& state) {
  for (const SettingCourse& course : state.equipment.courses) {
    if (course.input == input) return course.lasting.at(state.time_s);
  }
  return state.inputs[input];
}

void set_for_good(std::size_t input, double value, PlantState& state) {
  if (SettingCourse* course = find_course(input, state)) {
    set_lasting(*course, value, state.time_s, 0.0);
    course->is_moving = true;
  } else {
    state.inputs[input] = value;
  }
}

bool does_a_sequence_look(const Plant& plant, double time_s) {
  return std::ranges::any_of(
      plant.sequences, [time_s](const PlannedSequence& sequence) { return is_multiple(time_s, sequence.every_s); });
}

double next_sequence_look_s(const Plant& plant, double time_s) {
  double next_s = std::numeric_limits<double>::infinity();
  for (const PlannedSequence& sequence : plant.sequences) {  // the weather that they follow moves by the minute
    next_s = std::min(next_s, next_multiple_s(time_s, std::max(sequence.every_s, weather_interval_s)));
  }
  return next_s;
}

bool would_a_sequence_act(const Plant& plant, const PlantState& state) {
  return std::ranges::any_of(plant.sequences, [&](const PlannedSequence& sequence) {
    return is_multiple(state.time_s, sequence.every_s) && is_due(plant, sequence, state);
  });
}

bool follow_sequences(const Plant& plant, PlantState& state, std::vector<EventRecord>* events) {
  bool has_changed = false;
  for (const PlannedSequence& sequence : plant.sequences) {
    if (is_set_by_an_economiser(plant, sequence.input, state)) continue;
    if (events != nullptr && (!is_multiple(state.time_s, sequence.every_s) || !is_due(plant, sequence, state)))
      continue;
    const double before = lasting_value(sequence.input, state), after = requested_setting(plant, sequence, state);
    set_for_good(sequence.input, after, state);
    has_changed = true;
    if (events == nullptr) continue;
    events->push_back({state.time_s, "reset", sequence.setting,
                       fmt::format("from {} to {} by {}", format_quantity(before, sequence.unit),
                                   format_quantity(after, sequence.unit), sequence.name)});
  }
  return has_changed;
}

}  // namespace wattloop::twin
