#include "viz/charts/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;

using Reduce = std::function<double(std::span<const float>)>;

double highest(std::span<const float> items) { return *std::max_element(items.begin(), items.end()); }

double mean(std::span<const float> items) {
  double sum = 0.0;
  for (const float item : items) sum += item;
  return sum / double(items.size());
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

Panel power_panel(const twin::ResultsReader& results) {
  Panel panel{.title = "power, kW", .curves = {}, .from_zero = true};
  const auto kilowatts = [](double power_w) { return power_w * 1e-3; };
  add_curve(panel, results, {"facility", ink::text, "facility", "power"}, kilowatts);
  add_curve(panel, results, {"IT", ink::blue, "facility", "it_power"}, kilowatts);
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
  Panel panel{.title = "temperature, °C", .curves = {}, .from_zero = false};
  const auto celsius = [](double kelvin) { return kelvin - zero_celsius_k; };
  const bool by_hall = results.has_column("facility", "max_die_temperature");
  const std::string dies = by_hall ? "facility" : "racks";
  add_curve(panel, results, {"hottest die", ink::vermilion, dies, "max_die_temperature", highest}, celsius);
  add_curve(panel, results, {"mean die", ink::orange, dies, "mean_die_temperature"}, celsius);
  add_curve(panel, results, {"coolant return", ink::purple, "loops", "return_temperature"}, celsius);
  add_curve(panel, results, {"coolant supply", ink::blue, "loops", "supply_temperature"}, celsius);
  add_curve(panel, results, {"room air", ink::green, "rooms", "temperature"}, celsius);
  return panel;
}

}  // namespace

Timeline read_timeline(const twin::ResultsReader& results, double shown_s) {
  Timeline timeline;
  timeline.shown_s = shown_s;
  for (Panel& panel : std::vector{power_panel(results), temperature_panel(results)})
    if (!panel.curves.empty()) timeline.panels.push_back(std::move(panel));
  for (const Panel& panel : timeline.panels)
    for (const Curve& curve : panel.curves) timeline.end_s = std::max(timeline.end_s, curve.times_s.back());
  for (const twin::EventRecord& event : results.events())
    timeline.marks.push_back({event.time_s, event.kind, event.target});
  return timeline;
}

}  // namespace wattloop::viz
