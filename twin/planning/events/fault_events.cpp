#include "twin/planning/events/fault_events.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

constexpr double least_filter_fraction = 0.01;  ///< less lets no air through that carries the heat of the fan

std::string whole_of(std::string_view target) { return std::string(target.substr(0, target.rfind('.'))); }

}  // namespace

Mention mention_of(const EventSpec& spec, std::size_t number) {
  return number < spec.target_mentions.size() ? spec.target_mentions[number] : Mention{spec.place, spec.excerpt};
}

const FaultSetting* fault_of(const EventSpec& spec) {
  return spec.kind == EventSpec::Kind::set && !spec.targets.empty() ? fault_in(spec.targets.front()).fault : nullptr;
}

std::size_t position_state(const Plant& plant, const std::string& setting) {
  const std::string target(fault_in(setting).target);
  const std::size_t dot = target.rfind('.');
  const std::string requested = target.substr(0, dot) + "." + target.substr(dot + 1) + "_position";
  for (std::size_t slot = 0; slot < plant.map.first_unit_state; ++slot) {
    if (plant.layout.name(slot) == requested) return slot;
  }
  throw std::logic_error("no state '" + requested + "' for what may stick");
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
  return {mention.place, fmt::format("{} clogged to less than 1 %: its fan would heat air that does not move", name),
          fmt::format("write `to` as 1 % or more, or write fail: {}", name.substr(0, name.rfind('.'))),
          mention.excerpt};
}

Problem shut_rack(const EventSpec& spec, std::size_t number, const std::string& name) {
  const Mention mention = mention_of(spec, number);
  return {mention.place, fmt::format("{} clogged to 0 %: no coolant would take the heat of its cold plates", name),
          "write `to` as a share above 0 %", mention.excerpt};
}

}  // namespace wattloop::twin
