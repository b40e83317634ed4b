// The topics of `wattloop explain`: the tree of sections, the unit kinds and the settings as flat tables.
#include <fmt/format.h>

#include <algorithm>

#include "core/units/units.hpp"
#include "physics/air/wet_coil.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/parts/sequence_catalog.hpp"
#include "twin/scenario/explain/explain_topics.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/settings.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::twin {

namespace {

FieldRow row_of_device(const Section& device) {
  return {"hardware", "text", "required", "",
          fmt::format("Name of a `{}` of the library; `with: {{ ... }}` beside it changes single values.", device.key)};
}

/// Keys of a section that stand for tables of their own are left to those.
Topic topic_of(Topic::Group group, const std::string& name, const Section& section) {
  Topic topic{group, name, section.doc, {}, {}};
  if (!section.device.empty()) topic.rows.push_back(row_of_device(section.device.front()));
  std::ranges::move(field_table(section.fields), std::back_inserter(topic.rows));
  for (const SpecialKey& special : section.special) {
    if (special.rows.empty())
      topic.rows.push_back(
          {special.key, special.is_required ? "map" : "list", special.is_required ? "required" : "", "", special.doc});
  }
  if (section.is_optional)
    topic.notes.push_back("This map may be left out; keys that are required are required only if the map is given.");
  return topic;
}

void add_section(Topic::Group group, const std::string& path, const Section& section, std::vector<Topic>& topics) {
  const std::string name = path.empty() ? "scenario" : path;
  Topic topic = topic_of(group, name, section);
  if (!topic.rows.empty()) topics.push_back(std::move(topic));
  for (const Section& inner : section.sections) add_section(group, joined_path(path, inner.key), inner, topics);
  for (const SpecialKey& special : section.special) {
    if (!special.rows.empty()) topics.push_back({group, joined_path(path, special.key), special.doc, special.rows, {}});
  }
}

/// Once for each kind; a kind of work may have the same name.
void add_device(const Section& device, std::vector<Topic>& topics) {
  const bool is_known = std::ranges::any_of(
      topics, [&](const Topic& topic) { return topic.group == Topic::Group::hardware && topic.name == device.key; });
  if (!is_known) add_section(Topic::Group::hardware, device.key, device, topics);
}

/// Devices below a section, outer ones first.
void add_devices(const Section& section, std::vector<Topic>& topics) {
  for (const Section& device : section.device) {
    add_device(device, topics);
    add_devices(device, topics);
  }
  for (const Section& inner : section.sections) add_devices(inner, topics);
}

std::string list_of_states(const UnitKind& kind) {
  std::string text;
  for (const StateInfo& state : kind.states) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", state.name, state.unit);
  }
  return text;
}

Topic topic_of(const UnitKind& kind) {
  std::any params = kind.default_params();
  Topic topic{Topic::Group::unit, std::string(kind.name), std::string(kind.doc), field_table(kind.fields(params)), {}};
  topic.notes.push_back(fmt::format("States: {}.", list_of_states(kind)));
  std::string media;
  for (const Medium medium : kind.ports) {
    media += fmt::format("{}{}", media.empty() ? "" : ", ", medium == Medium::liquid ? "liquid" : "air");
  }
  topic.notes.push_back(fmt::format("Gives heat to: {}.", media));
  return topic;
}

std::string column_list(const PartKind& kind) {
  std::string text;
  for (const PartColumn& column : kind.columns) text += fmt::format("{}{}", text.empty() ? "" : ", ", column.name);
  return text;
}

/// How a port is written in a scenario, and what there is to know of it; nothing for one that joins itself.
std::string text_of(const PartPort& port) {
  if (port.is_passage)
    return fmt::format("`{0}: {{ from: HEADER, to: HEADER }}` connects the liquid that flows through the part",
                       port.name);
  if (port.medium == PortMedium::electric)
    return fmt::format("`{}: ups` connects its motor to the UPS; without it, the motor is on the low voltage",
                       port.name);
  if (port.medium == PortMedium::weather || !port.inside.empty() || port.name == physics::vapour_port) return {};
  const bool is_only_given_heat = port.medium == PortMedium::heat && port.seen.count == 0;
  return fmt::format("`{}: NAME` gives its place{}", port.name,
                     is_only_given_heat ? "; without it, the part is outdoors" : "");
}

/// A kind of part that scenarios may name: also the kind of its devices.
Topic topic_of(const PartKind& kind) {
  const WritablePart& written = *kind.written;
  std::any params = written.default_params();
  Topic topic{
      Topic::Group::hardware, std::string(kind.name), std::string(kind.doc), field_table(written.fields(params)), {}};
  topic.notes.push_back(fmt::format(
      "In a scenario: `parts: {{ NAME: {{ kind: {}, ... }} }}`, or `hardware: DEVICE` with a device of this kind.",
      kind.name));
  for (const PartPort& port : written.ports) {
    if (const std::string text = text_of(port); !text.empty()) topic.notes.push_back(fmt::format("Port: {}.", text));
  }
  for (const PartSetting& setting : written.settings) {
    if (setting.is_of_system) {
      topic.notes.push_back(
          fmt::format("Its set-point is the `{}` of the water system that it is connected to.", setting.info.name));
      continue;
    }
    topic.notes.push_back(
        fmt::format("Setting: `{}` ({}). {}", setting.info.name, setting.info.unit, setting.info.doc));
  }
  if (!kind.columns.empty())
    topic.notes.push_back(fmt::format("Recorded in `{}`: {}.", kind.table.group, column_list(kind)));
  return topic;
}

