// `parts:` of a scenario: parts by name, of any kind whose header says how it is joined. Whether what they are joined to exists
// is checked when the plant is built.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/nearest.hpp"
#include "physics/air/wet_coil.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr int most_alike = 10000;

std::vector<std::string> written_kinds() {
  std::vector<std::string> names;
  for (const PartKind& kind : part_kinds()) {
    if (kind.written) names.emplace_back(kind.name);
  }
  return names;
}

/// What `kind:` says, or the device.
const PartKind* read_kind(MapReader& reader, const Node* hardware) {
  const Node* kind = reader.find("kind");
  if (kind == nullptr && hardware != nullptr && hardware->is_map()) kind = find(*hardware, "kind");
  if (kind == nullptr) {
    if (hardware == nullptr || hardware->is_map())
      reader.problems().add(problem_at(reader.node(), fmt::format("{} has no kind", reader.subject()),
                                       "kind: one of " + fmt::format("{}", fmt::join(written_kinds(), ", ")) +
                                           ", or hardware: a device of such a kind"));
    return nullptr;
  }
  const PartKind* found = find_written_kind(kind->text);
  if (found == nullptr) {
    const std::string near = nearest_hint(kind->text, written_kinds());
    reader.problems().add(
        problem_at(*kind, fmt::format("'{}' is not a kind of part that a scenario can use", kind->text),
                   near.empty() ? fmt::format("known kinds: {}", fmt::join(written_kinds(), ", ")) : near));
  }
  return found;
}

std::string read_name(const Node* node, Problems& problems) {
  if (node == nullptr) return {};
  if (node->is_scalar() && !node->text.empty()) return node->text;
  problems.add(problem_at(*node, fmt::format("expected the name of the connected part, found {}", describe(*node))));
  return {};
}

void read_passage(const Node& node, const PartPort& port, PartSpec& part, Problems& problems) {
  MapReader reader(node, fmt::format("{}.{}", part.name, port.name), problems);
  if (!reader.is_map()) return;
  constexpr const char* hint = "write { from: facility.return, to: facility.supply }";
  PortSpec spec{std::string(port.name), {}, {}, {node.place, node.excerpt}};
  spec.from = read_name(reader.require("from", hint), problems);
  spec.to = read_name(reader.require("to", hint), problems);
  reader.report_unknown_keys();
  part.ports.push_back(std::move(spec));
}

void read_port(MapReader& reader, const PartPort& port, PartSpec& part) {
  if (port.name == physics::vapour_port) return;  // joined to the room where its air is
  Problems& problems = reader.problems();
  if (port.is_passage) {
    const bool makes_water = port.is_moved_by_own_motor || port.imposed_flow.count > 0;
    const Node* node =
        reader.require(port.name, fmt::format("{}: {{ from: facility.{}, to: facility.{} }}", port.name,
                                              makes_water ? "return" : "supply", makes_water ? "supply" : "return"));
    if (node != nullptr) read_passage(*node, port, part, problems);
    return;
  }
  const bool is_only_given_heat = port.medium == PortMedium::heat && port.seen.count == 0;  // else outdoors
  const bool is_free = port.medium == PortMedium::weather || !port.inside.empty() || is_only_given_heat;
  const bool is_motor = port.medium == PortMedium::electric;
  const Node* node = is_free || is_motor
                         ? reader.find(port.name)
                         : reader.require(port.name, fmt::format("{}: the name of the place of the part", port.name));
  if (node == nullptr) return;
  PortSpec spec{std::string(port.name), read_name(node, problems), {}, {node->place, node->excerpt}};
  if (is_motor && spec.from != "ups" && spec.from != "low_voltage")
    problems.add(problem_at(*node, fmt::format("{} is {}, expected ups or low_voltage", port.name, describe(*node))));
  part.ports.push_back(std::move(spec));
}

void read_settings(MapReader& reader, const WritablePart& kind, PartSpec& part) {
  for (const PartSetting& setting : kind.settings) {
    if (setting.is_of_system) {
      reader.redirect(setting.info.name,
                      "delete this key: the set-point is the supply temperature of the connected water system; set "
                      "that, for example facility.supply_temperature");
      continue;
    }
    double value = required;
    const Node* node = reader.require(setting.info.name);
    if (node != nullptr && says_follow(*node)) {
      part.followed.push_back(read_follow(*node, {}, setting.info, reader.problems()));
      part.settings.emplace_back(setting.info.name, 0.0);  // until its file has been read
    } else if (node != nullptr && read_field(*node, {&value, setting.info}, reader.problems()))
      part.settings.emplace_back(setting.info.name, value);
  }
}

