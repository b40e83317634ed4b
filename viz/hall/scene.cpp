#include "viz/hall/scene.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tables/time_of_run.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/diagrams/part_figures.hpp"
#include "twin/report/events/run_verdict.hpp"
#include "twin/results/schema/layout_cells.hpp"
#include "viz/hall/elevation.hpp"
#include "viz/hall/equipment.hpp"
#include "viz/hall/shown_field.hpp"
#include "viz/hall/supply_lines.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;

double scene_time_s(const twin::ResultsReader& results, const ShownField& field, const SceneRequest& request) {
  const std::vector<double> times_s = results.times_s(field.group);
  if (times_s.empty()) throw FileError(fmt::format("the results hold no record of {}", field.group));
  if (request.at_s) {
    if (*request.at_s < 0.0 || *request.at_s > times_s.back() + 60.0)
      refuse_option("--at", fmt::format("{} is not in the run", time_of_run(*request.at_s)),
                    fmt::format("recorded from {} to {}", time_of_run(times_s.front()), time_of_run(times_s.back())));
    return times_s[nearest_row(times_s, *request.at_s)];
  }
  const std::string hottest = field.group == "gpus" ? "die_temperature" : "max_die_temperature";
  if (!results.has_column(field.group, hottest)) return times_s.back();
  const std::vector<float> values = results.column(field.group, hottest);
  const auto highest = std::max_element(values.begin(), values.end());
  const std::size_t items = values.size() / times_s.size();
  return times_s[std::size_t(highest - values.begin()) / std::max<std::size_t>(items, 1)];
}

constexpr std::array<std::string_view, 5> outdoor_kinds{"substation", "transformer", "chiller", "tower", "generator"};

/// Takes what stands outside from the boxes of the hall; racks and GPUs come before it and keep their places.
void move_outdoors(Scene& scene) {
  const std::string highest = scene.highest ? scene.boxes[*scene.highest].box.name : "";
  const auto outside = std::stable_partition(scene.boxes.begin(), scene.boxes.end(), [](const SceneBox& shown) {
    return shown.box.parent != twin::yard_parent &&
           std::find(outdoor_kinds.begin(), outdoor_kinds.end(), shown.box.kind) == outdoor_kinds.end();
  });
  scene.outdoors.assign(outside, scene.boxes.end());
  scene.boxes.erase(outside, scene.boxes.end());
  scene.highest.reset();
  for (std::size_t i = 0; i < scene.boxes.size() && !highest.empty(); ++i)
    if (scene.boxes[i].box.name == highest) scene.highest = i;
}

/// GPUs of a whole hall are too small to be seen, and what brings power would hide those of a few racks.
bool is_left_out(const twin::LayoutBox& box, bool is_detailed) {
  static constexpr std::array<std::string_view, 5> power{"ups", "pdu", "substation", "transformer", "generator"};
  return is_detailed ? std::ranges::count(power, box.kind) > 0 : box.kind == "node" || box.kind == "gpu";
}

bool is_in(const twin::LayoutBox& box, const std::string& rack) {
  return box.name == rack || box.name.starts_with(rack + ".");
}

/// Of the scene's boxes those of its rack.
void keep_rack(Scene& scene, const twin::ResultsReader& results) {
  const std::vector<GpuState> states = read_gpu_states(scene, results);
  std::vector<SceneBox> kept;
  std::optional<std::size_t> highest;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (!is_in(scene.boxes[i].box, scene.rack)) continue;
    if (scene.highest == i) highest = kept.size();
    kept.push_back(scene.boxes[i]);
    if (!states.empty()) scene.gpu_states.push_back(states[i]);
  }
  scene.boxes = std::move(kept);
  scene.highest = highest;
  scene.outdoors.clear();
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
  twin::PartFigures means(results, time_s);  // over the interval of the diagrams of reports
  const std::optional<double> it_w = means.site_value("it_power"), facility_w = means.site_value("power");
  if (it_w) figures.push_back({power_text(*it_w), "IT power"});
  if (facility_w) figures.push_back({power_text(*facility_w), "facility power"});
  if (results.has_column("facility", "pue"))
    figures.push_back(pue_figure(results, means.site_value("pue").value_or(std::nan("")), time_s));
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

