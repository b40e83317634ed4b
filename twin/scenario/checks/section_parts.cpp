#include "twin/scenario/checks/section_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

bool takes_heat_of(const PartSpec& part, const std::string& water) {
  return std::ranges::any_of(
      part.ports, [&](const PortSpec& port) { return port.from == water + ".return" && port.to == water + ".supply"; });
}

const PartSpec* find_part(const Scenario& scenario, const std::string& name) {
  const auto found = std::ranges::find(scenario.parts, name, &PartSpec::name);
  return found == scenario.parts.end() ? nullptr : &*found;
}

/// The port at which it should be joined to that water: one that goes from some return to some supply, else the first.
const PortSpec* joined_elsewhere(const PartSpec& part) {
  const auto makes = [](const PortSpec& port) {
    return port.from.ends_with(".return") && port.to.ends_with(".supply");
  };
  const auto found = std::ranges::find_if(part.ports, makes);
  if (found != part.ports.end()) return &*found;
  return part.ports.empty() ? nullptr : &part.ports.front();
}

void check_replaced(const Node& root, const SectionPart& replaced, const PartSpec& part, Problems& problems) {
  if (takes_heat_of(part, replaced.water)) return;
  const PortSpec* port = joined_elsewhere(part);
  const Mention& at = port != nullptr ? port->mention : part.mention;
  const Place section = mention_of(root, replaced.section).place;
  std::string hint = fmt::format("from: {0}.return, to: {0}.supply, as the {1} in {2} that it replaces", replaced.water,
                                 replaced.name, other_place(section, at.place));
  problems.add({at.place, fmt::format("{} does not take the heat of {}", part.name, replaced.water), std::move(hint),
                at.excerpt});
}

}  // namespace

std::vector<SectionPart> section_parts(const Scenario& scenario) {
  std::vector<SectionPart> parts;
  int towers = 0;
  for (const FacilitySpec& water : scenario.cooling.water) {
    if (!water.pumps.is_given || !water.towers.is_given) continue;
    for (int t = 0; t < water.towers.count; ++t)
      parts.push_back({fmt::format("tower_{}", ++towers), water.name, inside(water.path, {"towers"})});
  }
  int chillers = 0;
  for (const ChilledWaterSpec& water : scenario.cooling.chilled_water) {
    if (!water.chillers.is_given) continue;
    for (int c = 0; c < water.chillers.count; ++c)
      parts.push_back({fmt::format("chiller_{}", ++chillers), water.name, inside(water.path, {"chillers"})});
  }
  return parts;
}

bool is_replaced(const Scenario& scenario, const std::string& name) { return find_part(scenario, name) != nullptr; }

std::vector<PartSpec> replacing_parts(const Scenario& scenario, const std::string& water) {
  std::vector<PartSpec> parts;
  for (const SectionPart& made : section_parts(scenario)) {
    const PartSpec* part = find_part(scenario, made.name);
    if (part != nullptr && made.water == water) parts.push_back(*part);
  }
  return parts;
}

void check_section_parts(const Node& root, const Scenario& scenario, Problems& problems) {
  const std::vector<SectionPart> made = section_parts(scenario);
  for (auto first = made.begin(); first != made.end();) {
    const auto end = std::find_if(first, made.end(), [&](const SectionPart& p) { return p.section != first->section; });
    std::ptrdiff_t replaced = 0;
    const PartSpec* part = nullptr;
    for (auto one = first; one != end; ++one) {
      const PartSpec* by = find_part(scenario, one->name);
      if (by == nullptr) continue;
      part = by;
      ++replaced;
      check_replaced(root, *one, *by, problems);
    }
    const std::string& key = first->section.back();
    if (replaced == end - first)
      problems.add({part->mention.place, fmt::format("parts replace all {} of {}", key, first->water),
                    fmt::format("delete {} in {}: the parts replace this section", key,
                                other_place(mention_of(root, first->section).place, part->mention.place)),
                    part->mention.excerpt});
    first = end;
  }
}

}  // namespace wattloop::twin