/// With its number instead of every `*`.
std::string numbered(std::string text, int number) {
  for (std::size_t at = text.find('*'); at != std::string::npos; at = text.find('*', at))
    text.replace(at, 1, fmt::format("{}", number));
  return text;
}

/// One of many alike: its own name, and what is its own where `*` stands for its number.
PartSpec numbered(PartSpec part, int number) {
  part.name = fmt::format("{}_{}", part.name, number);
  part.at = numbered(std::move(part.at), number);
  for (PortSpec& port : part.ports) {
    port.from = numbered(std::move(port.from), number);
    port.to = numbered(std::move(port.to), number);
  }
  for (FollowSpec& spec : part.followed) spec.params.column = numbered(std::move(spec.params.column), number);
  return part;
}

void add_part(PartSpec part, std::vector<PartSpec>& parts) {
  for (FollowSpec& spec : part.followed) spec.setting = fmt::format("{}.{}", part.name, spec.info.name);
  parts.push_back(std::move(part));
}

void read_part(const Entry& entry, std::vector<PartSpec>& parts, Problems& problems) {
  MapReader reader(entry.value, entry.key.text, problems);
  if (!reader.is_map()) return;
  const Node* hardware = reader.find("hardware");
  const PartKind* kind = read_kind(reader, hardware);
  if (kind == nullptr) return;
  PartSpec part{entry.key.text,
                std::string(kind->name),
                kind->written->default_params(),
                {},
                {},
                {entry.key.place, entry.key.excerpt}};
  const Section device{.key = part.kind, .doc = std::string(kind->doc), .fields = kind->written->fields(part.params)};
  if (hardware != nullptr) {
    read_device(*hardware, device, problems);
  } else {
    read_fields(reader, device.fields);
  }
  if (const Node* at = reader.find("at")) {
    part.at = read_name(at, problems);
    part.at_mention = {at->place, at->excerpt};
  }
  int count = 0;
  if (const Node* number = reader.find("count"))
    read_field(*number, {&count, {"count", {}, Range::positive, "", {}}}, problems);
  read_settings(reader, *kind->written, part);
  for (const PartPort& port : kind->written->ports) read_port(reader, port, part);
  reader.report_unknown_keys();
  if (count > most_alike) {
    problems.add(problem_at(entry.key, fmt::format("{} parts '{}' are more than Wattloop supports", count, part.name),
                            fmt::format("at most {}", most_alike)));
    return;
  }
  if (count == 0) add_part(part, parts);
  for (int number = 1; number <= count; ++number) add_part(numbered(part, number), parts);
}

}  // namespace

SpecialKey parts_key(std::vector<PartSpec>& parts) {
  return {
      .key = "parts",
      .doc = "Parts of the hall in addition to those of the other sections: a map, by name.",
      .rows =
          {{"kind", "text", "that of hardware", fmt::format("{}", fmt::join(written_kinds(), ", ")),
            "Kind of part; `wattloop explain` of the kind lists its ports and settings."},
           {"hardware", "text", "", "", "Name of a device of this kind; without it, write the parameters here."},
           {"count", "count", "", "more than 0",
            "Number of such parts, named NAME_1, NAME_2 and so on; `*` in ports, columns and `at` stands for the "
            "number."},
           {"PORT", "text or map", "required", "",
            "What a port is connected to; `{ from: facility.return, to: facility.supply }` if a liquid flows through "
            "the part."},
           {"SETTING", "of the setting", "required", "",
            "Start value of a setting that events can change; or `{ follow: ... }`."}},
      .read = [&parts](const Node& map, Problems& problems) {
        if (!map.is_map()) {
          problems.add(problem_at(map, fmt::format("parts is {}, expected a map by name", describe(map)),
                                  "write parts: { cooler_1: { kind: ..., ... } }"));
          return;
        }
        for (const Entry& entry : map.entries) {
          if (!entry.value.is_null()) read_part(entry, parts, problems);
        }
      }};
}

}  // namespace wattloop::twin
