#include "twin/study/mover.hpp"

#include <algorithm>
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

bool has_lists(const Mover& mover) {
  return mover.paths.size() > 1 && std::ranges::any_of(mover.values, &Node::is_sequence);
}

const Node& value_of(const Node& value, std::size_t path, bool is_list) {
  return is_list && value.is_sequence() ? value.items.at(path) : value;
}

Choice choice_at(const std::vector<Mover>& movers, std::size_t mover, double share) {
  const Mover& moved = movers[mover];
  if (moved.distribution) return {.mover = mover, .number = moved.distribution->quantile(share), .is_sample = true};
  if (moved.range) {
    const StudyRange& range = *moved.range;
    return {.mover = mover, .number = range.from + share * (range.to - range.from), .is_sample = true};
  }
  const auto value = static_cast<std::size_t>(share * static_cast<double>(moved.values.size()));
  return {.mover = mover, .value = std::min(value, moved.values.size() - 1)};
}

namespace {

/// A column of numbers where all values are in one unit, else of texts.
StudyColumn column_of(const Mover& mover, std::size_t path, bool is_list) {
  StudyColumn column{.name = mover.name, .is_number = true};
  if (is_list) column.name += fmt::format("_{}", path + 1);
  column.long_name = mover.paths.empty() ? flow_text(mover.event)
                     : is_list           ? mover.paths[path]
                                         : fmt::format("{}", fmt::join(mover.paths, ", "));
  if (mover.range) {
    column.unit = mover.range->unit;
    return column;
  }
  std::set<std::string> units;
  for (const Node& value : mover.values) {
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

void add_columns(Mover& mover) {
  const bool is_list = has_lists(mover);
  for (std::size_t path = 0; path < (is_list ? mover.paths.size() : 1); ++path)
    mover.columns.push_back(column_of(mover, path, is_list));
}

}  // namespace wattloop::twin
