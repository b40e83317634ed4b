// `follow:` of a scenario, instead of a value or as a sequence: which column of which file. Files are read when the whole scenario has been
// (twin/scenario/specs/record_file.hpp); whether settings exist is checked when the plant is built.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twin/document/named_file.hpp"
#include "twin/plant/equipment/fluid_systems.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/record_file.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding_k = 1e-9;

Mention mention_of(const Node* node, const Node& otherwise) {
  const Node& at = node != nullptr ? *node : otherwise;
  return {at.place, at.excerpt};
}

/// A wet bulb above the dry bulb is no air; reported once, where it is worst.
void check_bulbs(const FollowSpec& dry, const FollowSpec& wet, double duration_s, Problems& problems) {
  double worst_k = rounding_k, worst_s = 0.0;
  for (const std::vector<double>* stamps_s : {&dry.series.stamps_s, &wet.series.stamps_s}) {
    for (const double t_s : *stamps_s) {
      const double excess_k = wet.series.at(t_s) - dry.series.at(t_s);
      if (t_s < 0.0 || t_s > duration_s || excess_k <= worst_k) continue;
      worst_k = excess_k;
      worst_s = t_s;
    }
  }
  if (worst_k > rounding_k)
    problems.add({wet.column_mention.place,
                  fmt::format("the wet bulb is {:.3g} K above the dry bulb at {:.6g} s of the run", worst_k, worst_s),
                  "the wet bulb must not be above the dry bulb", wet.column_mention.excerpt});
}

const FollowSpec* find_bulb(const std::vector<FollowSpec>& followed, std::string_view setting) {
  const auto found = std::ranges::find(followed, setting, &FollowSpec::setting);
  return found == followed.end() || found->series.values.empty() ? nullptr : &*found;
}

void add_files_in(Node& node, std::vector<Node*>& names) {
  for (Node& item : node.items) add_files_in(item, names);
  for (Entry& entry : node.entries) {
    const Node* kind = find(entry.value, "kind");
    const bool is_sequence = kind != nullptr && kind->text == follow_key;
    Node* file = entry.key.text == follow_key || is_sequence ? find(entry.value, "file") : nullptr;
    if (file != nullptr && file->is_scalar()) names.push_back(file);
    add_files_in(entry.value, names);
  }
}

/// What is held between two rows and what a stamp means hang together: a line goes from instant to instant, all other rows are means.
void join_stamp_and_between(const Node& map, FollowParams& params, Problems& problems) {
  const auto says = [&](const char* key) { return find(map, key) != nullptr && !find(map, key)->is_null(); };
  const bool is_line = params.between == "linear";
  if (!says("between")) {
    if (params.times.stamp == "instant") params.between = "linear";
  } else if (is_line && !says("stamp")) {
    params.times.stamp = "instant";
  } else if (is_line && params.times.stamp != "instant") {
    problems.add(
        problem_at(*find(map, "between"),
                   fmt::format("between: linear needs `stamp: instant`, but stamp is '{}'", params.times.stamp),
                   "write `stamp: instant`, or `between: step`"));
  }
}

}  // namespace

bool says_follow(const Node& value) { return find(value, follow_key) != nullptr; }

void read_follow_keys(MapReader& reader, FollowSpec& spec) {
  Problems& problems = reader.problems();
  const Node& map = reader.node();
  if (reader.require("file", "file: a CSV file, relative to the file that names it") != nullptr) {
    if (const auto found = find_named_file(map, "file", "file of records", problems)) spec.file = found->string();
  }
  read_fields(reader, field_refs(spec.params));
  read_fields(reader, field_refs(spec.params.times));
  join_stamp_and_between(map, spec.params, problems);
  spec.file_mention = mention_of(find(map, "file"), map);
  spec.column_mention = mention_of(find(map, "column"), map);
  spec.unit_mention = mention_of(find(map, "unit"), map);
  spec.time_mention = mention_of(find(map, "time"), map);
  spec.time_unit_mention = mention_of(find(map, "time_unit"), map);
  if (spec.params.column.empty() || spec.params.unit.empty()) spec.file.clear();
}

FollowSpec read_follow(const Node& value, std::string setting, const FieldInfo& info, Problems& problems) {
  FollowSpec spec{.setting = std::move(setting), .info = info, .mention = {value.place, value.excerpt}};
  MapReader outer(value, std::string(info.name), problems);
  const Node* follow = outer.require(follow_key);
  outer.report_unknown_keys();
  if (follow == nullptr) return spec;
  MapReader reader(*follow, follow_key, problems);
  if (!reader.is_map()) return spec;
  read_follow_keys(reader, spec);
  reader.report_unknown_keys();
  return spec;
}

void read_followed(Scenario& scenario, Problems& problems) {
  std::vector<FollowSpec*> all;
  for (PartSpec& part : scenario.parts) {
    for (FollowSpec& spec : part.followed) all.push_back(&spec);
  }
  for (FollowSpec& spec : scenario.followed) all.push_back(&spec);
  for (FollowSpec& spec : scenario.weather.followed) all.push_back(&spec);
  for (FollowSpec& spec : scenario.economics.carbon_followed) all.push_back(&spec);
  read_followed_files(all, {scenario.duration_s, scenario.start}, problems);
  for (const FollowSpec* spec : all) {
    for (const std::string& note : spec->notes) {
      std::vector<std::string>& notes = scenario.follow_notes;
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  for (PartSpec& part : scenario.parts) {
    for (FollowSpec& spec : part.followed) {
      for (auto& [name, value] : part.settings) {
        if (name == spec.info.name && !spec.series.values.empty()) value = spec.series.held(0.0).value;
      }
      scenario.followed.push_back(std::move(spec));
    }
    part.followed.clear();
  }
  const FollowSpec* dry = find_bulb(scenario.weather.followed, dry_bulb_setting);
  const FollowSpec* wet = find_bulb(scenario.weather.followed, wet_bulb_setting);
  if (dry != nullptr && wet != nullptr) check_bulbs(*dry, *wet, scenario.duration_s, problems);
}

std::vector<Node*> names_of_followed_files(Node& root) {
  std::vector<Node*> names;
  for (const char* section : {"parts", "sequences", "weather", "economics"}) {
    if (Node* node = find(root, section)) add_files_in(*node, names);
  }
  return names;
}

std::vector<FieldRow> follow_rows() {
  FollowParams defaults;
  std::vector<FieldRow> rows{{"file", "text", "required", "", "A CSV file, relative to the file that names it."}};
  for (FieldRow& row : field_table(field_refs(defaults))) rows.push_back(std::move(row));
  for (FieldRow& row : field_table(field_refs(defaults.times))) rows.push_back(std::move(row));
  return rows;
}

}  // namespace wattloop::twin
