#include "twin/actions/scheduled_events.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/name_pattern.hpp"
#include "core/nearest.hpp"
#include "core/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/plant/standing_orders.hpp"

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
  for (const SettingPart& setting : plant.settings) targets.add(setting.name, Sort::input, setting.input);
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

Action undoing(Action action) {
  switch (action) {
    case Action::fail:
      return Action::restore;
    case Action::restore:
      return Action::fail;
    case Action::open:
      return Action::close;
    case Action::close:
      return Action::open;
    default:
      return Action::set_back;
  }
}

void add_event(const EventSpec& spec, Target target, const std::string& name, std::vector<ScheduledEvent>& events) {
  ScheduledEvent event;
  event.at_s = spec.at_s;
  event.action = first_action(spec);
  event.sort = target.sort;
  event.target = target.number;
  event.value = spec.by_si ? *spec.by_si : spec.to_si.value_or(0.0);
  event.over_s = spec.over_s;
  event.name = name;
  if (spec.for_s) event.pair = events.size() + 1;
  events.push_back(event);
  if (!spec.for_s) return;
  event.at_s += *spec.for_s;
  event.action = undoing(event.action);
  event.is_end = true;
  events.push_back(event);
}

std::string setting_text(const Plant& plant, std::size_t input, double value) {
  for (const SettingPart& setting : plant.settings) {
    if (setting.input == input) return format_quantity(value, setting.unit);
  }
  return fmt::format("{}", value);
}

/// The course of a setting; one that holds where no event has changed it yet.
SettingCourse& course_of(std::size_t input, PlantState& state) {
  std::vector<SettingCourse>& courses = state.equipment.courses;
  const auto found = std::find_if(courses.begin(), courses.end(),
                                  [input](const SettingCourse& course) { return course.input == input; });
  if (found != courses.end()) return *found;
  const double value = state.inputs[input];
  courses.push_back({.input = input, .lasting = {value, value, state.time_s, state.time_s}});
  return courses.back();
}

void change_setting(const Plant& plant, const ScheduledEvent& event, PlantState& state,
                    std::vector<EventRecord>& events) {
  SettingCourse& course = course_of(event.target, state);
  const double now_s = state.time_s, end_s = now_s + event.over_s;
  const double before = course.at(now_s);
  bool is_there = true;
  if (event.action == Action::set_back) {
    is_there = end_temporary(course, event.pair, now_s, event.over_s);
  } else if (event.pair != 0) {
    const double wanted = event.action == Action::set_by ? before + event.value : event.value;
    set_temporary(course, event.pair, {before, wanted, now_s, end_s});
  } else {
    const double wanted = event.action == Action::set_by ? course.lasting.at(now_s) + event.value : event.value;
    set_lasting(course, wanted, now_s, event.over_s);
  }
  course.is_moving = true;
  const std::string over = event.over_s > 0.0 ? " over " + format_quantity(event.over_s, "s") : "";
  events.push_back({now_s, "set", event.name,
                    is_there ? fmt::format("from {} to {}{}", setting_text(plant, event.target, before),
                                           setting_text(plant, event.target, course.at(end_s)), over)
                             : "the end of a temporary setting; another stands since"});
}

const char* name_of(Action action) {
  switch (action) {
    case Action::fail:
      return "fail";
    case Action::restore:
      return "restore";
    case Action::open:
      return "open";
    case Action::close:
      return "close";
    default:
      return "set";
  }
}

/// Gives the order and says whether it, or its end, found what it is about.
bool give(const ScheduledEvent& event, const OrderedFlag& flag, bool wanted) {
  if (event.is_end) return flag.end(event.pair);
  if (event.pair != 0) {
    flag.set_for_a_while(wanted ? 1 : 0, event.pair);
  } else {
    flag.set(wanted ? 1 : 0);
  }
  return true;
}

/// What became of an order. The end of a temporary one is named by what it does, which may be nothing.
EventRecord order_record(const ScheduledEvent& event, const std::string& name, double now_s, bool is_in_force,
                         bool has_changed) {
  if (!event.is_end)
    return {now_s, name_of(event.action), name, has_changed ? "scenario" : "scenario; changes nothing now"};
  const std::string end = fmt::format("the end of a temporary {}", name_of(undoing(event.action)));
  if (has_changed) return {now_s, name_of(event.action), name, end};
  return {now_s, "order_over", name, end + (is_in_force ? "; changes nothing" : "; another stands since")};
}

void order_motor(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  const MotorPart& motor = plant.motors[event.target];
  const OrderedFlag failed{state.equipment.orders, StandingOrder::Flag::motor_failed, event.target,
                           state.equipment.is_failed[event.target]};
  const std::uint8_t before = failed.value;
  const bool is_in_force = give(event, failed, event.action == Action::fail);
  if (failed.value != 0) {
    state.equipment.is_running[event.target] = 0;
    state.inputs[motor.command_input] = 0.0;
  }
  events.push_back(order_record(event, motor.name, state.time_s, is_in_force, failed.value != before));
}

/// What stands in the way of a switch.
struct SwitchOrders {
  OrderedFlag open, failed;
  bool is_normally_open;

  bool is_off() const { return open.value != 0 || failed.value != 0; }
};

