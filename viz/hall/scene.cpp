#include "viz/hall/scene.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "core/units.hpp"
#include "twin/results/layout_cells.hpp"
#include "viz/hall/equipment.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;

// Of dies on fixed scales: from cool water to the last limit, which firmware has at 87 (slows down), 89 (half clock)
// and 95 degC (switches off).
constexpr double lowest_die_c = 30.0, highest_die_c = 95.0;
constexpr std::array die_limits_c{87.0, 89.0, 95.0};

/// A recorded quantity as people see it.
struct ShownField {
  std::string group, column;
  std::string title, unit;
  double factor = 1.0, offset = 0.0;
  double least_width = 1.0;  // of its scale

  double shown(double si) const { return si * factor + offset; }
};

ShownField shown_field(const std::string& field, bool is_detailed) {
  if (field == "die_temperature")
    return {is_detailed ? "gpus" : "racks",
            is_detailed ? "die_temperature" : "max_die_temperature",
            is_detailed ? "die temperature, °C" : "hottest die of each rack, °C",
            "°C",
            1.0,
            -zero_celsius_k,
            5.0};
  if (field == "power" && is_detailed) return {"gpus", "power", "GPU power, W", "W", 1.0, 0.0, 50.0};
  if (field == "power") return {"racks", "it_power", "rack power, kW", "kW", 1e-3, 0.0, 5.0};
  refuse_option("--field", fmt::format("'{}' cannot be drawn", field), "expected die_temperature or power");
}

double scene_time_s(const twin::ResultsReader& results, const ShownField& field, const SceneRequest& request) {
  const std::vector<double> times_s = results.times_s(field.group);
  if (times_s.empty()) throw FileError(fmt::format("the results hold no record of {}", field.group));
  if (request.at_s) {
    if (*request.at_s < 0.0 || *request.at_s > times_s.back() + 60.0)
      refuse_option("--at", fmt::format("{} is not in the run", time_text(*request.at_s)),
                    fmt::format("recorded from {} to {}", time_text(times_s.front()), time_text(times_s.back())));
    return times_s[nearest_row(times_s, *request.at_s)];
  }
  const std::string hottest = field.group == "gpus" ? "die_temperature" : "max_die_temperature";
  if (!results.has_column(field.group, hottest)) return times_s.back();
  const std::vector<float> values = results.column(field.group, hottest);
  const auto highest = std::max_element(values.begin(), values.end());
  const std::size_t items = values.size() / times_s.size();
  return times_s[std::size_t(highest - values.begin()) / std::max<std::size_t>(items, 1)];
}

/// Gives GPUs or racks their values: items of the table stand in the order of the layout.
void colour_parts(Scene& scene, const std::string& kind, const ShownField& field, const std::vector<float>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t item = 0;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (scene.boxes[i].box.kind != kind || item >= values.size()) continue;
    const double value = field.shown(values[item++]);
    scene.boxes[i].value = value;
    if (!std::isfinite(value)) continue;
    if (!scene.highest || value > scene.boxes[*scene.highest].value) scene.highest = i;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!scene.highest) return;
  const auto [bottom, top] = round_ends(low, high, field.least_width);
  scene.parts = {field.title, bottom, top, &heat_map};
  if (scene.has_fixed_scales && field.unit == "°C") {
    scene.parts = {"hottest die, °C; limits 87, 89, 95", lowest_die_c, highest_die_c, &heat_map};
    scene.parts.limits.assign(die_limits_c.begin(), die_limits_c.end());
  } else if (scene.has_fixed_scales) {
    scene.parts.low = 0.0;
    scene.parts.high = round_ends(0.0, high, field.least_width).second;
  }
  scene.part_unit = field.unit;
}

constexpr std::array<std::string_view, 5> outdoor_kinds{"substation", "transformer", "chiller", "tower", "generator"};

/// Takes what stands outside from the boxes of the hall; racks and GPUs come before it and keep their places.
void move_outdoors(Scene& scene) {
  const auto outside = std::stable_partition(scene.boxes.begin(), scene.boxes.end(), [](const SceneBox& shown) {
    return shown.box.parent != twin::yard_parent &&
           std::find(outdoor_kinds.begin(), outdoor_kinds.end(), shown.box.kind) == outdoor_kinds.end();
  });
  scene.outdoors.assign(outside, scene.boxes.end());
  scene.boxes.erase(outside, scene.boxes.end());
}

std::string power_text(double power_w) {
  if (std::abs(power_w) >= 1e6) return fmt::format("{:.2f} MW", power_w * 1e-6);
  return fmt::format("{:.1f} kW", power_w * 1e-3);
}

double sum_of(const std::vector<float>& values) {
  double sum = 0.0;
  for (const float value : values) sum += value;
  return sum;
}

/// While batteries carry the hall, or nothing is on, there is none: then why.
KeyFigure pue_figure(const twin::ResultsReader& results, double pue, double time_s) {
  if (std::isfinite(pue)) return {fmt::format("{:.3f}", pue), "PUE at this time"};
  const auto battery_w = values_at(results, "facility", "battery_power", time_s);
  const bool is_on_battery = !battery_w.empty() && battery_w[0] > 0.0f;
  return {"n/a", is_on_battery ? "PUE on battery" : "PUE: IT is off"};
}

