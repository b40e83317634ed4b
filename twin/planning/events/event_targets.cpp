#include "twin/planning/events/event_targets.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/planning/events/fault_events.hpp"

namespace wattloop::twin {

namespace {

using TargetKind = ScheduledEvent::TargetKind;

constexpr std::array first_words{"leaf", "spine", "core", "super_core", "tier", "rail", "node", "manager"};

/// "leaf" of "leaf_12.to_spine_3".
std::string word_of(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('.'));
  return std::string(first.substr(0, first.rfind('_')));
}

bool has_first_word(std::string_view name) {
  return std::ranges::find(first_words, word_of(name)) != first_words.end();
}

void add_part(const HallFabric& hall, const network::Component& component, EventTargets& targets) {
  const std::string name = network::name_of(hall.fabric, component);
  if (!targets.names.holds(name))
    targets.add(name, {ScheduledEvent::TargetKind::fabric, part_number(hall.fabric, component)});
}

/// Whether an event may happen to parts of a fabric.
bool is_of_fabric(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore ||
         spec.kind == EventSpec::Kind::slow;
}

/// Whether a name has the form of one of them: "leaf_12", "spine_3.to_core_1", "node_7.rail_5", with mistakes of a letter.
bool means_fabric(std::string_view name) {
  if (has_first_word(name)) return true;
  const std::vector<std::string> words(first_words.begin(), first_words.end());
  const std::string word = word_of(name);
  return name.find('_') != std::string_view::npos && word != "row" && !nearest(word, words).empty();
}

/// Adds the parts that events name; all parts, where any event names several by `*`.
void add_fabric_targets(const HallFabric& hall, std::span<const EventSpec> events, EventTargets& targets) {
  bool has_pattern = false;
  for (const EventSpec& spec : events) {
    if (!is_of_fabric(spec)) continue;
    for (const std::string& name : spec.targets) {
      if (!has_first_word(name)) continue;
      has_pattern = has_pattern || name.find('*') != std::string::npos;
      if (const auto found = network::find_component(hall.fabric, name)) add_part(hall, *found, targets);
    }
  }
  const std::size_t parts = has_pattern ? hall.part_count() : 0;
  const bool has_rails = hall.fabric.params.kind == network::FabricKind::fat_tree;
  for (std::size_t part = 0; part < parts; ++part) {
    const network::Component component = component_of(hall.fabric, part);
    if (component.kind != network::Component::Kind::rail || has_rails) add_part(hall, component, targets);
  }
}

/// Whether that is what an event brings.
bool brings(const EventSpec& spec, const FaultSetting& requested) {
  const FaultSetting* fault = fault_of(spec);
  return fault != nullptr && fault->name == requested.name;
}

std::string part_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

bool is_draining(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::drain || spec.kind == EventSpec::Kind::resume;
}

bool is_failing(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::fail || spec.kind == EventSpec::Kind::restore;
}

/// Sources and branches of the power tree to which that may happen.
void add_power(const Plant& plant, PartEvent requested, EventTargets& targets) {
  const electrical::PowerTree& tree = plant.power_tree;
  const auto takes = [requested](std::string_view kind) { return electrical::electrical_kind(kind).takes(requested); };
  for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
    if (takes(tree.source_kind[s])) targets.add(tree.source_name[s], {TargetKind::source, s});
  }
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    if (takes(tree.branch_kind[b])) targets.add(tree.branch_name[b], {TargetKind::branch, b});
  }
}

/// Racks, with the fans of their doors.
void add_rack_loads(const Plant& plant, EventTargets& targets) {
  const auto add = [&](const auto& racks) {
    for (const auto& rack : racks) {
      targets.add(rack.name, {TargetKind::load, rack.load});
      if (rack.door_fans.load != no_part) targets.add(rack.name, {TargetKind::load, rack.door_fans.load});
    }
  };
  add(plant.it.racks);
  add(plant.it.network_racks);
  add(plant.it.storage_racks);
}

/// Fans of nodes, rack by rack.
void add_rack_fans(const Plant& plant, EventTargets& targets) {
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack) {
    const RackPart& part = plant.it.racks[rack];
    if (plant.initial_inputs[part.airflow_input] > 0.0) targets.add(part.name + ".fans", {TargetKind::fans, rack});
  }
}

