// `sequences:` of a scenario: which settings follow the weather or a file, which modes follow the weather, and how. Whether what they
// name exists is checked when the plant is built.
#include <fmt/format.h>

#include <cmath>

#include "core/text/nearest.hpp"
#include "twin/parts/sequence_catalog.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/settings.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo every_info{"every", "s", Range::positive, "Interval at which the sequence acts.", {}};
constexpr FieldInfo deadband_info{
    "deadband", "delta_K", Range::non_negative, "Smallest change that the sequence makes.", {}};

void read_setting(MapReader& reader, SequenceSpec& spec) {
  const Node* node = reader.require("setting", "write setting: facility.supply_temperature");
  if (node == nullptr) return;
  spec.mention = {node->place, node->excerpt};
  spec.setting = node->text;
  if (!node->is_scalar())
    reader.problems().add(problem_at(*node, fmt::format("setting is {}, expected a name", describe(*node))));
}

/// What a sequence of modes names.
void read_references(MapReader& reader, const SequenceKind& kind, SequenceSpec& spec) {
  for (const SequenceName& requested : kind.names) {
    const std::string key(requested.key);
    SequenceReference reference{key, std::string(requested.default_value), spec.mention};
    const Node* node =
        requested.default_value.empty() ? reader.require(key, fmt::format("{}: a name", key)) : reader.find(key);
    reference.is_said = node != nullptr;
    if (node != nullptr) {
      reference.mention = {node->place, node->excerpt};
      reference.name = node->text;
      if (!node->is_scalar())
        reader.problems().add(problem_at(*node, fmt::format("{} is {}, expected a name", key, describe(*node))));
    }
    spec.references.push_back(std::move(reference));
  }
}

/// The names of all kinds, with that which follows a file.
std::vector<std::string> kind_names() {
  std::vector<std::string> names = sequence_kind_names();
  names.emplace_back(follow_key);
  return names;
}

/// Settings that follow a file: by the last part of their name one knows what they are.
void read_following(MapReader& reader, std::vector<FollowSpec>& followed) {
  FollowSpec spec;
  Problems& problems = reader.problems();
  if (const Node* node = reader.require("setting", "write setting: facility.supply_temperature")) {
    spec.mention = {node->place, node->excerpt};
    spec.setting = node->text;
    const std::string name = node->text.substr(node->text.rfind('.') + 1);
    const FieldInfo* setting = name == node->text ? nullptr : find_setting(name);
    if (setting != nullptr) {
      spec.info = *setting;
    } else {
      problems.add(problem_at(*node, fmt::format("{} is not a setting", describe(*node)),
                              find_setting(name) != nullptr
                                  ? fmt::format("write the component, too: COMPONENT.{}", name)
                                  : nearest_hint(name, setting_names())));
    }
  }
  read_follow_keys(reader, spec);
  reader.report_unknown_keys();
  if (spec.info.name.empty()) spec.file.clear();
  followed.push_back(std::move(spec));
}

void read_sequence(const Entry& entry, std::vector<SequenceSpec>& sequences, std::vector<FollowSpec>& followed,
                   Problems& problems) {
  MapReader reader(entry.value, entry.key.text, problems);
  if (!reader.is_map()) return;
  const std::vector<std::string> kinds = kind_names();
  const Node* kind_node = reader.require("kind", fmt::format("write kind: one of {}", fmt::join(kinds, ", ")));
  if (kind_node == nullptr) return;
  if (kind_node->text == follow_key) return read_following(reader, followed);
  const SequenceKind* kind = find_sequence_kind(kind_node->text);
  if (kind == nullptr) {
    const std::string near = nearest_hint(kind_node->text, kinds);
    problems.add(problem_at(*kind_node, fmt::format("'{}' is no kind of sequence", kind_node->text),
                            near.empty() ? fmt::format("known kinds: {}", fmt::join(kinds, ", ")) : near));
    return;
  }
  SequenceSpec spec{.name = entry.key.text, .kind = std::string(kind->name), .params = kind->default_params()};
  read_fields(reader, kind->fields(spec.params));
  if (const std::string_view mistake = kind->mistake(spec.params); !mistake.empty())
    problems.add(problem_at(entry.key, fmt::format("{}: {}", spec.name, mistake)));
  spec.mention = {entry.key.place, entry.key.excerpt};
  if (kind->is_of_modes()) {
    read_references(reader, *kind, spec);
  } else {
    read_setting(reader, spec);
  }
  if (const Node* node = reader.find(every_info.name)) read_field(*node, {&spec.every_s, every_info}, problems);
  constexpr double tick_s = 5.0;  // at which controls look
  if (std::fmod(spec.every_s, tick_s) != 0.0) {
    problems.add(problem_at(*reader.find(every_info.name),
                            fmt::format("every: {} s is not a multiple of {} s", spec.every_s, tick_s),
                            "write a multiple of 5 s: controls act every 5 s"));
  }
  if (const Node* node = reader.find(deadband_info.name)) read_field(*node, {&spec.deadband, deadband_info}, problems);
  reader.report_unknown_keys();
  sequences.push_back(std::move(spec));
}

}  // namespace

SpecialKey sequences_key(std::vector<SequenceSpec>& sequences, std::vector<FollowSpec>& followed) {
  SequenceSpec defaults;
  const std::array fields{FieldRef{&defaults.every_s, every_info}, FieldRef{&defaults.deadband, deadband_info}};
  std::vector<FieldRow> rows{
      {"kind", "text", "required", fmt::format("{}", fmt::join(kind_names(), ", ")),
       "Kind of sequence; `wattloop explain` of the kind lists its parameters."},
      {"setting", "text", "required", "",
       "COMPONENT.SETTING that the sequence sets, as in events; a sequence of modes names parts instead."}};
  for (FieldRow& row : field_table(fields)) rows.push_back(std::move(row));
  return {.key = "sequences",
          .doc = "Sequences by name: a map. They set settings or modes from the weather, or settings from a file.",
          .rows = std::move(rows),
          .read = [&sequences, &followed](const Node& map, Problems& problems) {
            if (!map.is_map()) {
              problems.add(problem_at(map, fmt::format("sequences is {}, expected a map by name", describe(map))));
              return;
            }
            for (const Entry& entry : map.entries) {
              if (!entry.value.is_null()) read_sequence(entry, sequences, followed, problems);
            }
          }};
}

}  // namespace wattloop::twin