std::vector<KeyFigure> read_key_figures(const twin::ResultsReader& results, double time_s) {
  std::vector<KeyFigure> figures;
  const auto facility = [&](const char* column) { return values_at(results, "facility", column, time_s); };
  if (const auto power_w = facility("it_power"); !power_w.empty())
    figures.push_back({power_text(power_w[0]), "IT power"});
  if (const auto power_w = facility("power"); !power_w.empty())
    figures.push_back({power_text(power_w[0]), "facility power"});
  if (const auto pue = facility("pue"); !pue.empty()) figures.push_back(pue_figure(results, pue[0], time_s));
  const std::string dies = results.has_column("facility", "max_die_temperature") ? "facility" : "racks";
  const auto hottest_k = values_at(results, dies, "max_die_temperature", time_s);
  if (!hottest_k.empty()) {
    const float highest_k = *std::max_element(hottest_k.begin(), hottest_k.end());
    figures.push_back({fmt::format("{:.1f} °C", highest_k - zero_celsius_k), "hottest die"});
  }
  const auto mean_k = values_at(results, dies, "mean_die_temperature", time_s);
  if (!mean_k.empty())
    figures.push_back({fmt::format("{:.1f} °C", sum_of(mean_k) / double(mean_k.size()) - zero_celsius_k), "mean die"});
  const auto throttled = values_at(results, dies, "throttled_gpus", time_s);
  if (!throttled.empty()) figures.push_back({fmt::format("{:.0f}", sum_of(throttled)), "GPUs throttled"});
  const std::string down(twin::down_gpus_column(results, dies));
  if (const double gpus = sum_of(values_at(results, dies, down, time_s)); gpus > 0.0)
    figures.push_back({fmt::format("{:.0f}", gpus), "GPUs down"});
  return figures;
}

}  // namespace

void demand_layout(const twin::ResultsReader& results, const std::string& file_name) {
  if (results.layout().empty())
    throw FileError(fmt::format("{}: holds no layout to draw: recorded as summary only", file_name));
}

Scene read_scene(const twin::ResultsReader& results, const SceneRequest& request, const std::string& file_name) {
  demand_layout(results, file_name);
  const std::vector<twin::LayoutBox> layout = results.layout();
  const auto racks =
      std::count_if(layout.begin(), layout.end(), [](const twin::LayoutBox& box) { return box.kind == "rack"; });

  Scene scene;
  const std::string gpu_column = shown_field(request.field, true).column;
  scene.is_detailed = std::size_t(racks) <= most_detailed_racks && results.has_column("gpus", gpu_column);
  const ShownField field = shown_field(request.field, scene.is_detailed);
  if (!results.has_column(field.group, field.column))
    refuse_option("--field", fmt::format("{}: '{}/{}' was not recorded", file_name, field.group, field.column),
                  "record it, or choose the other of die_temperature and power");

  scene.title = printable(results.provenance_text("title").value_or(file_name));
  if (scene.title.empty()) scene.title = file_name;
  scene.time_s = scene_time_s(results, field, request);
  scene.is_hottest_time = !request.at_s;
  scene.has_fixed_scales = request.has_fixed_scales;
  scene.moment = request.moment;
  scene.is_isometric = request.is_isometric;
  for (const twin::LayoutBox& box : layout)
    if (scene.is_detailed || (box.kind != "node" && box.kind != "gpu")) scene.boxes.push_back({box});
  colour_parts(scene, scene.is_detailed ? "gpu" : "rack", field,
               values_at(results, field.group, field.column, scene.time_s));
  colour_equipment(scene, results);
  read_conditions(scene, results);
  move_outdoors(scene);
  scene.key_figures = read_key_figures(results, scene.time_s);
  return scene;
}

Scene Scene::outdoor_scene() const {
  Scene scene = *this;
  scene.boxes = outdoors;
  scene.outdoors.clear();
  scene.highest.reset();
  scene.is_detailed = false;
  return scene;
}

std::vector<float> values_at(const twin::ResultsReader& results, const std::string& group, const std::string& column,
                             double time_s) {
  if (!results.has_column(group, column)) return {};
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return {};
  return results.frame(group, column, twin::row_at(results, group, column, times_s, time_s));
}

std::string time_text(double time_s) {
  constexpr double long_s = 100.0 * 3600.0;
  if (time_s >= long_s) return format_quantity(time_s, "s");  // in days
  const long long seconds = std::llround(time_s);
  const long long hours = seconds / 3600, minutes = seconds / 60 % 60;
  if (hours > 0)
    return fmt::format("{} h {} min", hours, minutes) + (seconds % 60 ? fmt::format(" {} s", seconds % 60) : "");
  if (minutes > 0) return fmt::format("{} min", minutes) + (seconds % 60 ? fmt::format(" {} s", seconds % 60) : "");
  return fmt::format("{} s", seconds);
}

}  // namespace wattloop::viz
