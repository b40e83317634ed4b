#include "viz/export/derived_fields.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::viz {
namespace {

constexpr float off = 0.0F, on = 1.0F, failed = 2.0F;  // docs/results_format.md: states of motors and of breakers
constexpr float beyond_limit = 3.0F;                   // of exports alone

/// Items of a group that are a part, or of it: "cdu_1.pump_a" of "cdu_1".
std::vector<std::vector<std::size_t>> items_by_part(const std::vector<std::string>& items,
                                                    std::span<const std::string> parts) {
  std::map<std::string_view, std::size_t> place;
  for (std::size_t part = 0; part < parts.size(); ++part) place.emplace(parts[part], part);
  std::vector<std::vector<std::size_t>> of(parts.size());
  for (std::size_t item = 0; item < items.size(); ++item) {
    const auto found = place.find(std::string_view(items[item]).substr(0, items[item].rfind('.')));
    const auto itself = place.find(items[item]);
    if (itself != place.end())
      of[itself->second].push_back(item);
    else if (found != place.end())
      of[found->second].push_back(item);
  }
  return of;
}

float state_of(const std::vector<float>& states, const std::vector<std::size_t>& items) {
  if (items.empty()) return std::numeric_limits<float>::quiet_NaN();
  const auto is = [&](float state) { return [&states, state](std::size_t item) { return states[item] == state; }; };
  if (std::ranges::all_of(items, is(failed))) return failed;
  return std::ranges::any_of(items, is(on)) ? on : off;
}

using States = std::vector<std::vector<float>>;  ///< [time][part]

/// Whether racks of storage and of switches have power; the motors below their names are the fans of their doors. Empty for all else, and where
/// their power is not modelled.
States states_of_racks(const twin::ResultsReader& results, std::span<const std::string> parts,
                       std::span<const double> times_s) {
  constexpr const char* column = "power";
  for (const std::string group : {"storage_racks", "network"}) {
    if (!results.has_column(group, column)) continue;
    const std::vector<std::string> items = results.table(group).items;
    if (!std::ranges::equal(items, parts)) continue;
    const std::vector<double> records_s = results.times_s(group);
    States states;
    bool is_modelled = false;
    for (const double time_s : times_s) {
      std::vector<float>& values = states.emplace_back();
      for (const float power_w : results.frame(group, column, twin::nearest_row(records_s, time_s)))
        values.push_back(power_w > 0.0F ? on : off);
      is_modelled = is_modelled || std::ranges::count(values, on) > 0;
    }
    return is_modelled ? states : States{};
  }
  return {};
}

/// Of what has failed nothing else is said. Parts of which no state is known, and that are beyond a limit at any time, are on at all others.
void mark_beyond(States& states, std::span<const std::string> parts, std::span<const twin::BoxesBeyond> beyond) {
  const auto is_any = [&](const twin::BoxesBeyond& boxes) {
    return std::ranges::any_of(parts, [&](const std::string& part) { return boxes.contains(part); });
  };
  if (std::ranges::none_of(beyond, is_any)) return;
  if (states.empty()) states.assign(beyond.size(), std::vector<float>(parts.size(), on));
  for (std::size_t time = 0; time < std::min(states.size(), beyond.size()); ++time)
    for (std::size_t part = 0; part < parts.size(); ++part)
      if (states[time][part] != failed && beyond[time].contains(parts[part])) states[time][part] = beyond_limit;
}

}  // namespace

XdmfField margin_field(const twin::ResultsReader& results, std::span<const double> times_s) {
  XdmfField field;
  field.name = "margin (K)";
  const twin::RackMargins margins(results);
  if (!margins.are_known()) return field;
  const std::vector<double> records_s = results.times_s("racks");
  for (const double time_s : times_s) {
    std::vector<float>& values = field.inlined.emplace_back();
    for (const twin::RackMargin& rack : margins.at(results, twin::nearest_row(records_s, time_s)))
      values.push_back(rack.margin_k);
  }
  return field;
}

XdmfField state_field(const twin::ResultsReader& results, std::span<const std::string> parts,
                      std::span<const double> times_s, std::span<const twin::BoxesBeyond> beyond) {
  XdmfField field;
  field.name = "state (1)";
  field.inlined = states_of_racks(results, parts, times_s);
  for (const char* group : {"motors", "breakers"}) {
    if (!results.has_column(group, "state") || !field.inlined.empty()) continue;
    const auto items = items_by_part(results.table(group).items, parts);
    if (std::ranges::all_of(items, [](const auto& of_part) { return of_part.empty(); })) continue;
    const std::vector<double> records_s = results.times_s(group);
    for (const double time_s : times_s) {
      const std::vector<float> states = results.frame(group, "state", twin::nearest_row(records_s, time_s));
      std::vector<float>& values = field.inlined.emplace_back();
      for (const auto& of_part : items) values.push_back(state_of(states, of_part));
    }
  }
  mark_beyond(field.inlined, parts, beyond);
  return field;
}

std::vector<twin::BoxesBeyond> boxes_beyond_over(const twin::ResultsReader& results, std::span<const double> times_s) {
  std::vector<twin::BoxesBeyond> all(times_s.size());
  if (results.limits().empty()) return all;
  const std::vector<twin::LayoutBox> layout = results.layout();
  for (std::size_t k = 0; k < times_s.size(); ++k)
    all[k] = twin::boxes_beyond(twin::exceeded_limits_at(results, times_s[k]), layout);
  return all;
}

std::vector<float> points_of(std::span<const std::string> items, std::span<const twin::LayoutBox> layout) {
  std::map<std::string_view, const twin::LayoutBox*> boxes;
  double left_m = 0.0, front_m = 0.0;
  for (const twin::LayoutBox& box : layout) {
    boxes.emplace(box.name, &box);
    left_m = std::min(left_m, box.centre_m[0] - 0.5 * box.size_m[0]);
    front_m = std::min(front_m, box.centre_m[1] - 0.5 * box.size_m[1]);
  }
  constexpr double above_m = 0.3, apart_m = 1.0, before_m = 2.0;
  std::map<const twin::LayoutBox*, double> count;  // of points that a part has already; null: before the hall
  std::vector<float> points;
  for (const std::string& item : items) {
    auto box = boxes.find(item);
    if (box == boxes.end()) box = boxes.find(std::string_view(item).substr(0, item.rfind('.')));
    const twin::LayoutBox* at = box == boxes.end() ? nullptr : box->second;
    const double number = count[at]++;
    std::array<double, 3> point_m{left_m + apart_m * number, front_m - before_m, above_m};
    if (at != nullptr)
      point_m = {at->centre_m[0] + 0.25 * at->size_m[0] * (number - 0.5), at->centre_m[1],
                 at->centre_m[2] + 0.5 * at->size_m[2] + above_m};
    for (const double coordinate_m : point_m) points.push_back(static_cast<float>(coordinate_m));
  }
  return points;
}

}  // namespace wattloop::viz
