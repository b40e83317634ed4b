#include "viz/charts/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/records_at.hpp"
#include "viz/charts/item_curves.hpp"
#include "viz/hall/item_course.hpp"
#include "viz/hall/job_colours.hpp"

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;
constexpr double alike_k = 0.5;       ///< items whose temperatures never differ by more are one curve
constexpr double alike_share = 0.02;  ///< the same of flows, of the highest, and of loadings and charges

using Reduce = std::function<double(std::span<const float>)>;

double highest(std::span<const float> items) { return *std::max_element(items.begin(), items.end()); }

double mean(std::span<const float> items) {
  double sum = 0.0;
  for (const float item : items) sum += item;
  return sum / double(items.size());
}

/// Electrical rooms have their own air, which is not that of the racks.
bool is_of_racks(const std::string& room) { return !room.starts_with("electrical_room"); }

/// Of rooms that hold racks, the warmest.
Reduce warmest_of(const std::vector<std::string>& rooms) {
  return [rooms](std::span<const float> items) {
    float warmest = -std::numeric_limits<float>::infinity();
    for (std::size_t room = 0; room < items.size(); ++room)
      if (room >= rooms.size() || is_of_racks(rooms[room])) warmest = std::max(warmest, items[room]);
    return double(warmest);
  };
}

struct Source {
  std::string label;
  Colour colour;
  std::string group, column;
  Reduce reduce = mean;  // of all items at one time
};

void add_curve(Panel& panel, const twin::ResultsReader& results, const Source& source,
               const std::function<double(double)>& shown) {
  if (!results.has_column(source.group, source.column)) return;
  Curve curve{source.label, source.colour, results.times_s(source.group), {}};
  const std::vector<float> values = results.column(source.group, source.column);
  if (curve.times_s.empty() || values.empty()) return;
  const std::size_t items = values.size() / curve.times_s.size();
  for (std::size_t row = 0; row < curve.times_s.size(); ++row)
    curve.values.push_back(shown(source.reduce(std::span(values).subspan(row * items, items))));
  panel.curves.push_back(std::move(curve));
}

/// A column of a group with items, each or the worst of them by its name.
void add_items(Panel& panel, const twin::ResultsReader& results, const std::string& group, const std::string& column,
               const ItemCurves& curves, const std::function<double(double)>& shown) {
  ItemCourse course = read_course(results, group, column);
  for (double& value : course.values) value = shown(value);
  add_item_curves(panel, course, curves);
}

Panel power_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "power, kW", .curves = {}, .from_zero = true};
  const auto kilowatts = [](double power_w) { return power_w * 1e-3; };
  add_curve(panel, results, {"facility", ink::text, "facility", "power"}, kilowatts);
  add_curve(panel, results, {"IT power", ink::blue, "facility", "it_power"}, kilowatts);
  double peak_kw = 0.0;
  for (const Curve& curve : panel.curves)
    for (const double value : curve.values) peak_kw = std::max(peak_kw, value);
  if (peak_kw < 5e3) return panel;
  panel.title = "power, MW";
  for (Curve& curve : panel.curves)
    for (double& value : curve.values) value *= 1e-3;
  return panel;
}

Panel temperature_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "temperature, °C", .curves = {}, .from_zero = false, .height_share = 2.0};
  const auto celsius = [](double kelvin) { return kelvin - zero_celsius_k; };
  const bool by_hall = results.has_column("facility", "max_die_temperature");
  const std::string dies = by_hall ? "facility" : "racks";
  add_curve(panel, results, {"hottest die", ink::vermilion, dies, "max_die_temperature", highest}, celsius);
  add_curve(panel, results, {"mean die", ink::orange, dies, "mean_die_temperature"}, celsius);
  add_items(panel, results, "loops", "return_temperature",
            {.all = "coolant return", .each = "return", .colour = ink::sky, .gap = "no flow", .alike = alike_k},
            celsius);
  add_items(panel, results, "loops", "supply_temperature",
            {.all = "coolant supply", .each = "supply", .colour = ink::blue, .gap = "no flow", .alike = alike_k},
            celsius);
  if (!results.has_table("rooms")) return panel;
  const std::vector<std::string> rooms = results.table("rooms").items;
  const char* label = std::ranges::count_if(rooms, is_of_racks) > 1 ? "warmest room" : "room air";
  add_curve(panel, results, {label, ink::green, "rooms", "temperature", warmest_of(rooms)}, celsius);
  return panel;
}

double total(std::span<const float> items) {
  double sum = 0.0;
  for (const float item : items) sum += item;
  return sum;
}

constexpr double most_panels = 5;
constexpr double noticeable_share = 0.1;  ///< of the start's value, by which a flow or a loading must move to be shown
constexpr double noticeable_k = 3.0;      ///< the same of air

/// How far the values of a curve, or the ends of a band, stray from the first.
double stray(const Panel& panel) {
  double most = 0.0;
  for (const Curve& curve : panel.curves)
    for (const std::vector<double>* values : {&curve.values, &curve.lows, &curve.highs})
      for (const double value : *values)
        if (std::isfinite(value) && std::isfinite(values->front()))
          most = std::max(most, std::abs(value - values->front()));
  return most;
}