/// A part with several passages stands for all of them.
void add_faults(const Plant& plant, const FaultSetting& fault, EventTargets& targets) {
  for (const SettingPart& setting : plant.settings) {
    const auto [found, target] = fault_in(setting.name);
    if (found == nullptr || found->name != fault.name) continue;
    const std::string name(target), part = part_of(name);
    targets.add(name, {TargetKind::input, setting.input});
    if (fault.name == clogged_passage.name && part != name) targets.add(part, {TargetKind::input, setting.input});
  }
}

/// All motors, and parts that have several motors or whose motors have names of their own.
void add_motors(const Plant& plant, EventTargets& targets) {
  for (std::size_t m = 0; m < plant.motors.size(); ++m) targets.add(plant.motors[m].name, {TargetKind::motor, m});
  for (const NamedPart& part : plant.named) {
    if (part.motors.empty() || plant.motors[part.motors.front()].name == part.name) continue;
    for (const std::size_t motor : part.motors) targets.add(part.name, {TargetKind::motor, motor});
  }
}

void add_modules(const electrical::PowerTree& tree, EventTargets& targets) {
  for (std::size_t module = 0; module < tree.module_name.size(); ++module) {
    if (!tree.module_name[module].empty()) targets.add(tree.module_name[module], {TargetKind::module, module});
  }
}

/// Whether an event is about nodes or GPUs, of which there are many.
bool names_nodes(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::slow || std::ranges::any_of(spec.targets, [](const std::string& target) {
           return target.find(".node_") != std::string::npos;
         });
}

void add_nodes(const Plant& plant, HallTargets& hall) {
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<std::string>& gpus = plant.groups[group.gpu_units]->unit_names;
    for (std::size_t unit = 0; unit < gpus.size(); ++unit) {
      const std::size_t node = group.first_node + unit / group.gpus_per_node, gpu = group.first_gpu + unit;
      if (unit % group.gpus_per_node == 0) hall.nodes.add(part_of(gpus[unit]), {TargetKind::node, node});
      hall.nodes.add(gpus[unit], {TargetKind::gpu, gpu});
      hall.gpus.add(gpus[unit], {TargetKind::gpu, gpu});
    }
  }
}

void add_drained(const Plant& plant, EventTargets& targets) {
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack)
    targets.add(plant.it.racks[rack].name, {TargetKind::rack, rack});
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<std::string>& gpus = plant.groups[group.gpu_units]->unit_names;
    for (std::size_t unit = 0; unit < gpus.size(); unit += group.gpus_per_node)
      targets.add(part_of(gpus[unit]), {TargetKind::node, group.first_node + unit / group.gpus_per_node});
  }
}

/// What fails, what may stick, and what may clog.
EventTargets restoring_targets(const Plant& plant, const HallTargets& hall) {
  EventTargets targets = hall.failing;
  add_faults(plant, stuck_at, targets);
  for (std::size_t k = 0; k < hall.clogging.members.size(); ++k) {
    const std::string& name = hall.clogging.names.names()[k];
    for (EventTarget member : hall.clogging.members[k]) {
      member.needs_earlier = hall.failing.names.holds(name);
      targets.add(name, member);
    }
  }
  return targets;
}

/// A few names of things of that part to which that happens.
std::string of_part(const EventTargets& targets, const std::string& part) {
  constexpr std::size_t most = 4;
  std::vector<std::string_view> names;
  for (const std::string& name : targets.names.names()) {
    if (name.starts_with(part + ".")) names.push_back(name);
  }
  return names.size() > most ? std::string() : fmt::format("{}", fmt::join(names, ", "));
}

/// "what may happen there: clog: tower_1, fail: tower_1.fan"; empty where nothing may.
std::string what_may_happen(const HallTargets& hall, const std::string& name) {
  const std::array able{std::pair("stick", &hall.sticking), std::pair("clog", &hall.clogging),
                        std::pair("fail", &hall.failing), std::pair("open", &hall.switching)};
  std::string text;
  for (const auto& [event, targets] : able) {
    const std::string found = targets->names.holds(name) ? name : of_part(*targets, name);
    if (!found.empty()) text += fmt::format("{}{}: {}", text.empty() ? "possible events there: " : ", ", event, found);
  }
  return text;
}

