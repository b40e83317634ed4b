// A node as the hardware library describes it: its units by name, with shares of flow, its supplies and
// protection.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text/nearest.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::twin {

namespace {

constexpr double share_tolerance = 1e-3;

struct Share {
  Medium medium;
  std::string_view medium_name;
  std::string_view key;
  double NodeUnits::*value;
};

constexpr std::array shares{Share{Medium::liquid, "liquid", "liquid_share", &NodeUnits::liquid_share_fraction},
                            Share{Medium::air, "air", "air_share", &NodeUnits::air_share_fraction}};

/// What the map under `hardware:` was called where somebody wrote it: by its name in the library, else by its kind.
const Node& mention_of(const Node& hardware, const Node& kind) {
  const Node* name = find(hardware, "name");
  return name != nullptr && name->is_scalar() ? *name : kind;
}

/// The kind that the map under `hardware:` names; null, with a problem, where there is none.
const UnitKind* unit_kind_of(const Node& hardware, Problems& problems) {
  const Node* kind = find(hardware, "kind");
  if (kind == nullptr || !kind->is_scalar()) {
    problems.add(problem_at(hardware, "hardware has no kind"));
    return nullptr;
  }
  const UnitKind* found = find_unit_kind(kind->text);
  if (found == nullptr) {
    const std::vector<std::string_view> views = unit_kind_names();
    const std::vector<std::string> names(views.begin(), views.end());
    problems.add(problem_at(mention_of(hardware, *kind), fmt::format("'{}' is no kind of unit", kind->text),
                            nearest_hint(kind->text, names)));
  }
  return found;
}

/// Firmware, records and protection look at the first state of a GPU and take it for its die.
bool has_die(const UnitKind& kind) { return kind.states.front().name == "die_temperature"; }

void check_die(const Node& hardware, const UnitKind& kind, Problems& problems) {
  if (has_die(kind)) return;
  std::vector<std::string_view> with_die;
  for (const UnitKind& known : unit_kinds()) {
    if (has_die(known)) with_die.push_back(known.name);
  }
  const Node& mention = mention_of(hardware, *find(hardware, "kind"));
  problems.add(problem_at(mention, fmt::format("unit 'gpu' is a {}, which has no die_temperature", kind.name),
                          fmt::format("expected hardware of a kind with a die: {}", fmt::join(with_die, ", "))));
}

/// A unit has a share of what flows past its ports, and of nothing else.
void check_shares(const Node& map, const NodeUnits& units, const UnitKind& kind, Problems& problems) {
  for (const Share& share : shares) {
    const bool has_port = std::ranges::find(kind.ports, share.medium) != kind.ports.end();
    const bool has_share = units.*share.value > 0.0;
    if (has_port && !has_share) {
      problems.add(problem_at(map, fmt::format("unit '{}' has no share of the {}", units.name, share.medium_name),
                              fmt::format("a {} gives heat to it: set {}", kind.name, share.key)));
    } else if (has_share && !has_port) {
      problems.add(problem_at(map, fmt::format("unit '{}' has a share of {}", units.name, share.medium_name),
                              fmt::format("a {} gives no heat to it: delete {}", kind.name, share.key)));
    }
  }
}

/// GPUs are reported by their place in a node of eight (twin/units/unit_classes.hpp).
void check_places(const Node& map, NodeUnits& units, const UnitKind& kind, Problems& problems) {
  constexpr int places = 8;
  for (const FieldRef& field : kind.fields(units.spec.params)) {
    if (field.info.name != "front_gpus") continue;
    const double front = *std::get<double*>(field.target);
    if (front <= 0.0 || (units.name == "gpu" && units.count == places && front < places && std::floor(front) == front))
      continue;
    problems.add(problem_at(map, fmt::format("front_gpus: {:g} of {} in unit '{}'", front, units.count, units.name),
                            "write a whole number from 1 to 7 (of the eight GPUs of a node), or 0 if all GPUs have the "
                            "same place in the stream"));
  }
}

NodeUnits read_unit(const Entry& entry, Problems& problems) {
  NodeUnits units;
  units.name = entry.key.text;
  const std::string path = joined_path("node.units", units.name);
  const Node* hardware = find(entry.value, "hardware");
  Section section{.key = units.name, .fields = field_refs(units)};
  const UnitKind* kind = nullptr;
  const std::size_t problems_before = problems.size();
  if (hardware != nullptr && hardware->is_map()) {
    kind = unit_kind_of(*hardware, problems);
    if (kind == nullptr) return units;
    if (units.name == "gpu") check_die(*hardware, *kind, problems);
    units.spec = {.kind = std::string(kind->name), .params = kind->default_params()};
    section.device.push_back({.key = std::string(kind->name), .fields = kind->fields(units.spec.params)});
  } else {
    section.device.push_back({.key = "unit"});
  }
  read_section(entry.value, path, section, problems);
  if (kind != nullptr && problems.size() == problems_before) {
    check_shares(entry.value, units, *kind, problems);
    check_places(entry.value, units, *kind, problems);
  }
  return units;
}

void check_sum_of_shares(const Node& map, const std::vector<NodeUnits>& units, Problems& problems) {
  for (const Share& share : shares) {
    double sum = 0.0;
    for (const NodeUnits& unit : units) sum += unit.*share.value;
    if (sum > 0.0 && std::abs(sum - 1.0) > share_tolerance) {
      problems.add(problem_at(map, fmt::format("{} of all units is {:.4g}, expected 1", share.key, sum)));
    }
  }
}

/// Watts of fans go to the unit that stands for supplies and fans.
void check_fans(const Node& map, const NodeHardware& node, Problems& problems) {
  if (!(node.fan_w > 0.0) || std::ranges::find(node.units, supplies_name, &NodeUnits::name) != node.units.end()) return;
  problems.add(problem_at(
      map, fmt::format("node.units has no unit named '{}', which the watts of fan_power would heat", supplies_name),
      "add a unit of kind air_part with this name, or delete fan_power"));
}

void read_units(const Node& map, NodeHardware& node, Problems& problems) {
  if (!map.is_map()) {
    problems.add(problem_at(map, fmt::format("node.units is {}, expected a map of units by name", describe(map))));
    return;
  }
  const std::size_t problems_before = problems.size();
  for (const Entry& entry : map.entries) node.units.push_back(read_unit(entry, problems));
  if (problems.size() > problems_before) return;
  if (std::ranges::find(node.units, "gpu", &NodeUnits::name) == node.units.end()) {
    problems.add(problem_at(map, "node.units has no unit named 'gpu'"));
  }
  check_sum_of_shares(map, node.units, problems);
  check_fans(map, node, problems);
}

std::vector<FieldRow> unit_rows() {
  NodeUnits units;
  std::vector<FieldRow> rows = field_table(field_refs(units));
  rows.insert(rows.begin(), FieldRow{"hardware", "text", "required", "",
                                     "A unit of the library; write `with` to change single values."});
  return rows;
}

}  // namespace

Section node_device(NodeHardware& node) {
  return {
      .key = "node",
      .doc = "A server with its GPUs.",
      .fields = field_refs(node),
      .sections =
          {
              {.key = "split",
               .doc = "How the power at the AC inlet is divided between the GPUs and the other parts.",
               .fields = field_refs(node.split)},
              {.key = "psu", .doc = "Power supplies of the node.", .device = {psu_device(node.psu)}},
              {.key = "protection",
               .doc = "Temperature limits of a GPU and the reaction of its firmware.",
               .fields = field_refs(node.protection)},
              {.key = "inlet_air",
               .doc = "Limits of the inlet air of a node and the reaction of its firmware.",
               .fields = field_refs(node.inlet_air)},
              {.key = "fans",
               .doc = "Fan control of the node; without it the fans run at full speed.",
               .fields = field_refs(node.fans),
               .is_given = &node.has_fan_control,
               .is_optional = true},
          },
      .special = {{.key = "units",
                   .doc = "Units by name, one of which is `gpu`; the flow shares of all units add up to 1.",
                   .is_required = true,
                   .rows = unit_rows(),
                   .read = [&node](const Node& map, Problems& problems) { read_units(map, node, problems); }}},
  };
}

}  // namespace wattloop::twin
