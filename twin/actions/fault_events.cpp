#include "twin/actions/fault_events.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "core/nearest.hpp"

namespace wattloop::twin {

namespace {

constexpr double least_filter_fraction = 0.01;  ///< less lets no air through that carries the heat of the fan

std::string whole_of(std::string_view target) { return std::string(target.substr(0, target.rfind('.'))); }

Mention mention_of(const EventSpec& spec, std::size_t number) {
  return number < spec.target_mentions.size() ? spec.target_mentions[number] : Mention{spec.place, spec.excerpt};
}

bool is_part(const Plant& plant, const std::string& name, std::string_view kind) {
  return std::ranges::any_of(plant.named,
                             [&](const NamedPart& part) { return part.name == name && part.kind == kind; });
}

std::string door_of(const std::string& rack) { return rack + ".door"; }

bool has_door(const Plant& plant, const std::string& rack) {
  return std::ranges::find(plant.doors, rack, &DoorPart::rack) != plant.doors.end();
}

/// These, and parts that get a passage once an event clogs them.
std::vector<std::string> with_racks(const Plant& plant, std::vector<std::string> names) {
  std::unordered_set<std::string> known(names.begin(), names.end());
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  for (const NamedPart& part : plant.named) {
    if (part.may_clog) add(part.name);
  }
  for (const DoorPart& door : plant.doors) add(door_of(door.rack));
  return names;
}

/// What is wrong with clogging a rack of which nothing clogs by that name; an empty message of other names.
Problem wrong_passage_of_rack(const Plant& plant, const std::string& name) {
  const auto is_rack = [&](const std::string& part) {
    return is_part(plant, part, "rack") || is_part(plant, part, "network rack");
  };
  Problem problem;
  if (is_rack(name)) {
    problem.message = fmt::format("{} has no passage: no coolant comes to it", name);
    problem.hint = has_door(plant, name) ? fmt::format("its door clogs: {}", door_of(name))
                                         : "what air alone cools has nothing that clogs";
  } else if (const std::string rack = whole_of(name); name == door_of(rack) && is_rack(rack)) {
    problem.message = fmt::format("{} has no rear door", rack);
    const auto is_named = [&](const NamedPart& part) { return part.name == rack && part.may_clog; };
    problem.hint = std::ranges::any_of(plant.named, is_named) ? fmt::format("its coolant clogs: {}", rack)
                                                              : "what air alone cools has nothing that clogs";
  }
  return problem;
}

/// Names of things of that part to which that happens.
std::string of_part(const FaultTargets& targets, const std::string& part) {
  std::string names;
  for (const std::string& name : targets.names) {
    if (name.starts_with(part + ".")) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace

FaultTargets fault_targets(const Plant& plant, const FaultSetting& fault) {
  FaultTargets targets;
  for (std::size_t number = 0; number < plant.settings.size(); ++number) {
    const auto [found, target] = fault_in(plant.settings[number].name);
    if (found == nullptr || found->name != fault.name) continue;
    targets.names.emplace_back(target);
    targets.settings.push_back({number});
    if (fault.name != clogged_passage.name) continue;
    const std::string part = whole_of(target);
    if (part == target) continue;
    const auto known = std::ranges::find(targets.names, part);
    if (known != targets.names.end()) {
      targets.settings[static_cast<std::size_t>(known - targets.names.begin())].push_back(number);
    } else {
      targets.names.push_back(part);
      targets.settings.push_back({number});
    }
  }
  return targets;
}

const FaultSetting* fault_of(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::set && !spec.targets.empty() ? fault_in(spec.targets.front()).fault : nullptr;
}

std::size_t position_state(const Plant& plant, const std::string& setting) {
  const std::string target(fault_in(setting).target);
  const std::size_t dot = target.rfind('.');
  const std::string wanted = target.substr(0, dot) + "." + target.substr(dot + 1) + "_position";
  for (std::size_t slot = 0; slot < plant.map.first_unit_state; ++slot) {
    if (plant.layout.name(slot) == wanted) return slot;
  }
  throw std::logic_error("no state '" + wanted + "' for what may stick");
}

std::string fault_text(const FaultSetting& fault, double value) {
  if (fault.name == part_failed.name) return value > 0.0 ? "stands" : "works";
  if (fault.name == stuck_at.name && value < 0.0) return "free";
  return fmt::format("{:.4g} %", 100.0 * value);
}

bool shuts_rack(const Plant& plant, const EventSpec& spec, const std::string& name) {
  if (fault_of(spec)->name != clogged_passage.name || spec.to_si.value_or(1.0) > 0.0) return false;
  const auto is_rack = [](const NamedPart& part, std::string_view of) { return part.may_clog && part.name == of; };
  return std::ranges::any_of(plant.named, [&](const NamedPart& part) {  // a door may be shut
    return is_rack(part, name) || (name.ends_with(".coolant") && is_rack(part, whole_of(name)));
  });
}

bool shuts_filter(const EventSpec& spec, const std::string& name) {
  return fault_of(spec)->name == clogged_passage.name && name.ends_with(".filter") &&
         spec.to_si.value_or(1.0) < least_filter_fraction;
}

Problem shut_filter(const EventSpec& spec, std::size_t number, const std::string& name) {
  const Mention mention = mention_of(spec, number);
  return {mention.place, fmt::format("{} clogged to less than 1 %: its fan would heat air that nothing moves", name),
          fmt::format("to: 1 % or more, or fail: {}", name.substr(0, name.rfind('.'))), mention.excerpt};
}

Problem shut_rack(const EventSpec& spec, std::size_t number, const std::string& name) {
  const Mention mention = mention_of(spec, number);
  return {mention.place, fmt::format("{} clogged to 0 %: nothing would take the heat of its cold plates", name),
          "to: a share above 0 %", mention.excerpt};
}

Problem wrong_fault_target(const Plant& plant, const EventSpec& spec, std::size_t number, const FaultSetting& fault) {
  const Mention mention = mention_of(spec, number);
  const std::string name(fault_in(spec.targets[number]).target);
  const FaultTargets targets = fault_targets(plant, fault);
  const std::string what = fault.name == stuck_at.name ? "position" : "passage";
  std::string message = fmt::format("this hall has no '{}' with a {}", name, what), hint;
  if (const std::string those = of_part(targets, name); !those.empty()) {
    message = fmt::format("{} has no {}", name, what);
    hint = those + " has";
  } else {
    for (const FaultSetting& other : fault_settings) {
      const FaultTargets able = fault_targets(plant, other);
      const bool is_named = std::ranges::find(able.names, name) != able.names.end();
      const std::string found = is_named ? name : of_part(able, name);
      if (!found.empty())
        hint += fmt::format("{}{}: {}", hint.empty() ? "what may happen there: " : ", ", other.event, found);
    }
    const bool clogs = fault.name == clogged_passage.name;
    const Problem of_rack = clogs ? wrong_passage_of_rack(plant, name) : Problem{};
    if (!of_rack.message.empty()) message = of_rack.message;
    if (hint.empty()) hint = of_rack.hint;
    if (hint.empty()) hint = nearest_hint(name, clogs ? with_racks(plant, targets.names) : targets.names);
  }
  if (hint.empty()) hint = "wattloop explain --parts SCENARIO lists what there is";
  return {mention.place, message, hint, mention.excerpt};
}

}  // namespace wattloop::twin