/// "GPU", "node", "coolant loop": what bears that name; empty where nothing does.
std::string kind_called(const Plant& plant, const std::string& name) {
  const auto part = std::ranges::find(plant.named, name, &NamedPart::name);
  if (part != plant.named.end()) return part->kind;
  for (const RackGroup& group : plant.it.groups) {
    for (const std::string& gpu : plant.groups[group.gpu_units]->unit_names) {
      if (gpu == name) return "GPU";
      if (part_of(gpu) == name) return "node";
    }
  }
  return {};
}

/// Of the fans of nodes, which have no events of their own: what to write instead. Empty of other names.
std::string fans_of_node_hint(const Plant& plant, const HallTargets& hall, const std::string& name) {
  const std::string node = part_of(name), of_rack = part_of(node) + ".fans";
  if (name != node + ".fans" || hall.failing.names.fitting(of_rack).empty()) return {};
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<std::string>& gpus = plant.groups[group.gpu_units]->unit_names;
    if (std::ranges::none_of(gpus, [&](const std::string& gpu) { return fits_pattern(part_of(gpu), node); })) continue;
    return fmt::format(
        "all nodes of a rack share its air and its fan speed: write '{}', the fans of all its nodes; to let the fans "
        "of a single node fail, write a rack of one node, `nodes: 1`",
        of_rack);
  }
  return {};
}

std::string door_of(const std::string& rack) { return rack + ".door"; }

/// What is wrong with clogging a rack of which nothing clogs by that name; an empty message of other names.
Problem wrong_passage_of_rack(const Plant& plant, const std::string& name) {
  const std::string rack = name == door_of(part_of(name)) ? part_of(name) : name;
  const auto part = std::ranges::find(plant.named, rack, &NamedPart::name);
  Problem problem;
  if (part == plant.named.end() || (part->kind != "rack" && part->kind != "network rack")) return problem;
  const bool has_door = std::ranges::find(plant.doors, rack, &DoorPart::rack) != plant.doors.end();
  const bool means_door = rack != name;
  problem.message = means_door ? fmt::format("{} has no rear door", rack)
                               : fmt::format("{} has no coolant passage that could clog", rack);
  problem.hint = means_door && part->may_clog ? fmt::format("to clog its coolant, write {}", rack)
                 : !means_door && has_door
                     ? fmt::format("to clog its door, write {}", door_of(rack))
                     : "write a part that contains a liquid: parts that are cooled only by air cannot clog";
  return problem;
}

/// Besides what there is: parts that get a passage once an event clogs them, and modules where one of them is near.
std::string nearest_of(const Plant& plant, const HallTargets& hall, const EventSpec& spec, const std::string& name) {
  NameIndex names = hall.of(spec).names;
  if (brings(spec, clogged_passage)) {
    for (const NamedPart& part : plant.named) {
      if (!part.may_clog) continue;
      names.add(part.name);
      names.add(coolant_passage(part.name));
    }
    for (const DoorPart& door : plant.doors) names.add(door_of(door.rack));
  }
  if (is_failing(spec) && !nearest(name, hall.modules.names.names()).empty()) {
    for (const std::string& module : hall.modules.names.names()) names.add(module);
  }
  return nearest_hint(name, names.names());
}

std::string hint_for(const Plant& plant, const HallTargets& hall, const EventSpec& spec, const std::string& name) {
  if (std::string hint = fans_of_node_hint(plant, hall, name); !hint.empty()) return hint;
  const bool is_setting = spec.kind == EventSpec::Kind::set && fault_of(spec) == nullptr;
  if (is_setting && name.starts_with("weather.") && !plant.outside.is_felt())
    return "no part of this hall uses outdoor air: the scenario gives the temperatures of its water";
  std::string hint = is_setting ? "" : what_may_happen(hall, name);
  const std::string kind = is_setting || !hint.empty() ? "" : kind_called(plant, name);
  if (!kind.empty()) hint = fmt::format("'{}' is a {}: this event does not exist for that kind of part", name, kind);
  if (hint.empty()) hint = nearest_of(plant, hall, spec, name);
  if (!hint.empty()) return hint;
  const std::string whole = name.substr(0, name.find('.'));
  if (hall.of(spec).names.holds(whole)) return fmt::format("write the name of the whole part, '{}'", whole);
  return "wattloop explain --parts SCENARIO lists all parts";
}