bool are_gpus_drawn(const std::vector<twin::LayoutBox>& layout, const SceneRequest& request) {
  const auto racks = std::ranges::count(layout, "rack", &twin::LayoutBox::kind);
  return (request.may_show_gpus && std::size_t(racks) <= most_detailed_racks) || !request.rack.empty();
}

}  // namespace

twin::Shown what_is_shown(const twin::ResultsReader& results, const Hall& hall, const SceneRequest& request) {
  if (!request.rack.empty()) demand_rack(results, request.rack);
  const ShownField field = read_shown_field(results, request.field, are_gpus_drawn(hall.layout, request));
  return {.are_gpus = field.group == "gpus", .rack = request.rack};
}

Hall read_hall(const twin::ResultsReader& results, const std::string& file_name) {
  std::string title = results.provenance_text("title").value_or("");
  if (title.empty()) title = file_name;
  Hall hall{results.layout(), results.topology(), printable(twin::title_with_verdict(results, title))};
  if (hall.layout.empty())
    throw FileError(
        fmt::format("{}: contains no layout to draw, because the run was recorded as summary only", file_name));
  return hall;
}

void demand_layout(const twin::ResultsReader& results, const std::string& file_name) { read_hall(results, file_name); }

Scene read_scene(const twin::ResultsReader& results, const SceneRequest& request, const std::string& file_name) {
  return read_scene(results, read_hall(results, file_name), request);
}

Scene read_scene(const twin::ResultsReader& results, const Hall& hall, const SceneRequest& request) {
  const std::vector<twin::LayoutBox>& layout = hall.layout;
  Scene scene;
  const bool may_be_detailed = are_gpus_drawn(layout, request);
  if (!request.rack.empty()) demand_rack(results, request.rack);
  const ShownField field = read_shown_field(results, request.field, may_be_detailed);
  if (!request.rack.empty() && field.group != "gpus")
    refuse_option("--field",
                  fmt::format("'{}' is not a value of single GPUs, or the run did not record it", request.field),
                  "fields of a rack's GPUs: die_temperature, power, clock_fraction, if they were recorded");
  scene.rack = request.rack;
  scene.is_detailed = field.group == "gpus" && may_be_detailed;

  scene.title = hall.title;
  scene.time_s = scene_time_s(results, field, request);
  scene.is_hottest_time = !request.at_s;
  scene.has_fixed_scales = request.has_fixed_scales;
  scene.fits_quiet = request.fits_quiet;
  scene.moment = request.moment;
  scene.is_isometric = request.is_isometric;
  for (const twin::LayoutBox& box : layout)
    if (!is_left_out(box, scene.is_detailed)) scene.boxes.push_back({box});
  colour_equipment(scene, results);
  colour_field(scene, results, field);
  read_conditions(scene, results, hall.layout);
  widen_pipes(scene, results);
  if (!scene.is_detailed) add_busways(scene, hall.topology);
  move_outdoors(scene);
  if (!scene.rack.empty()) keep_rack(scene, results);
  scene.key_figures = scene.rack.empty() ? read_key_figures(results, scene.time_s) : read_rack_figures(scene, results);
  return scene;
}

std::string Scene::extreme_text(double value) const {
  if (!quiet_words.empty()) return fmt::format("{}, {}", extreme_word, quiet_words);
  const bool is_beyond_limit = are_margins && value < 0.0;
  const std::string words = fmt::format("{:.{}f} {}", is_beyond_limit ? -value : value, part_decimals, part_unit);
  if (!nearest_limit.empty()) return fmt::format("{} {} {}", words, is_beyond_limit ? "over" : "to", nearest_limit);
  return is_beyond_limit ? words + " beyond its limit" : fmt::format("{}, {}", extreme_word, words);
}

std::string Scene::range_text(ScaleOf scale, double low, double high) const {
  const int decimals = scale == ScaleOf::load ? 0 : scale == ScaleOf::coolant ? 1 : part_decimals;
  const std::string unit = scale == ScaleOf::load ? "%" : scale == ScaleOf::coolant ? "°C" : part_unit;
  const std::string first = fmt::format("{:.{}f}", low, decimals), last = fmt::format("{:.{}f}", high, decimals);
  return fmt::format("{}{}{}", first == last ? first : first + " to " + last, unit.empty() ? "" : " ", unit);
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

}  // namespace wattloop::viz
