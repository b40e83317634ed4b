#include "twin/scheduled_events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/name_pattern.hpp"
#include "core/nearest.hpp"
#include "core/units.hpp"

namespace wattloop::twin {

namespace {

using Action = ScheduledEvent::Action;

/// Everything that events may name: pumps and whole CDUs to fail and restore, settings to set.
struct Targets {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;  ///< pumps, or one input
};

Targets failing_targets(const Plant& plant) {
  Targets targets;
  for (std::size_t m = 0; m < plant.hall.motors.size(); ++m) {
    targets.names.push_back(plant.hall.motors[m].name);
    targets.members.push_back({m});
  }
  for (const CduPart& cdu : plant.hall.cdus) {
    targets.names.push_back(cdu.name);
    targets.members.emplace_back();
    for (const std::size_t pump : cdu.pumps) targets.members.back().push_back(plant.hall.pumps[pump].motor);
  }
  return targets;
}

Targets setting_targets(const Plant& plant) {
  Targets targets;
  for (const SettingPart& setting : plant.hall.settings) {
    targets.names.push_back(setting.name);
    targets.members.push_back({setting.input});
  }
  return targets;
}

Action first_action(const EventSpec& spec) {
  switch (spec.kind) {
    case EventSpec::Kind::fail: return Action::fail;
    case EventSpec::Kind::restore: return Action::restore;
    case EventSpec::Kind::open: return Action::fail;
    case EventSpec::Kind::close: return Action::restore;
    case EventSpec::Kind::set: break;
  }
  return spec.by_si ? Action::set_by : Action::set_to;
}

Action undoing(Action action) {
  switch (action) {
    case Action::fail: return Action::restore;
    case Action::restore: return Action::fail;
    default: return Action::set_back;
  }
}

void add_event(const EventSpec& spec, std::size_t target, const std::string& name, std::vector<ScheduledEvent>& events) {
  ScheduledEvent event;
  event.at_s = spec.at_s;
  event.action = first_action(spec);
  event.target = target;
  event.value = spec.by_si ? *spec.by_si : spec.to_si.value_or(0.0);
  event.over_s = spec.over_s;
  event.name = name;
  if (spec.for_s) event.pair = events.size() + 1;
  events.push_back(event);
  if (!spec.for_s) return;
  event.at_s += *spec.for_s;
  event.action = undoing(event.action);
  events.push_back(event);
}

std::string setting_text(const Plant& plant, std::size_t input, double value) {
  for (const SettingPart& setting : plant.hall.settings) {
    if (setting.input == input) return format_quantity(value, setting.unit);
  }
  return fmt::format("{}", value);
}

void start_setting(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  EquipmentState& equipment = state.equipment;
  double& value = state.inputs[event.target];
  if (event.pair != 0 && event.action != Action::set_back) equipment.kept[event.pair] = value;
  const double wanted = event.action == Action::set_by     ? value + event.value
                        : event.action == Action::set_back ? equipment.kept[event.pair]
                                                           : event.value;
  events.push_back({state.time_s, "set", event.name,
                    fmt::format("from {} to {}{}", setting_text(plant, event.target, value),
                                setting_text(plant, event.target, wanted),
                                event.over_s > 0.0 ? " over " + format_quantity(event.over_s, "s") : "")});
  std::erase_if(equipment.ramps, [&](const Ramp& ramp) { return ramp.input == event.target; });
  if (event.over_s > 0.0) {
    equipment.ramps.push_back({event.target, value, wanted, state.time_s, state.time_s + event.over_s});
  } else {
    value = wanted;
  }
}

Problem unknown_target(const EventSpec& spec, std::size_t number, const std::vector<std::string>& known) {
  const bool is_written = number < spec.target_mentions.size();
  const Mention mention = is_written ? spec.target_mentions[number] : Mention{spec.place, spec.excerpt};
  const std::string& name = spec.targets[number];
  const bool is_setting = spec.kind == EventSpec::Kind::set;
  return {mention.place,
          is_setting ? fmt::format("this hall has no setting '{}'", name)
                     : fmt::format("this hall has no component '{}' that can fail", name),
          nearest_hint(name, known), mention.excerpt};
}

}  // namespace

std::vector<ScheduledEvent> schedule_events(const Scenario& scenario, const Plant& plant, Problems& problems) {
  std::vector<ScheduledEvent> events;
  const Targets failing = failing_targets(plant);
  const Targets settings = setting_targets(plant);
  for (const EventSpec& spec : scenario.events) {
    const Targets& targets = spec.kind == EventSpec::Kind::set ? settings : failing;
    for (std::size_t t = 0; t < spec.targets.size(); ++t) {
      const std::string& pattern = spec.targets[t];
      const auto fits = fitting(targets.names, pattern);
      if (fits.empty()) problems.add(unknown_target(spec, t, targets.names));
      for (const std::size_t k : fits) {
        for (const std::size_t member : targets.members[k]) add_event(spec, member, targets.names[k], events);
      }
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ScheduledEvent& a, const ScheduledEvent& b) { return a.at_s < b.at_s; });
  return events;
}

void apply_event(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  if (event.action != Action::fail && event.action != Action::restore) {
    start_setting(plant, event, state, events);
    return;
  }
  const bool fails = event.action == Action::fail;
  const MotorPart& motor = plant.hall.motors[event.target];
  state.equipment.is_failed[event.target] = fails ? 1 : 0;
  if (fails) {
    state.equipment.is_running[event.target] = 0;
    state.inputs[motor.command_input] = 0.0;
  }
  events.push_back({state.time_s, fails ? "fail" : "restore", motor.name, "scenario"});
}

bool advance_ramps(PlantState& state) {
  std::vector<Ramp>& ramps = state.equipment.ramps;
  const bool any = !ramps.empty();
  for (const Ramp& ramp : ramps) {
    const double progress = std::min((state.time_s - ramp.start_s) / (ramp.end_s - ramp.start_s), 1.0);
    state.inputs[ramp.input] = ramp.from + progress * (ramp.to - ramp.from);
  }
  std::erase_if(ramps, [&](const Ramp& ramp) { return state.time_s >= ramp.end_s; });
  return any;
}

}  // namespace wattloop::twin
