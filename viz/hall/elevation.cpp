#include "viz/hall/elevation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/plan.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;
constexpr double rack_share = 0.66;    // of the area's width, between what is said of nodes on both sides
constexpr double smallest_text = 7.5;  // pixels
constexpr Colour frame_colour{104, 116, 130}, node_colour{238, 241, 244}, node_edge{150, 160, 170};

struct NodeOfRack {
  const SceneBox* box = nullptr;
  std::vector<std::size_t> gpus{};  ///< places in the scene
};

/// From the highest to the lowest.
std::vector<NodeOfRack> nodes_of(const Scene& scene) {
  std::vector<NodeOfRack> nodes;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (scene.boxes[i].box.kind == "node") nodes.push_back({&scene.boxes[i]});
    if (scene.boxes[i].box.kind == "gpu" && !nodes.empty()) nodes.back().gpus.push_back(i);
  }
  std::ranges::stable_sort(nodes, std::greater{}, [](const NodeOfRack& node) { return node.box->box.centre_m[2]; });
  return nodes;
}

GpuState state_at(const Scene& scene, std::size_t gpu) {
  return gpu < scene.gpu_states.size() ? scene.gpu_states[gpu] : GpuState::running;
}

void draw_frame(Drawing& drawing, const Rectangle& r, Colour colour, double width) {
  drawing.add(
      Stroke{{{r.left, r.bottom}, {r.right(), r.bottom}, {r.right(), r.top()}, {r.left, r.top()}, {r.left, r.bottom}},
             colour,
             width});
}

void draw_gpu(Drawing& drawing, const Scene& scene, std::size_t gpu, const Rectangle& cell, double size) {
  const SceneBox& shown = scene.boxes[gpu];
  const GpuState state = state_at(scene, gpu);
  const Colour colour = colour_of(scene, shown);
  drawing.add(filled(cell, colour));
  if (state == GpuState::off) draw_hatch(drawing, cell, ink_on(colour), hatch_pitch(cell.height));
  if (state == GpuState::throttled) draw_throttled(drawing, cell);
  const bool is_highest = scene.highest && *scene.highest == gpu;
  draw_frame(drawing, cell, is_highest ? ink::text : ink::paper, is_highest ? 2.5 : 1.0);
  Text value{shown.has_value() ? fmt::format("{:.{}f}", shown.value, scene.part_decimals) : "",
             {cell.middle_x(), cell.middle_y()},
             std::min(size, 0.62 * cell.height),
             ink_on(colour),
             Align::centre,
             is_highest};
  while (text_width(value) > cell.width - 3.0 && value.size > smallest_text) value.size -= 0.25;
  if (value.size >= smallest_text && text_width(value) <= cell.width - 1.0 && state != GpuState::off)
    drawing.add(value);
}

/// "max 57.3, 2 throttled"; of a field whose lowest value is the worst "min".
std::string words_of(const Scene& scene, const NodeOfRack& node) {
  double worst = std::numeric_limits<double>::quiet_NaN();
  std::size_t off = 0, throttled = 0;
  for (const std::size_t gpu : node.gpus) {
    const SceneBox& shown = scene.boxes[gpu];
    if (shown.has_value() && (!std::isfinite(worst) || scene.is_beyond(shown.value, worst))) worst = shown.value;
    off += state_at(scene, gpu) == GpuState::off ? 1 : 0;
    throttled += state_at(scene, gpu) == GpuState::throttled ? 1 : 0;
  }
  const char* what = scene.is_least_worst ? "min" : "max";
  std::string words = std::isfinite(worst) ? fmt::format("{} {:.{}f}", what, worst, scene.part_decimals) : "";
  if (off == node.gpus.size() && off > 0) return words + ", off";
  if (off > 0) words += fmt::format(", {} off", off);
  if (throttled > 0) words += fmt::format(", {} throttled", throttled);
  return words;
}

void draw_node(Drawing& drawing, const Scene& scene, const NodeOfRack& node, const Rectangle& slot, double size) {
  drawing.add(filled(slot, node_colour));
  const double count = std::max<double>(1.0, double(node.gpus.size()));
  const double gap = std::min(0.12 * slot.height, 0.1 * slot.width / count);
  const double width = (slot.width - gap * (count + 1.0)) / count;
  for (std::size_t k = 0; k < node.gpus.size(); ++k)
    draw_gpu(drawing, scene, node.gpus[k],
             {slot.left + gap + double(k) * (width + gap), slot.bottom + gap, width, slot.height - 2.0 * gap}, size);
  draw_frame(drawing, slot, node_edge, 1.0);
}

/// What is said beside a node has the height of its slot, or every second says nothing, and so on.
std::size_t step_of_labels(std::size_t nodes, double slot_height, double size) {
  const auto step = std::size_t(std::ceil(1.15 * size / std::max(slot_height, 0.1)));
  return nodes == 0 ? 1 : std::max<std::size_t>(1, step);
}

}  // namespace

void demand_rack(const twin::ResultsReader& results, const std::string& rack) {
  std::vector<std::string> racks;
  bool has_gpus = false;
  for (const twin::LayoutBox& box : results.layout()) {
    if (box.kind == "rack") racks.push_back(box.name);
    has_gpus = has_gpus || box.kind == "gpu";
  }
  if (std::ranges::find(racks, rack) == racks.end()) {
    const std::string near = nearest_hint(rack, racks);
    refuse_option(
        "--rack", fmt::format("there is no rack '{}'", printable(rack)),
        near.empty() && !racks.empty() ? fmt::format("from '{}' to '{}'", racks.front(), racks.back()) : near);
  }
  if (!has_gpus || !results.has_table("gpus"))
    refuse_option("--rack", "the run recorded no values of single GPUs",
                  "record: { gpus: { every: 10 s, fields: [die_temperature] } }");
}