double highest_recorded(const twin::ResultsReader& results, const std::string& group, const std::string& column) {
  double most = 0.0;
  if (!results.has_column(group, column)) return most;
  for (const float value : results.column(group, column))
    if (std::isfinite(value)) most = std::max(most, double(value));
  return most;
}

double highest_of(const Panel& panel) {
  double most = 0.0;
  for (const Curve& curve : panel.curves)
    for (const double value : curve.values)
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

double as_it_is(double value) { return value; }
double percent(double fraction) { return fraction * 100.0; }
double celsius_of(double kelvin) { return kelvin - zero_celsius_k; }
double megawatts(double power_w) { return power_w * 1e-6; }

/// GPUs that are throttled or down; empty where none ever is.
Panel gpu_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "GPUs", .curves = {}, .from_zero = true};
  const std::string dies = results.has_column("facility", "throttled_gpus") ? "facility" : "racks";
  const std::string down(twin::down_gpus_column(results, dies));
  add_curve(panel, results, {down == "down_gpus" ? "down" : "off", ink::text, dies, down, total}, as_it_is);
  add_curve(panel, results, {"throttled", ink::throttled, dies, "throttled_gpus", total}, as_it_is);
  return highest_of(panel) > 0.5 ? panel : Panel{};
}

Panel flow_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "coolant flow of a loop, kg/s", .curves = {}, .from_zero = true};
  const double alike_kg_per_s = alike_share * highest_recorded(results, "loops", "flow");
  add_items(panel, results, "loops", "flow",
            {.all = "flow", .colour = ink::blue, .is_least_worst = true, .alike = alike_kg_per_s}, as_it_is);
  return stray(panel) > noticeable_share * highest_of(panel) ? panel : Panel{};
}

Panel cdu_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "CDU loading, % of rated", .curves = {}, .from_zero = true};
  add_items(panel, results, "cdus", "loading", {.all = "loading", .colour = ink::blue, .alike = 100.0 * alike_share},
            percent);
  return stray(panel) > 100.0 * noticeable_share ? panel : Panel{};
}

Panel battery_panel(const twin::ResultsReader& results) {
  Panel power{.title = {}, .curves = {}, .from_zero = true};
  add_curve(power, results, {"battery", ink::orange, "facility", "battery_power"}, megawatts);
  if (!(highest_of(power) > 1e-4)) return {};
  Panel panel{.title = "UPS state of charge, %", .curves = {}, .from_zero = true, .most = 100.0};
  add_items(panel, results, "ups", "state_of_charge",
            {.all = "charge", .colour = ink::vermilion, .is_least_worst = true, .alike = 100.0 * alike_share}, percent);
  return panel.curves.empty() ? Panel{.title = "battery power, MW", .curves = power.curves, .from_zero = true} : panel;
}

Panel generator_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "generators, MW", .curves = {}, .from_zero = true};
  add_curve(panel, results, {"power", ink::green, "generators", "power", total}, megawatts);
  return highest_of(panel) > 1e-4 ? panel : Panel{};
}

Panel air_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "air, °C", .curves = {}, .from_zero = false};
  add_curve(panel, results, {"warmest inlet", ink::vermilion, "facility", "hottest_rack_inlet_temperature", highest},
            celsius_of);
  add_items(panel, results, "rows", "hot_aisle_temperature",
            {.all = "hot aisle", .each = "hot", .colour = ink::orange, .alike = alike_k}, celsius_of);
  add_items(panel, results, "rows", "cold_aisle_temperature",
            {.all = "cold aisle", .each = "cold", .colour = ink::blue, .alike = alike_k}, celsius_of);
  return stray(panel) > noticeable_k ? panel : Panel{};
}

/// What the run moved, what is lost first.
void add_moved_panels(std::vector<Panel>& panels, const twin::ResultsReader& results) {
  for (Panel (*read)(const twin::ResultsReader&) :
       {gpu_panel, flow_panel, battery_panel, generator_panel, cdu_panel, air_panel}) {
    if (double(panels.size()) >= most_panels) return;
    if (Panel panel = read(results); !panel.curves.empty()) panels.push_back(std::move(panel));
  }
}

/// Nodes of the jobs that have a colour at the time shown, and of all others together.
Panel job_panel(const twin::ResultsReader& results, double shown_s) {
  const twin::JobPlaces places = job_places(results);
  const std::vector<double> times_s = results.times_s("racks");
  Panel panel{.title = "nodes by job", .curves = {}, .from_zero = true, .height_share = 2.0};
  const std::vector<twin::JobOfLegend> shown = places.legend_at(shown_s).jobs;
  for (const twin::JobOfLegend& job : shown)
    panel.curves.push_back({job.name, job_colour(job.colour), times_s, places.nodes_over(times_s, job.job)});
  Curve others{"all other jobs", job_colour({}), times_s, places.nodes_over(times_s)};
  for (const Curve& curve : panel.curves)
    for (std::size_t k = 0; k < times_s.size(); ++k) others.values[k] -= curve.values[k];
  if (std::ranges::max(others.values) > 0.5) panel.curves.push_back(std::move(others));
  return panel;
}

