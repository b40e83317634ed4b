#include "viz/hall/item_course.hpp"

#include <cmath>

#include <fmt/core.h>

#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/reader/still_loops.hpp"

namespace wattloop::viz {
namespace {

std::vector<float> margins_over_time(const twin::ResultsReader& results, std::size_t records) {
  const twin::RackMargins margins(results);
  std::vector<float> values;
  for (std::size_t record = 0; record < records; ++record)
    for (const twin::RackMargin& rack : margins.at(results, record)) values.push_back(rack.margin_k);
  return values;
}

/// GPUs have numbers in the file, and their names in the layout.
std::vector<std::string> items_of(const twin::ResultsReader& results, const std::string& group) {
  const twin::TableSpec table = results.table(group);
  if (group != "gpus") return table.items.empty() ? std::vector<std::string>(table.item_count()) : table.items;
  std::vector<std::string> names;
  for (const twin::LayoutBox& box : results.layout())
    if (box.kind == "gpu") names.push_back(box.name);
  names.resize(table.item_count());
  return names;
}

ItemCourse only_of(const ItemCourse& all, const std::string& rack) {
  ItemCourse some{.times_s = all.times_s};
  std::vector<std::size_t> kept;
  for (std::size_t item = 0; item < all.items.size(); ++item)
    if (all.items[item] == rack || all.items[item].starts_with(rack + ".")) kept.push_back(item);
  for (const std::size_t item : kept) some.items.push_back(all.items[item]);
  for (std::size_t record = 0; record < all.times_s.size(); ++record)
    for (const std::size_t item : kept) some.values.push_back(all.at(record, item));
  return some;
}

}  // namespace

std::optional<ItemCourse::Place> ItemCourse::worst(bool is_least_worst, double from_s) const {
  std::optional<Place> found;
  for (std::size_t record = 0; record < times_s.size(); ++record) {
    if (times_s[record] < from_s) continue;
    for (std::size_t item = 0; item < items.size(); ++item) {
      const double value = at(record, item);
      if (!std::isfinite(value)) continue;
      const double best = found ? at(found->record, found->item) : value;
      if (!found || (is_least_worst ? value < best : value > best)) found = Place{record, item};
    }
  }
  return found;
}

ItemCourse read_course(const twin::ResultsReader& results, const std::string& group, const std::string& column) {
  if (!results.has_column(group, column)) return {};
  std::vector<float> values = results.column(group, column);
  twin::blank_still_loops(results, group, column, values);
  ItemCourse course{results.times_s(group), items_of(results, group), {values.begin(), values.end()}};
  return course.items.empty() || course.values.size() != course.times_s.size() * course.items.size() ? ItemCourse{}
                                                                                                     : course;
}

ItemCourse read_course(const twin::ResultsReader& results, const ShownField& field, const std::string& rack) {
  ItemCourse course;
  if (field.is_margin()) {
    course = {results.times_s(field.group), items_of(results, field.group), {}};
    const std::vector<float> margins = margins_over_time(results, course.times_s.size());
    course.values.assign(margins.begin(), margins.end());
    if (course.values.size() != course.times_s.size() * course.items.size()) return {};
  } else {
    course = read_course(results, field.group, field.column);
  }
  for (double& value : course.values) value = field.shown(value);
  return rack.empty() ? course : only_of(course, rack);
}

std::optional<ShownTime> worst_time_of(const twin::ResultsReader& results, const ShownField& field,
                                       const std::string& rack) {
  if (field.is_job()) return {};
  const ItemCourse course = read_course(results, field, rack);
  if (course.times_s.empty()) return {};
  const auto worst = course.worst(field.is_least_worst(), twin::worst_from_s(results, course.times_s.back()));
  if (!worst) return {};
  const std::string& name = course.items[worst->item];
  return ShownTime{course.times_s[worst->record],
                   fmt::format("when {} is {}", name.empty() ? "it" : twin::display_name(name), field.extreme_word())};
}

}  // namespace wattloop::viz