Topic topic_of(const SequenceKind& kind) {
  std::any params = kind.default_params();
  Topic topic{
      Topic::Group::scenario, std::string(kind.name), std::string(kind.doc), field_table(kind.fields(params)), {}};
  std::string names;
  for (const SequenceName& name : kind.names) {
    topic.rows.push_back({std::string(name.key), "text",
                          name.default_value.empty() ? "required" : std::string(name.default_value), "",
                          std::string(name.doc)});
    if (name.default_value.empty()) names += fmt::format("{}: PART, ", name.key);
  }
  topic.notes = {fmt::format("In a scenario: `sequences: {{ NAME: {{ kind: {}, {}... }} }}`.", kind.name,
                             kind.is_of_modes() ? names : "setting: COMPONENT.SETTING, ")};
  return topic;
}

/// What a setting follows, instead of its value and as a sequence.
Topic topic_of_follow() {
  return {Topic::Group::scenario,
          follow_key,
          "A column of a measured file that a setting or the weather follows.",
          follow_rows(),
          {"Instead of a setting of a part, of dry_bulb and of wet_bulb: `{ follow: { file: ..., column: ..., "
           "unit: ... } }`.",
           "For other settings: `sequences: { NAME: { kind: follow, setting: COMPONENT.SETTING, file: ..., ... } }`."}};
}

Topic topic_of_tariffs() {
  return {Topic::Group::scenario,
          "tariff",
          "Prices of a utility for energy, for the highest demand of a month, and for each month.",
          tariff_rows(),
          {"A file `tariffs/NAME.yaml` of the library, named by `economics: { tariff: NAME }`, or a map instead of the "
           "name."}};
}

Topic topic_of_settings() {
  Topic topic{Topic::Group::scenario,
              "settings",
              "Settings that a `set` event can change, written as COMPONENT.SETTING.",
              {},
              {}};
  for (const FieldInfo& setting : all_settings()) {
    double value = 0.0;
    const std::array field{FieldRef{&value, setting}};
    topic.rows.push_back(field_table(field).front());
    topic.rows.back().default_value.clear();
  }
  return topic;
}

std::string what_happens(const PartLimit& limit) {
  return limit.beyond == Beyond::stop ? "the run ends" : "it is reported";
}

/// Limits that headers of parts declare.
Topic topic_of_limits() {
  Topic topic{Topic::Group::scenario,
              "limits",
              "Limits of parts, and what happens when a part is beyond a limit; values of a hall: `explain --parts "
              "SCENARIO` and `check`.",
              {},
              {}};
  for (const PartKind& kind : part_kinds()) {
    for (const PartLimit& limit : kind.limits) {
      const PartColumn& column = kind.columns[limit.column];
      topic.rows.push_back({fmt::format("{}.{}", kind.table.item, column.name), unit_for_people(column.unit), "",
                            limit.side == Side::above ? "highest" : "lowest",
                            fmt::format("{}: {}.", limit.why, what_happens(limit))});
    }
  }
  topic.notes = {"The rating of a part is a limit, too: a load above the rating is reported.",
                 "UPS, PDUs, transformers, feeders, breakers and generators trip when they have been overloaded for "
                 "their permitted time, unless a scenario says `trips: off`."};
  return topic;
}

}  // namespace

namespace {

/// A topic for each kind of work, and for each section in it.
void add_workload_kinds(WorkloadSpec& workload, std::vector<Topic>& topics) {
  for (const workload::AnyWork& kind : work_of_each_kind()) {
    workload.params = kind;
    const Section section = section_of(workload);
    Topic topic = topic_of(Topic::Group::scenario, std::string(kind.kind()), section);
    topic.notes = {fmt::format("In a scenario: `workload: {{ kind: {}, ... }}`.", kind.kind())};
    for (auto& row : topic.rows) {
      if (row.default_value.starts_with("inf")) row.default_value = "nameplate of the node";
    }
    topics.push_back(std::move(topic));
    for (const SpecialKey& special : section.special) {
      topics.push_back(
          {Topic::Group::scenario,
           fmt::format("{}.{}", kind.kind(), special.key),
           special.doc,
           special.rows,
           {fmt::format("In a scenario: `workload: {{ kind: {}, {}: {{ ... }} }}`.", kind.kind(), special.key)}});
    }
    for (const Section& inner : section.sections) {
      topics.push_back(topic_of(Topic::Group::scenario, fmt::format("{}.{}", kind.kind(), inner.key), inner));
      topics.back().notes = {
          fmt::format("In a scenario: `workload: {{ kind: {}, {}: {{ ... }} }}`.", kind.kind(), inner.key)};
    }
  }
}

}  // namespace

std::vector<Topic> explain_topics() {
  ScenarioDraft draft;
  draft.scenario.title = "name of the file";
  const Section root = scenario_section(draft);
  std::vector<Topic> topics;
  add_section(Topic::Group::scenario, "", root, topics);
  add_workload_kinds(draft.scenario.workload, topics);
  topics.push_back(topic_of_settings());
  topics.push_back(topic_of_limits());
  add_devices(root, topics);
  visit_written_equipment(
      [&](const Section& device) { add_device(device, topics); });  // those of `power.one_line` alone
  workload::ApplianceParams appliance;
  add_device(appliance_device(appliance), topics);  // of `jobs.storage`
  for (const PartKind& kind : part_kinds()) {
    if (kind.written) topics.push_back(topic_of(kind));
  }
  for (const SequenceKind& kind : sequence_kinds()) topics.push_back(topic_of(kind));
  topics.push_back(topic_of_follow());
  topics.push_back(topic_of_tariffs());
  for (const UnitKind& kind : unit_kinds()) topics.push_back(topic_of(kind));
  return topics;
}

}  // namespace wattloop::twin
