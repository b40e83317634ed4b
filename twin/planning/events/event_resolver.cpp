#include "twin/planning/events/event_resolver.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "core/numbers/clock_grid.hpp"
#include "twin/planning/events/event_targets.hpp"
#include "twin/planning/events/fault_events.hpp"
#include "twin/scenario/specs/gpu_watts.hpp"
#include "twin/scenario/specs/settings.hpp"

namespace wattloop::twin {

namespace {

using Action = ScheduledEvent::Action;
using TargetKind = ScheduledEvent::TargetKind;

Action first_action(const EventSpec& spec) {
  switch (spec.kind) {
    case EventSpec::Kind::fail:
      return Action::fail;
    case EventSpec::Kind::restore:
      return Action::restore;
    case EventSpec::Kind::open:
      return Action::open;
    case EventSpec::Kind::close:
      return Action::close;
    case EventSpec::Kind::slow:
      return Action::slow;
    case EventSpec::Kind::drain:
      return Action::drain;
    case EventSpec::Kind::resume:
      return Action::resume;
    case EventSpec::Kind::set:
      break;
  }
  return spec.by_si ? Action::set_by : Action::set_to;
}

/// Only a scheduler gives nodes to jobs.
void check_drain(const Scenario& scenario, const EventSpec& spec, Problems& problems) {
  const bool is_drain = spec.kind == EventSpec::Kind::drain, is_resume = spec.kind == EventSpec::Kind::resume;
  if (scenario.jobs || !(is_drain || is_resume)) return;
  problems.add({spec.place,
                fmt::format("{} has no effect in a hall without a queue of jobs", is_drain ? "drain" : "resume"),
                "write jobs: { queue: [...] } instead of `workload`", spec.excerpt});
}

/// Whether an event names its target of that number before.
bool is_named_before(const EventSpec& spec, std::size_t number) {
  const auto end = spec.targets.begin() + static_cast<std::ptrdiff_t>(number);
  return std::find(spec.targets.begin(), end, spec.targets[number]) != end;
}

/// What goes wrong with a part by one of its settings, or is set right.
void make_fault(const Plant& plant, const EventSpec& spec, ScheduledEvent& event) {
  const auto setting = std::ranges::find(plant.settings, event.target, &SettingPart::input);
  const auto [fault, name] = fault_in(setting->name);
  if (fault == nullptr) return;
  event.fault = fault;
  event.name = name;
  event.kind = spec.kind == EventSpec::Kind::restore ? "restore" : fault->event;
  if (spec.kind == EventSpec::Kind::restore) event.value = fault->sound;
  if (spec.kind == EventSpec::Kind::fail) event.value = 1.0;
  if (spec.kind == EventSpec::Kind::set && !spec.to_si) event.stuck_state = position_state(plant, setting->name);
  event.action = Action::set_to;
}

void add_event(const Plant& plant, const EventSpec& spec, EventTarget target, const std::string& name,
               std::vector<ScheduledEvent>& events) {
  ScheduledEvent event;
  event.at_s = event.begin_s = spec.at_s;
  event.needs_earlier = target.needs_earlier;
  event.action = first_action(spec);
  event.target_kind = target.kind;
  event.target = target.number;
  event.value = spec.by_si ? *spec.by_si : spec.to_si.value_or(0.0);
  event.over_s = spec.over_s;
  event.name = name;
  if (event.target_kind == TargetKind::input) make_fault(plant, spec, event);
  if (const FieldInfo* setting = spec.by_si ? find_setting(name.substr(name.rfind('.') + 1)) : nullptr) {
    const NumberLimits limits = setting_limits(*setting);
    event.lowest_value = limits.lowest;
    event.highest_value = limits.highest;
  }
  if (spec.for_s) event.pair = events.size() + 1;
  events.push_back(event);
  if (!spec.for_s) return;
  event.at_s = on_clock_s(event.at_s + *spec.for_s);
  event.action = undoing(event.action);
  event.is_end = true;
  if (event.fault != nullptr) event.kind = event.kind == "restore" ? event.fault->event : "restore";
  events.push_back(event);
}

/// Columns of a file of watts are in the order of the hall.
void check_gpu_names(const Plant& plant, const std::vector<std::string>& names, const Mention& mention,
                     Problems& problems) {
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<std::string>& of_group = plant.groups[group.gpu_units]->unit_names;
    const auto column = names.begin() + static_cast<std::ptrdiff_t>(group.first_gpu);
    const auto [expected, found] = std::ranges::mismatch(of_group, std::ranges::subrange(column, names.end()));
    if (expected == of_group.end()) continue;
    problems.add({mention.place,
                  fmt::format("column {} of the file of watts is '{}'", found - names.begin() + 2, *found),
                  fmt::format("{}: columns are in the order of the table gpus", *expected), mention.excerpt});
    return;
  }
}

/// The highest watts that may be asked of each GPU: what its hardware takes.
void check_gpu_watts(const Scenario& scenario, const Plant& plant, const EventSpec& spec, Problems& problems) {
  const Mention mention = mention_of(spec, 0);
  const std::vector<double>& watts = *spec.gpu_w;
  if (watts.empty() || watts.size() != plant.it.gpu_count()) {
    problems.add(
        {mention.place,
         fmt::format("gpus.power: {} numbers are given, but the hall has {} GPUs", watts.size(), plant.it.gpu_count()),
         "write one number of watts for every GPU, in the order of the table `gpus`", mention.excerpt});
    return;
  }
  if (spec.gpu_names) check_gpu_names(plant, *spec.gpu_names, mention, problems);
  for (std::size_t group = 0; group < plant.it.groups.size(); ++group) {
    const RackGroup& of_group = plant.it.groups[group];
    const double most_w = scenario.racks[group].hardware.split.gpu_limit_w;
    const auto each_w = std::span(watts).subspan(of_group.first_gpu, of_group.gpu_count());
    const auto wrong = std::ranges::find_if(each_w, [most_w](double w) { return !(w >= 0.0 && w <= most_w); });
    if (wrong == each_w.end()) continue;
    const auto unit = static_cast<std::size_t>(wrong - each_w.begin());
    problems.add({mention.place,
                  fmt::format("gpus.power: {} W of {}", *wrong, plant.groups[of_group.gpu_units]->unit_names[unit]),
                  fmt::format("write 0 to {} W", most_w), mention.excerpt});
    return;
  }
}

void add_gpu_watts(const EventSpec& spec, std::vector<ScheduledEvent>& events) {
  ScheduledEvent event;
  event.at_s = event.begin_s = spec.at_s;
  event.action = Action::set_to;
  event.target_kind = TargetKind::gpus;
  event.name = gpu_power_setting;
  event.gpu_w = spec.gpu_w;
  events.push_back(std::move(event));
}

}  // namespace