void order_switch(const ScheduledEvent& event, const SwitchOrders& orders, double now_s,
                  std::vector<EventRecord>& events) {
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const bool was_off = orders.is_off();
  bool is_in_force = true;
  if (begun == Action::open || begun == Action::close) {
    is_in_force = give(event, orders.open, begun == Action::open);
  } else {
    is_in_force = give(event, orders.failed, begun == Action::fail);
    if (begun == Action::restore) give(event, orders.open, orders.is_normally_open);
  }
  events.push_back(order_record(event, event.name, now_s, is_in_force, orders.is_off() != was_off));
  const bool is_locked = !event.is_end && event.action == Action::close && orders.failed.value != 0;
  if (is_locked) events.back().detail = "scenario; failed, stays open";
}

SwitchOrders orders_of_branch(const Plant& plant, std::size_t branch, PlantState& state) {
  using Flag = StandingOrder::Flag;
  SwitchingState& switching = state.switching;
  std::vector<StandingOrder>& orders = state.equipment.orders;
  return {{orders, Flag::branch_open, branch, switching.branch_is_open[branch]},
          {orders, Flag::branch_failed, branch, switching.branch_is_failed[branch]},
          plant.power_tree.branch_normally_closed[branch] == 0};
}

SwitchOrders orders_of_source(const Plant& plant, std::size_t source, PlantState& state) {
  using Flag = StandingOrder::Flag;
  SwitchingState& switching = state.switching;
  std::vector<StandingOrder>& orders = state.equipment.orders;
  const electrical::PowerTree& tree = plant.power_tree;
  return {{orders, Flag::source_open, source, switching.source_is_open[source]},
          {orders, Flag::source_failed, source, switching.source_is_failed[source]},
          tree.source_is_standby[source] == 0 && tree.source_normally_live[source] == 0};
}

/// The branch of which it is a module.
std::size_t branch_of_module(const electrical::PowerTree& tree, std::size_t module) {
  const auto after = std::upper_bound(tree.branch_first_module.begin(), tree.branch_first_module.end(), module);
  return static_cast<std::size_t>(after - tree.branch_first_module.begin()) - 1;
}

void order_module(const Plant& plant, const ScheduledEvent& event, PlantState& state,
                  std::vector<EventRecord>& events) {
  const electrical::PowerTree& tree = plant.power_tree;
  std::vector<std::uint8_t>& is_failed = state.switching.module_is_failed;
  const OrderedFlag failed{state.equipment.orders, StandingOrder::Flag::module_failed, event.target,
                           is_failed[event.target]};
  const std::uint8_t before = failed.value;
  const Action begun = event.is_end ? undoing(event.action) : event.action;
  const bool is_in_force = give(event, failed, begun == Action::fail);
  const bool has_changed = failed.value != before;
  events.push_back(order_record(event, event.name, state.time_s, is_in_force, has_changed));
  const std::size_t branch = branch_of_module(tree, event.target);
  const auto first = is_failed.begin() + static_cast<std::ptrdiff_t>(tree.branch_first_module[branch]);
  const int all = tree.branch_modules[branch];
  if (has_changed)
    events.back().detail += fmt::format("; {} of {} modules in service", std::count(first, first + all, 0), all);
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
  const Targets modules = module_targets(plant.power_tree);
  const std::vector<std::string> none;
  for (const EventSpec& spec : scenario.events) {
    const bool is_failing = spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore;
    const Targets& wholes = spec.kind == EventSpec::Kind::set ? settings
                            : is_switching(spec.kind)         ? switching
                                                              : failing;
    for (std::size_t t = 0; t < spec.targets.size(); ++t) {
      const std::string& pattern = spec.targets[t];
      const auto whole = fitting(wholes.names, pattern);
      const Targets& targets = whole.empty() && is_failing ? modules : wholes;
      const auto fits = whole.empty() && is_failing ? fitting(modules.names, pattern) : whole;
      if (fits.empty()) {
        const auto known = is_failing ? known_names(pattern, wholes, modules) : wholes.names;
        problems.add(unknown_target(spec, t, problems.are_all_told() ? known : none));
      }
      for (const std::size_t k : fits) {
        for (const Target member : targets.members[k]) add_event(spec, member, targets.names[k], events);
      }
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const ScheduledEvent& a, const ScheduledEvent& b) { return a.at_s < b.at_s; });
  return events;
}

void apply_event(const Plant& plant, const ScheduledEvent& event, PlantState& state, std::vector<EventRecord>& events) {
  switch (event.sort) {
    case Sort::input:
      return change_setting(plant, event, state, events);
    case Sort::motor:
      return order_motor(plant, event, state, events);
    case Sort::module:
      return order_module(plant, event, state, events);
    case Sort::branch:
      return order_switch(event, orders_of_branch(plant, event.target, state), state.time_s, events);
    case Sort::source:
      return order_switch(event, orders_of_source(plant, event.target, state), state.time_s, events);
  }
}

bool advance_settings(PlantState& state) {
  bool any = false;
  for (SettingCourse& course : state.equipment.courses) {
    if (!course.is_moving) continue;
    any = true;
    state.inputs[course.input] = course.at(state.time_s);
    drop_gone(course, state.time_s);
    course.is_moving = course.moves_after(state.time_s);
  }
  return any;
}

bool is_a_setting_moving(const PlantState& state) {
  const std::vector<SettingCourse>& courses = state.equipment.courses;
  return std::any_of(courses.begin(), courses.end(), [](const SettingCourse& course) { return course.is_moving; });
}

}  // namespace wattloop::twin
