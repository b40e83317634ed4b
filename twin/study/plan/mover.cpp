#include "twin/study/plan/mover.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop::twin {

std::string flow_text(const Node& node) {
  if (node.is_sequence()) {
    std::vector<std::string> items;
    for (const Node& item : node.items) items.push_back(flow_text(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  if (node.is_map()) {
    std::vector<std::string> entries;
    for (const Entry& entry : node.entries) entries.push_back(entry.key.text + ": " + flow_text(entry.value));
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
  }
  return node.text;
}

std::string number_text(double number) { return fmt::format("{:.12g}", number); }

Node scalar_at(const Node& written, std::string text) {
  Node scalar;
  scalar.kind = Node::Kind::scalar;
  scalar.text = std::move(text);
  scalar.place = written.place;
  scalar.excerpt = written.excerpt;
  return scalar;
}

std::string with_unit(double number, const std::string& unit) {
  return number_text(number) + (unit.empty() ? "" : " " + unit);
}

bool has_lists(const Parameter& parameter) {
  return parameter.paths.size() > 1 && std::ranges::any_of(parameter.values, &Node::is_sequence);
}

const Node& value_of(const Node& value, std::size_t path, bool is_list) {
  return is_list && value.is_sequence() ? value.items.at(path) : value;
}

Choice choice_at(const std::vector<Parameter>& parameters, std::size_t parameter, double share) {
  const Parameter& moved = parameters[parameter];
  if (moved.distribution)
    return {.parameter = parameter, .number = moved.distribution->quantile(share), .is_sample = true};
  if (moved.range) {
    const StudyRange& range = *moved.range;
    return {.parameter = parameter, .number = range.from + share * (range.to - range.from), .is_sample = true};
  }
  const auto value = static_cast<std::size_t>(share * static_cast<double>(moved.values.size()));
  return {.parameter = parameter, .value = std::min(value, moved.values.size() - 1)};
}

namespace {

/// The words of a path, "a.b.c", from the last one on.
std::vector<std::string> words_from_end(const std::string& path) {
  std::vector<std::string> words{""};
  for (const char letter : path) {
    if (letter == '.')
      words.emplace_back();
    else
      words.back() += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  std::ranges::reverse(words);
  return words;
}

/// What reports each path from the others, in few words: "facility", "warm" and "hot" of hall.cooling.facility.supply_temperature,
/// hall.cooling.loops.warm.supply_temperature and that of `hot`. Numbers where words do not.
std::vector<std::string> reported_apart(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> words;
  for (const std::string& path : paths) words.push_back(words_from_end(path));
  const auto shortest = std::ranges::min(words, {}, &std::vector<std::string>::size).size();
  std::size_t alike = 0;  // at the end of all
  const auto is_alike = [&](const auto& of) { return of[alike] == words.front()[alike]; };
  while (alike < shortest && std::ranges::all_of(words, is_alike)) ++alike;
  std::vector<std::string> names(paths.size());
  for (std::size_t count = 1; alike + count <= shortest; ++count) {
    for (std::size_t path = 0; path < paths.size(); ++path)
      names[path] = words[path][alike + count - 1] + (count > 1 ? "_" + names[path] : "");
    if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  }
  for (std::size_t path = 0; path < paths.size(); ++path) names[path] = std::to_string(path + 1);
  return names;
}

/// A column of numbers where all values are in one unit, else of texts.
StudyColumn column_of(const Parameter& parameter, std::size_t path, bool is_list) {
  StudyColumn column{.name = parameter.name, .is_number = true};
  if (is_list) column.name += "_" + reported_apart(parameter.paths)[path];
  column.long_name = parameter.paths.empty() ? flow_text(parameter.event)
                     : is_list               ? parameter.paths[path]
                                             : fmt::format("{}", fmt::join(parameter.paths, ", "));
  if (parameter.range) {
    column.unit = parameter.range->unit;
    return column;
  }
  std::set<std::string> units;
  for (const Node& value : parameter.values) {
    const Node& one = value_of(value, path, is_list);
    const auto number = one.is_scalar() && !one.is_quoted ? written_number(one.text) : std::nullopt;
    if (!number) column.is_number = false;
    if (number) units.insert(number->unit);
  }
  column.is_number = column.is_number && units.size() == 1;
  if (column.is_number) column.unit = *units.begin();
  return column;
}

}  // namespace

void add_columns(Parameter& parameter) {
  const bool is_list = has_lists(parameter);
  for (std::size_t path = 0; path < (is_list ? parameter.paths.size() : 1); ++path)
    parameter.columns.push_back(column_of(parameter, path, is_list));
}

}  // namespace wattloop::twin