std::vector<ScheduledEvent> schedule_events(const Scenario& scenario, const Plant& plant, Problems& problems) {
  if (scenario.events.empty()) return {};
  return EventResolver(scenario, plant).schedule(scenario.events, problems);
}

std::vector<ScheduledEvent> EventResolver::schedule(std::span<const EventSpec> specs, Problems& problems) {
  std::vector<ScheduledEvent> events;
  add_named_targets(plant_, specs, targets_);
  const HallTargets& hall = targets_;
  for (const EventSpec& spec : specs) {
    const bool is_failing = spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore;
    const FaultSetting* fault = fault_of(spec);
    check_drain(scenario_, spec, problems);
    if (spec.gpu_w) {
      check_gpu_watts(scenario_, plant_, spec, problems);
      add_gpu_watts(spec, events);
      continue;
    }
    for (std::size_t t = 0; t < spec.targets.size(); ++t) {
      const std::string_view pattern = fault_in(spec.targets[t]).target;
      const auto whole = hall.of(spec).names.fitting(pattern);
      const bool has_inner = is_failing || spec.kind == EventSpec::Kind::slow;
      const EventTargets& targets = whole.empty() && has_inner ? hall.inner_of(pattern) : hall.of(spec);
      const auto fits = targets.names.fitting(pattern);
      if (fits.empty()) problems.add(wrong_target(plant_, hall, spec, t, problems));
      if (&targets == &hall.fabric && is_named_before(spec, t)) {
        const Mention mention = mention_of(spec, t);
        problems.add({mention.place, fmt::format("'{}' is named twice", spec.targets[t]), {}, mention.excerpt});
        continue;
      }
      for (const std::size_t k : fits) {
        const std::string& name = targets.names.names()[k];
        if (fault != nullptr && shuts_rack(plant_, spec, name)) {
          problems.add(shut_rack(spec, t, name));
          break;
        }
        if (fault != nullptr && shuts_filter(spec, name)) {
          problems.add(shut_filter(spec, t, name));
          break;
        }
        for (const EventTarget member : targets.members[k]) add_event(plant_, spec, member, name, events);
      }
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ScheduledEvent& a, const ScheduledEvent& b) { return a.at_s < b.at_s; });
  return events;
}

}  // namespace wattloop::twin