std::string message_of(const EventSpec& spec, const std::string& name) {
  if (const FaultSetting* fault = fault_of(spec))
    return fmt::format("this hall has no '{}' with a {}", name, fault->name == stuck_at.name ? "position" : "passage");
  if (spec.kind == EventSpec::Kind::set) return fmt::format("this hall has no setting '{}'", name);
  if (is_failing(spec)) return fmt::format("this hall has no component '{}' that can fail", name);
  if (spec.kind == EventSpec::Kind::slow) return fmt::format("this hall has no GPU '{}'", name);
  if (is_draining(spec)) return fmt::format("'{}' cannot be drained: it is not a node or rack of this hall", name);
  return fmt::format(
      "'{}' cannot be opened or closed: it is not a source, a branch of the power tree or a rack of this hall", name);
}

}  // namespace

void EventTargets::add(const std::string& name, EventTarget member) {
  const std::size_t number = names.add(name);
  if (number == members.size()) members.emplace_back();
  members[number].push_back(member);
}

const EventTargets& HallTargets::of(const EventSpec& spec) const {
  switch (spec.kind) {
    case EventSpec::Kind::fail:
      return failing;
    case EventSpec::Kind::restore:
      return restoring;
    case EventSpec::Kind::open:
    case EventSpec::Kind::close:
      return switching;
    case EventSpec::Kind::slow:
      return gpus;
    case EventSpec::Kind::drain:
    case EventSpec::Kind::resume:
      return draining;
    case EventSpec::Kind::set:
      break;
  }
  return brings(spec, clogged_passage) ? clogging : brings(spec, stuck_at) ? sticking : settings;
}

HallTargets hall_targets(const Plant& plant) {
  HallTargets hall;
  add_power(plant, PartEvent::fail, hall.failing);
  add_motors(plant, hall.failing);
  add_faults(plant, part_failed, hall.failing);
  add_rack_fans(plant, hall.failing);
  add_power(plant, PartEvent::open, hall.switching);
  add_rack_loads(plant, hall.switching);
  add_faults(plant, stuck_at, hall.sticking);
  add_faults(plant, clogged_passage, hall.clogging);
  add_modules(plant.power_tree, hall.modules);
  for (const SettingPart& setting : plant.settings) {
    if (!is_fault(setting.name)) hall.settings.add(setting.name, {TargetKind::input, setting.input});
  }
  hall.restoring = restoring_targets(plant, hall);
  return hall;
}

void add_named_targets(const Plant& plant, std::span<const EventSpec> events, HallTargets& hall) {
  if (hall.nodes.members.empty() && std::ranges::any_of(events, names_nodes)) add_nodes(plant, hall);
  if (hall.draining.members.empty() && std::ranges::any_of(events, is_draining)) add_drained(plant, hall.draining);
  hall.fabric = {};
  if (plant.fabric) add_fabric_targets(*plant.fabric, events, hall.fabric);
}

Problem wrong_target(const Plant& plant, const HallTargets& targets, const EventSpec& spec, std::size_t number,
                     const Problems& problems) {
  const Mention mention = mention_of(spec, number);
  const std::string name(fault_in(spec.targets[number]).target);
  if (plant.fabric && is_of_fabric(spec) && means_fabric(name))
    return {mention.place, network::unknown_name(plant.fabric->fabric, name), {}, mention.excerpt};
  Problem problem{mention.place, message_of(spec, name), {}, mention.excerpt};
  if (!problems.are_all_reported()) return problem;
  const FaultSetting* fault = fault_of(spec);
  const std::string those = fault == nullptr ? "" : of_part(targets.of(spec), name);
  const Problem of_rack = brings(spec, clogged_passage) ? wrong_passage_of_rack(plant, name) : Problem{};
  if (!those.empty()) {
    problem.message = fmt::format("{} has no {}", name, fault->name == stuck_at.name ? "position" : "passage");
    problem.hint = those + " has";
  } else if (!of_rack.message.empty()) {
    problem.message = of_rack.message;
    problem.hint = of_rack.hint;
  } else {
    problem.hint = hint_for(plant, targets, spec, name);
  }
  return problem;
}

}  // namespace wattloop::twin
