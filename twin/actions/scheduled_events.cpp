#include "twin/actions/scheduled_events.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/name_pattern.hpp"
#include "core/nearest.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/actions/fault_events.hpp"

namespace wattloop::twin {

namespace {

using Action = ScheduledEvent::Action;
using Sort = ScheduledEvent::Sort;

struct Target {
  ScheduledEvent::Sort sort;
  std::size_t number;
};

/// What events of one kind may name.
struct Targets {
  std::vector<std::string> names;
  std::vector<std::vector<Target>> members;  ///< a CDU's are its pumps

  void add(const std::string& name, Sort sort, std::size_t number) {
    names.push_back(name);
    members.push_back({{sort, number}});
  }
};

/// Sources and branches of the power tree to which that may happen.
Targets switching_targets(const Plant& plant, PartEvent wanted) {
  Targets targets;
  const electrical::PowerTree& tree = plant.power_tree;
  const auto takes = [wanted](std::string_view kind) { return electrical::electrical_kind(kind).takes(wanted); };
  for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
    if (takes(tree.source_kind[s])) targets.add(tree.source_name[s], Sort::source, s);
  }
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    if (takes(tree.branch_kind[b])) targets.add(tree.branch_name[b], Sort::branch, b);
  }
  return targets;
}

void add_faults(const Plant& plant, const FaultSetting& fault, Targets& targets) {
  const FaultTargets of_fault = fault_targets(plant, fault);
  for (std::size_t k = 0; k < of_fault.names.size(); ++k) {
    targets.names.push_back(of_fault.names[k]);
    targets.members.emplace_back();
    for (const std::size_t setting : of_fault.settings[k])
      targets.members.back().push_back({Sort::input, plant.settings[setting].input});
  }
}

/// These, all motors, and parts that have several motors or whose motors have names of their own.
Targets failing_targets(const Plant& plant) {
  Targets targets = switching_targets(plant, PartEvent::fail);
  for (std::size_t m = 0; m < plant.motors.size(); ++m) targets.add(plant.motors[m].name, Sort::motor, m);
  for (const NamedPart& part : plant.named) {
    if (part.motors.empty() || plant.motors[part.motors.front()].name == part.name) continue;
    targets.names.push_back(part.name);
    targets.members.emplace_back();
    for (const std::size_t motor : part.motors) targets.members.back().push_back({Sort::motor, motor});
  }
  add_faults(plant, part_failed, targets);
  return targets;
}

/// These, what may stick, and what may clog; a part that fails as a whole stands for its passages where an event clogs them.
Targets restoring_targets(const Plant& plant, const Targets& failing, const std::vector<EventSpec>& events) {
  Targets targets = failing;
  add_faults(plant, stuck_at, targets);
  Targets passages;
  add_faults(plant, clogged_passage, passages);
  for (std::size_t k = 0; k < passages.names.size(); ++k) {
    const std::string setting = fmt::format("{}.{}", passages.names[k], clogged_passage.name);
    const bool is_clogged = std::ranges::any_of(events, [&](const EventSpec& spec) {
      return std::ranges::any_of(spec.targets, [&](const std::string& t) { return fits_pattern(setting, t); });
    });
    if (!is_clogged && std::ranges::find(failing.names, passages.names[k]) != failing.names.end()) continue;
    targets.names.push_back(passages.names[k]);
    targets.members.push_back(passages.members[k]);
  }
  return targets;
}

/// Modules of branches that have several. Patterns that fit anything whole do not mean them.
Targets module_targets(const electrical::PowerTree& tree) {
  Targets targets;
  for (std::size_t module = 0; module < tree.module_name.size(); ++module) {
    if (!tree.module_name[module].empty()) targets.add(tree.module_name[module], Sort::module, module);
  }
  return targets;
}

Targets setting_targets(const Plant& plant) {
  Targets targets;
  for (const SettingPart& setting : plant.settings) {
    if (!is_fault(setting.name)) targets.add(setting.name, Sort::input, setting.input);
  }
  return targets;
}

bool is_switching(EventSpec::Kind kind) { return kind == EventSpec::Kind::open || kind == EventSpec::Kind::close; }

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
    case EventSpec::Kind::set:
      break;
  }
  return spec.by_si ? Action::set_by : Action::set_to;
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
  if (spec.kind == EventSpec::Kind::set && !spec.to_si) event.held_state = position_state(plant, setting->name);
  event.action = Action::set_to;
}

