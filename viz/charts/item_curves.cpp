#include "viz/charts/item_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twin/drawings/names/display_name.hpp"

namespace wattloop::viz {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// From the lowest to the highest of all items at one record; not numbers where none is one.
std::pair<double, double> ends_at(const ItemCourse& course, std::size_t record) {
  double low = not_a_number, high = not_a_number;
  for (std::size_t item = 0; item < course.items.size(); ++item) {
    const double value = course.at(record, item);
    if (!std::isfinite(value)) continue;
    if (!(low <= value)) low = value;
    if (!(high >= value)) high = value;
  }
  return {low, high};
}

bool are_alike(const ItemCourse& course, std::size_t one, std::size_t other, double alike) {
  for (std::size_t record = 0; record < course.times_s.size(); ++record) {
    const double a = course.at(record, one), b = course.at(record, other);
    if (std::isfinite(a) != std::isfinite(b) || std::abs(a - b) > alike) return false;
  }
  return true;
}

/// Items whose curves would lie on each other, by the first of them; groups in the order of their first items.
std::vector<std::vector<std::size_t>> groups_alike(const ItemCourse& course, double alike) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t item = 0; item < course.items.size(); ++item) {
    const auto found =
        std::ranges::find_if(groups, [&](const auto& group) { return are_alike(course, group.front(), item, alike); });
    if (found == groups.end())
      groups.push_back({item});
    else
      found->push_back(item);
  }
  return groups;
}

bool are_all_alike(const ItemCourse& course, double alike) {
  for (std::size_t record = 0; record < course.times_s.size(); ++record) {
    const auto [low, high] = ends_at(course, record);
    if (high - low > alike) return false;
    const auto first = course.values.begin() + std::ptrdiff_t(record * course.items.size());
    const auto is_number = [](double value) { return std::isfinite(value); };
    const auto numbers = std::count_if(first, first + std::ptrdiff_t(course.items.size()), is_number);
    if (numbers > 0 && std::size_t(numbers) < course.items.size()) return false;
  }
  return true;
}

std::vector<double> mean_of(const ItemCourse& course, const std::vector<std::size_t>& items) {
  std::vector<double> means;
  for (std::size_t record = 0; record < course.times_s.size(); ++record) {
    double sum = 0.0;
    for (const std::size_t item : items) sum += course.at(record, item);
    means.push_back(sum / double(items.size()));
  }
  return means;
}

std::string name_of(const ItemCourse& course, const std::vector<std::size_t>& items, const ItemCurves& shown) {
  std::vector<std::string> names;
  for (const std::size_t item : items) names.push_back(course.items[item]);
  const bool ends_in_gap = !std::isfinite(course.at(course.times_s.size() - 1, items.front()));
  return (shown.each.empty() ? "" : shown.each + ", ") + twin::display_names(names) +
         (ends_in_gap && !shown.gap.empty() ? " (" + shown.gap + ")" : "");
}

/// The colour itself, then darker and paler ones, which are still of its kind.
Colour shade(const Colour& colour, std::size_t number) {
  const auto mixed = [](unsigned char from, double towards, double share) {
    return static_cast<unsigned char>(std::lround(from + share * (towards - from)));
  };
  constexpr std::array<std::pair<double, double>, most_own_curves> mixes{
      {{0.0, 0.0}, {0.0, 0.5}, {255.0, 0.4}, {255.0, 0.65}}};
  const auto [towards, share] = mixes[number % mixes.size()];
  return {mixed(colour.red, towards, share), mixed(colour.green, towards, share), mixed(colour.blue, towards, share)};
}

/// The groups, that of the worst item first, which has the colour itself.
void add_own_curves(Panel& panel, const ItemCourse& course, const ItemCurves& shown, std::size_t worst) {
  std::vector<std::vector<std::size_t>> groups = groups_alike(course, shown.alike);
  std::ranges::stable_partition(groups, [&](const auto& group) { return std::ranges::count(group, worst) > 0; });
  for (std::size_t k = 0; k < groups.size(); ++k)
    panel.curves.push_back(
        {name_of(course, groups[k], shown), shade(shown.colour, k), course.times_s, mean_of(course, groups[k])});
}

/// The curve of the worst item, over the band of all.
void add_band(Panel& panel, const ItemCourse& course, const ItemCurves& shown, std::size_t worst) {
  Curve curve{name_of(course, {worst}, shown), shown.colour, course.times_s, mean_of(course, {worst})};
  for (std::size_t record = 0; record < course.times_s.size(); ++record) {
    const auto [low, high] = ends_at(course, record);
    curve.lows.push_back(low);
    curve.highs.push_back(high);
  }
  panel.curves.push_back(std::move(curve));
}

}  // namespace

void add_item_curves(Panel& panel, const ItemCourse& course, const ItemCurves& shown) {
  const auto worst = course.worst(shown.is_least_worst);
  if (!worst) return;
  if (are_all_alike(course, shown.alike)) {
    std::vector<std::size_t> all(course.items.size());
    for (std::size_t item = 0; item < all.size(); ++item) all[item] = item;
    panel.curves.push_back({shown.all, shown.colour, course.times_s, mean_of(course, all)});
  } else if (course.items.size() <= most_own_curves) {
    add_own_curves(panel, course, shown, worst->item);
  } else {
    add_band(panel, course, shown, worst->item);
  }
}

}  // namespace wattloop::viz
