#include "twin/scenario/explain/explain.hpp"
#include "twin/scenario/explain/explain_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

struct GroupText {
  Topic::Group group;
  std::string_view title;
  std::string_view intro;
};

constexpr std::array groups{
    GroupText{Topic::Group::scenario, "Sections of a scenario",
              "A path such as `hall.racks` means the map `racks` inside the map `hall`; `--set hall.racks.count=8` "
              "uses the same path."},
    GroupText{Topic::Group::hardware, "Devices of the hardware library",
              "One file each under `hardware/`, with `kind:` and `title:`. Every value in these files is written `{ "
              "value: 120 kW, source: key }` with a key of the bibliography; in a scenario the value alone is enough."},
    GroupText{Topic::Group::unit, "Units of a node", "Devices that are the `units` of a `node`."},
    GroupText{Topic::Group::study, "Sections of a study", "Files of `wattloop study`: families of runs."},
};

std::string summary(const std::vector<Topic>& topics) {
  std::size_t width = 0;
  for (const Topic& topic : topics) width = std::max(width, topic.name.size());
  std::string text;
  for (const GroupText& group : groups) {
    if (std::ranges::find(topics, group.group, &Topic::group) == topics.end()) continue;
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", group.title);
    for (const Topic& topic : topics) {
      if (topic.group == group.group) text += fmt::format("  {:<{}}  {}\n", topic.name, width, topic.doc);
    }
  }
  return text + "\nwattloop explain NAME shows the keys of one of them.\n";
}

std::string table(const Topic& topic) {
  std::array<std::size_t, 4> width{};
  const auto columns = [](const FieldRow& row) { return std::array{row.name, row.unit, row.default_value, row.range}; };
  for (const FieldRow& row : topic.rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], columns(row)[i].size());
  }
  std::string text = fmt::format("{}: {}\n\n", topic.name, topic.doc);
  for (const FieldRow& row : topic.rows) {
    const auto column = columns(row);
    text += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", column[0], width[0], column[1], width[1], column[2],
                        width[2], column[3], width[3], row.doc);
  }
  for (const std::string& note : topic.notes) text += fmt::format("\n{}\n", note);
  return text;
}

[[noreturn]] void throw_unknown(std::string_view name, const std::vector<Topic>& topics) {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.push_back(topic.name);
  std::string hint = nearest_hint(name, names);
  if (hint.empty()) hint = "wattloop explain lists all names.";
  Problem problem;
  problem.place.file = "explain";
  problem.message = fmt::format("there is nothing named '{}'", name);
  problem.hint = std::move(hint);
  throw InputError(std::vector{std::move(problem)}, "the command line");
}

/// Where a key of that name stands, and what it is there; empty where none does.
std::string tables_of_key(std::string_view key, const std::vector<Topic>& topics) {
  std::string text;
  for (const Topic& topic : topics) {
    const auto row = std::ranges::find(topic.rows, key, &FieldRow::name);
    if (row == topic.rows.end()) continue;
    text += table({topic.group, topic.name, topic.doc, {*row}, {}});
  }
  return text;
}

/// Rows of a topic that has the keys of its maps in one table (`jobs.queue`: `queue.nodes`, `queue (trace).trace`);
/// empty where none has.
std::string table_of_map(std::string_view path, const std::vector<Topic>& topics) {
  for (const Topic& topic : topics) {
    if (!path.starts_with(topic.name + ".")) continue;
    const std::string key(path.substr(topic.name.size() + 1));
    Topic found{topic.group, std::string(path), topic.doc, {}, {}};
    for (const FieldRow& row : topic.rows) {
      if (row.name == key || row.name.starts_with(key + ".") || row.name.starts_with(key + " ("))
        found.rows.push_back(row);
    }
    if (found.rows.empty()) continue;
    const auto itself = std::ranges::find(found.rows, key, &FieldRow::name);
    found.doc =
        itself != found.rows.end() ? itself->doc : fmt::format("Keys of the map `{}` in `{}`.", key, topic.name);
    return table(found);
  }
  return {};
}

std::string markdown_table(const Topic& topic) {
  std::string text = "| key | unit | default | range | meaning |\n|---|---|---|---|---|\n";
  for (const FieldRow& row : topic.rows) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.unit, row.default_value, row.range, row.doc);
  }
  return text;
}

std::vector<Topic> with_further(std::span<const Topic> further) {
  std::vector<Topic> topics = explain_topics();
  topics.insert(topics.end(), further.begin(), further.end());
  return topics;
}

}  // namespace

std::string explain(std::string_view name, std::span<const Topic> further) {
  const std::vector<Topic> topics = with_further(further);
  if (name.empty()) return summary(topics);
  constexpr std::string_view of_work = "workload.";  // kinds of work have topics of their own
  const bool is_work = name.starts_with(of_work);
  const std::string_view own_name = is_work ? name.substr(of_work.size()) : name;
  std::string tables;
  for (const Topic& topic : topics) {  // a kind of work and a device may have one name
    const bool is_it =
        topic.name == name || (is_work && topic.name == own_name && topic.group == Topic::Group::scenario);
    if (is_it) tables += (tables.empty() ? "" : "\n") + table(topic);
  }
  if (!tables.empty()) return tables;
  std::vector<Topic> inside;
  for (const Topic& topic : topics) {
    if (topic.name.starts_with(std::string(name) + ".")) inside.push_back(topic);
  }
  if (!inside.empty()) return summary(inside);
  if (const std::string map = table_of_map(name, topics); !map.empty()) return map;
  const std::string keys = tables_of_key(name, topics);
  if (keys.empty()) throw_unknown(name, topics);
  return keys;
}

std::string scenario_reference_markdown(std::span<const Topic> further) {
  const std::vector<Topic> topics = with_further(further);
  std::string text =
      "# Scenario reference\n\n"
      "Generated from the field lists: `wattloop explain --markdown > docs/scenario_reference.md`. A "
      "scenario is a YAML file. Every value\n"
      "with a dimension carries its unit (`45 degC`, `1.2 MW`, `30 L/min`), a difference of temperatures is "
      "in K.\n";
  for (const GroupText& group : groups) {
    if (std::ranges::find(topics, group.group, &Topic::group) == topics.end()) continue;
    text += fmt::format("\n## {}\n\n{}\n", group.title, group.intro);
    for (const Topic& topic : topics) {
      if (topic.group != group.group) continue;
      text += fmt::format("\n### {}\n\n{}\n\n{}", topic.name, topic.doc, markdown_table(topic));
      for (const std::string& note : topic.notes) text += fmt::format("\n{}\n", note);
    }
  }
  return text;
}

}  // namespace wattloop::twin