std::vector<GpuState> read_gpu_states(const Scene& scene, const twin::ResultsReader& results) {
  if (!results.has_column("gpus", "clock_fraction") && !results.has_column("gpus", "power")) return {};
  std::vector<GpuState> states;
  const std::vector<float> clocks = values_at(results, "gpus", "clock_fraction", scene.time_s),
                           powers_w = values_at(results, "gpus", "power", scene.time_s);
  std::size_t gpu = 0;
  for (const SceneBox& shown : scene.boxes) {
    GpuState state = GpuState::running;
    if (shown.box.kind == "gpu") {
      if (gpu < clocks.size() && clocks[gpu] < 1.0F) state = clocks[gpu] <= 0.0F ? GpuState::off : GpuState::throttled;
      if (gpu < powers_w.size() && powers_w[gpu] <= 0.0F) state = GpuState::off;
      ++gpu;
    }
    states.push_back(state);
  }
  return states;
}

std::vector<KeyFigure> read_rack_figures(const Scene& scene, const twin::ResultsReader& results) {
  if (!results.has_table("racks")) return {};
  const std::vector<std::string> racks = results.table("racks").items;
  const auto place = std::size_t(std::ranges::find(racks, scene.rack) - racks.begin());
  std::vector<KeyFigure> figures;
  const auto add = [&](const char* column, double factor, double offset, int decimals, const char* unit,
                       const char* caption) {
    const std::vector<float> values = values_at(results, "racks", column, scene.time_s);
    if (place < values.size() && std::isfinite(values[place]))
      figures.push_back({fmt::format("{:.{}f}{}", values[place] * factor + offset, decimals, unit), caption});
  };
  const std::vector<float> coolant_k = values_at(results, "racks", "supply_temperature", scene.time_s);
  const bool has_coolant = place < coolant_k.size() && std::isfinite(coolant_k[place]);
  add("it_power", 1e-3, 0.0, 1, " kW", "IT power");
  add("supply_temperature", 1.0, -zero_celsius_k, 1, " °C", "coolant in");
  add("return_temperature", 1.0, -zero_celsius_k, 1, " °C", "coolant out");
  if (has_coolant) add("flow", 1.0, 0.0, 2, " kg/s", "coolant");
  add("inlet_air_temperature", 1.0, -zero_celsius_k, 1, " °C", "air in");
  add("max_die_temperature", 1.0, -zero_celsius_k, 1, " °C", "hottest die");
  add("throttled_gpus", 1.0, 0.0, 0, "", "GPUs throttled");
  add(std::string(twin::down_gpus_column(results, "racks")).c_str(), 1.0, 0.0, 0, "", "GPUs down");
  return figures;
}

void draw_elevation(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const std::vector<NodeOfRack> nodes = nodes_of(scene);
  const double head = 4.2 * size, foot = 2.2 * size;
  const Rectangle rack{area.left + 0.5 * (1.0 - rack_share) * area.width - 0.04 * area.width, area.bottom + foot,
                       rack_share * area.width, area.height - head - foot};
  const std::string title = fmt::format("{} from the front, {}", twin::display_name(scene.rack), scene.parts.title);
  drawing.add(
      fitted({title, {area.left, area.top() - 0.8 * size}, 1.1 * size, ink::text, Align::left, true}, area.width));
  if (scene.highest) {
    const SceneBox& highest = scene.boxes[*scene.highest];
    const std::string words =
        fmt::format("framed: {}, {}, {:.{}f} {}", twin::display_name(highest.box.name.substr(scene.rack.size() + 1)),
                    scene.extreme_word, highest.value, scene.part_decimals, scene.part_unit);
    drawing.add(fitted({words, {area.left, area.top() - 2.4 * size}, 0.92 * size, ink::text}, area.width));
  }
  const char* marks =
      scene.gpu_states.empty()
          ? "neither clock nor power of GPUs was recorded: GPUs that are off or throttled are not marked"
          : "hatched: off; purple foot: throttled";
  drawing.add(fitted({marks, {area.left, area.bottom + 0.4 * size}, 0.85 * size, ink::quiet}, area.width));
  draw_frame(drawing, {rack.left - 5.0, rack.bottom - 5.0, rack.width + 10.0, rack.height + 10.0}, frame_colour, 5.0);
  if (nodes.empty()) return;
  double low_m = std::numeric_limits<double>::infinity(), high_m = -low_m;
  for (const NodeOfRack& node : nodes) {
    low_m = std::min(low_m, node.box->box.centre_m[2] - 0.5 * node.box->box.size_m[2]);
    high_m = std::max(high_m, node.box->box.centre_m[2] + 0.5 * node.box->box.size_m[2]);
  }
  const double per_m = rack.height / std::max(high_m - low_m, 1e-3);
  const std::size_t step = step_of_labels(nodes.size(), per_m * nodes.front().box->box.size_m[2], size);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const twin::LayoutBox& box = nodes[i].box->box;
    const double height = std::max(per_m * box.size_m[2] - 1.0, 1.0);
    const Rectangle slot{rack.left, rack.bottom + per_m * (box.centre_m[2] - 0.5 * box.size_m[2] - low_m), rack.width,
                         height};
    draw_node(drawing, scene, nodes[i], slot, size);
    if (i % step != 0) continue;
    drawing.add(Text{twin::display_name(box.name.substr(scene.rack.size() + 1)),
                     {rack.left - 0.7 * size - 8.0, slot.middle_y()},
                     0.92 * size,
                     ink::text,
                     Align::right});
    drawing.add(
        Text{words_of(scene, nodes[i]), {rack.right() + 0.7 * size + 8.0, slot.middle_y()}, 0.92 * size, ink::quiet});
  }
}

}  // namespace wattloop::viz