void add_event(const Plant& plant, const EventSpec& spec, Target target, const std::string& name,
               std::vector<ScheduledEvent>& events) {
  ScheduledEvent event;
  event.at_s = spec.at_s;
  event.action = first_action(spec);
  event.sort = target.sort;
  event.target = target.number;
  event.value = spec.by_si ? *spec.by_si : spec.to_si.value_or(0.0);
  event.over_s = spec.over_s;
  event.name = name;
  if (event.sort == Sort::input) make_fault(plant, spec, event);
  if (spec.for_s) event.pair = events.size() + 1;
  events.push_back(event);
  if (!spec.for_s) return;
  event.at_s += *spec.for_s;
  event.action = undoing(event.action);
  event.is_end = true;
  if (event.fault != nullptr) event.kind = event.kind == "restore" ? event.fault->event : "restore";
  events.push_back(event);
}

/// Names for a hint: modules only where one is meant.
std::vector<std::string> known_names(const std::string& pattern, const Targets& wholes, const Targets& modules) {
  std::vector<std::string> names = wholes.names;
  names.insert(names.end(), modules.names.begin(), modules.names.end());
  return nearest(pattern, names).empty() ? wholes.names : names;
}

/// The nearest name; of a part of something, that something; else where all names are told.
std::string hint_for(const std::string& name, const std::vector<std::string>& known) {
  const std::string hint = nearest_hint(name, known);
  if (!hint.empty()) return hint;
  const std::string whole = name.substr(0, name.find('.'));
  if (std::ranges::find(known, whole) != known.end()) return fmt::format("'{}' is named as a whole only", whole);
  return "wattloop explain --parts SCENARIO lists what there is";
}

Problem unknown_target(const EventSpec& spec, std::size_t number, const std::vector<std::string>& known) {
  const bool is_written = number < spec.target_mentions.size();
  const Mention mention = is_written ? spec.target_mentions[number] : Mention{spec.place, spec.excerpt};
  const std::string& name = spec.targets[number];
  const std::string what =
      spec.kind == EventSpec::Kind::set ? fmt::format("this hall has no setting '{}'", name)
      : is_switching(spec.kind)
          ? fmt::format("this hall has no feed, generator, transformer, UPS or PDU '{}' to open or close", name)
          : fmt::format("this hall has no component '{}' that can fail", name);
  return {mention.place, what, hint_for(name, known), mention.excerpt};
}

}  // namespace

std::vector<ScheduledEvent> schedule_events(const Scenario& scenario, const Plant& plant, Problems& problems) {
  std::vector<ScheduledEvent> events;
  const Targets failing = failing_targets(plant);
  const Targets switching = switching_targets(plant, PartEvent::open);
  const Targets settings = setting_targets(plant);
  const Targets restoring = restoring_targets(plant, failing, scenario.events);
  Targets sticking, clogging;
  add_faults(plant, stuck_at, sticking);
  add_faults(plant, clogged_passage, clogging);
  const Targets modules = module_targets(plant.power_tree);
  const std::vector<std::string> none;
  for (const EventSpec& spec : scenario.events) {
    const bool is_failing = spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore;
    const FaultSetting* fault = fault_of(spec);
    const Targets& wholes = fault != nullptr ? (fault->name == clogged_passage.name ? clogging : sticking)
                            : spec.kind == EventSpec::Kind::set     ? settings
                            : is_switching(spec.kind)               ? switching
                            : spec.kind == EventSpec::Kind::restore ? restoring
                                                                    : failing;
    for (std::size_t t = 0; t < spec.targets.size(); ++t) {
      const std::string pattern(fault_in(spec.targets[t]).target);
      const auto whole = fitting(wholes.names, pattern);
      const Targets& targets = whole.empty() && is_failing ? modules : wholes;
      const auto fits = whole.empty() && is_failing ? fitting(modules.names, pattern) : whole;
      if (fits.empty()) {
        const auto known = is_failing ? known_names(pattern, wholes, modules) : wholes.names;
        problems.add(fault != nullptr ? wrong_fault_target(plant, spec, t, *fault)
                                      : unknown_target(spec, t, problems.are_all_told() ? known : none));
      }
      for (const std::size_t k : fits) {
        if (fault != nullptr && shuts_rack(plant, spec, targets.names[k])) {
          problems.add(shut_rack(spec, t, targets.names[k]));
          break;
        }
        if (fault != nullptr && shuts_filter(spec, targets.names[k])) {
          problems.add(shut_filter(spec, t, targets.names[k]));
          break;
        }
        for (const Target member : targets.members[k]) add_event(plant, spec, member, targets.names[k], events);
      }
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ScheduledEvent& a, const ScheduledEvent& b) { return a.at_s < b.at_s; });
  return events;
}

}  // namespace wattloop::twin
