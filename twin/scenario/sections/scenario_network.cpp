// `hall.network` of a fabric whose switches and links are modelled (twin/scenario/specs/fabric_spec.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

/// One ratio, or one for each tier from the leaves up.
void read_ratios(const Node& value, std::vector<double>& ratios, Problems& problems) {
  const auto read_ratio = [&](const Node& node) {
    double ratio = required;
    if (!read_field(node, {&ratio, {"oversubscription", "1", Range::positive, "", {}}}, problems)) return;
    if (ratio >= 1.0) return ratios.push_back(ratio);
    problems.add(problem_at(node, fmt::format("oversubscription: {:.6g} is below 1", ratio),
                            "write the bandwidth down divided by the bandwidth up of a switch, 1 or more"));
  };
  ratios.clear();
  if (value.is_sequence() && value.items.empty())
    problems.add(
        problem_at(value, "oversubscription is empty", "write a ratio for each tier from the leaves up: [1, 1, 4]"));
  for (const Node& item : value.items) read_ratio(item);
  if (!value.is_sequence()) read_ratio(value);
}

SpecialKey oversubscription_key(std::vector<double>& ratios) {
  return {.key = "oversubscription",
          .doc =
              "Bandwidth down divided by bandwidth up of the switches of each tier: a list from the leaves up to the "
              "tier below the top; 1 if not given.",
          .read = [&ratios](const Node& value, Problems& problems) { read_ratios(value, ratios, problems); }};
}

Section counted_section(const char* key, const char* doc, CountedSwitchesSpec& spec) {
  return {.key = key, .doc = doc, .fields = field_refs(spec), .is_given = &spec.is_given, .is_optional = true};
}

/// The value of a key, unless `null` takes it back.
const Node* written(const Node& map, std::string_view key) {
  const Node* value = find(map, key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

/// What is written of a fabric that is not modelled, and what a modelled one takes from elsewhere.
void check_keys(const Node& map, const Section& fabric, FabricSpec& spec, Problems& problems) {
  spec.has_rails = written(map, "rails") != nullptr;
  const Node* kind = written(map, "kind");
  if (kind != nullptr && kind->text != FabricSpec::counted) {  // whether it is a good one or not
    if (const Node* traffic = written(map, "traffic"))
      problems.add(problem_at(*traffic, "traffic: the traffic of a modelled fabric follows from the jobs",
                              fmt::format("delete it, or write kind: {}", FabricSpec::counted)));
    return;
  }
  const auto refuse = [&](std::string_view key) {
    const Node* value = written(map, key);
    if (value == nullptr || key == "kind") return;
    problems.add(problem_at(*value, fmt::format("{}: switches of this network are counted, not modelled", key),
                            "write kind: fat_tree or kind: ethernet_clos for a modelled fabric"));
  };
  for (const FieldRef& field : fabric.fields) refuse(field.info.name);
  for (const Section& section : fabric.sections) refuse(section.key);
  for (const SpecialKey& key : fabric.special) refuse(key.key);
}

}  // namespace

void add_fabric_keys(FabricSpec& spec, Section& network) {
  Section fabric;
  fabric.fields = field_refs(spec);
  for (const FieldRef& field : field_refs(spec.params)) fabric.fields.push_back(field);
  fabric.sections = {
      {.key = "nvlink",
       .doc = "NVLink between the GPUs of a node, or of a domain of several nodes.",
       .fields = field_refs(spec.nvlink),
       .is_optional = true},
      counted_section("management", "Management network: only its number of switches is modelled.", spec.management),
      counted_section("storage", "Storage network: only its number of switches is modelled.", spec.storage)};
  fabric.special = {oversubscription_key(spec.params.oversubscription)};
  network.fields.insert(network.fields.end(), fabric.fields.begin(), fabric.fields.end());
  network.sections.insert(network.sections.end(), fabric.sections.begin(), fabric.sections.end());
  network.special.insert(network.special.end(), fabric.special.begin(), fabric.special.end());
  network.check = [fabric, &spec](const Node& map, Problems& problems) { check_keys(map, fabric, spec, problems); };
}

}  // namespace wattloop::twin