/// The field that the reader chose.
Panel field_panel(const twin::ResultsReader& results, const ShownField& field, const TimelineRequest& request) {
  if (field.is_job()) return job_panel(results, request.shown_s);
  Panel panel{.title = field.title, .curves = {}, .height_share = 2.0};
  const ItemCourse course = read_course(results, field, request.rack);
  add_item_curves(panel, course,
                  {.all = "all", .colour = ink::vermilion, .is_least_worst = field.is_least_worst(), .alike = 0.0});
  return panel;
}

/// Of one rack: its power, its temperatures, its flow and its GPUs.
std::vector<Panel> panels_of_rack(const twin::ResultsReader& results, const std::string& rack) {
  const auto add = [&](Panel& panel, const char* label, Colour colour, const char* column,
                       const std::function<double(double)>& shown) {
    const ItemCourse all = read_course(results, "racks", column);
    const auto found = std::ranges::find(all.items, rack);
    if (found == all.items.end()) return;
    Curve curve{label, colour, all.times_s, {}};
    for (std::size_t record = 0; record < all.times_s.size(); ++record)
      curve.values.push_back(shown(all.at(record, std::size_t(found - all.items.begin()))));
    panel.curves.push_back(std::move(curve));
  };
  const std::string name = twin::display_name(rack);
  Panel power{.title = name + ": power, kW", .curves = {}, .from_zero = true};
  add(power, "IT power", ink::blue, "it_power", [](double power_w) { return power_w * 1e-3; });
  Panel temperature{.title = name + ": temperature, °C", .curves = {}, .height_share = 2.0};
  add(temperature, "hottest die", ink::vermilion, "max_die_temperature", celsius_of);
  add(temperature, "mean die", ink::orange, "mean_die_temperature", celsius_of);
  add(temperature, "coolant return", ink::sky, "return_temperature", celsius_of);
  add(temperature, "coolant supply", ink::blue, "supply_temperature", celsius_of);
  add(temperature, "inlet air", ink::green, "inlet_air_temperature", celsius_of);
  Panel gpus{.title = name + ": GPUs", .curves = {}, .from_zero = true};
  add(gpus, "down", ink::text, std::string(twin::down_gpus_column(results, "racks")).c_str(), as_it_is);
  add(gpus, "throttled", ink::throttled, "throttled_gpus", as_it_is);
  Panel flow{.title = name + ": coolant flow, kg/s", .curves = {}, .from_zero = true};
  add(flow, "flow", ink::blue, "flow", as_it_is);
  std::vector<Panel> panels{power, temperature};
  if (highest_of(gpus) > 0.5) panels.push_back(gpus);
  if (stray(flow) > noticeable_share * highest_of(flow)) panels.push_back(flow);
  return panels;
}

/// From before the first cause or loss to after the last of them, where that is a small part of the run.
void zoom(Timeline& timeline) {
  constexpr double small_share = 1.0 / 3.0, before_share = 0.2, after_share = 0.5, least_s = 60.0;
  double first_s = timeline.run_end_s, last_s = 0.0;
  for (const twin::EventSummaryLine& line : timeline.event_lines) {
    if (line.weight < twin::Weight::loss) continue;
    first_s = std::min(first_s, line.first_s);
    last_s = std::max(last_s, line.last_s);
  }
  if (first_s > last_s) return;
  const double span_s = std::max(last_s - first_s, least_s);
  const double begin_s = std::max(first_s - before_share * span_s, 0.0);
  const double end_s = std::min(last_s + after_share * span_s, timeline.run_end_s);
  const bool holds_shown = timeline.shown_s >= begin_s && timeline.shown_s <= end_s;
  if (end_s - begin_s > small_share * timeline.run_end_s || !holds_shown) return;
  timeline.begin_s = begin_s;
  timeline.end_s = end_s;
}

}  // namespace

Timeline read_timeline(const twin::ResultsReader& results, const TimelineRequest& request) {
  Timeline timeline;
  timeline.shown_s = request.shown_s;
  const bool is_of_rack = !request.rack.empty() && results.has_table("racks");
  std::vector<Panel> panels = is_of_rack ? panels_of_rack(results, request.rack)
                                         : std::vector{power_panel(results), temperature_panel(results)};
  if (request.field) panels.insert(panels.begin() + 1, field_panel(results, *request.field, request));
  for (Panel& panel : panels)
    if (!panel.curves.empty()) timeline.panels.push_back(std::move(panel));
  for (const Panel& panel : timeline.panels)
    for (const Curve& curve : panel.curves) timeline.run_end_s = std::max(timeline.run_end_s, curve.times_s.back());
  if (!is_of_rack) add_moved_panels(timeline.panels, results);
  timeline.event_lines = twin::event_summary(results.events());
  timeline.end_s = timeline.run_end_s;
  zoom(timeline);
  return timeline;
}

}  // namespace wattloop::viz
