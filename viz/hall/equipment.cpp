#include "viz/hall/equipment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "twin/results/reader/still_loops.hpp"
#include "twin/results/schema/layout_cells.hpp"

namespace wattloop::viz {
namespace {

constexpr double zero_celsius_k = 273.15;

// What says most about a piece of equipment; the first that was recorded is shown.
constexpr std::array temperatures{"supply_temperature",     "outlet_temperature",       "leaving_temperature",
                                  "supply_air_temperature", "outlet_air_temperature",   "temperature",
                                  "return_temperature",     "leaving_water_temperature"};
constexpr const char* loading = "loading";

constexpr std::pair fixed_coolant_c{15.0, 60.0};

/// What is shown of a group's items, by name.
struct Shown {
  std::map<std::string, double> values;  ///< °C or %
  std::set<std::string> still;           ///< without water: their temperatures say nothing
  ScaleOf scale = ScaleOf::coolant;
};

/// Items of a group whose flow is nothing beside the highest of the run.
std::set<std::string> without_water(const twin::ResultsReader& results, const std::string& group, double time_s) {
  constexpr float nothing = 1e-3F;
  std::set<std::string> still;
  const std::vector<float> now = values_at(results, group, "flow", time_s);
  if (now.empty()) return still;
  float highest = 0.0F;
  for (const float flow : results.column(group, "flow"))
    if (std::isfinite(flow)) highest = std::max(highest, flow);
  const std::vector<std::string> items = results.table(group).items;
  for (std::size_t item = 0; item < std::min(items.size(), now.size()); ++item)
    if (now[item] <= nothing * highest) still.insert(items[item]);
  return still;
}

Shown read_shown(const twin::ResultsReader& results, const std::string& group, double time_s) {
  Shown shown;
  if (!results.has_table(group)) return shown;
  const auto read = [&](const char* column, double factor, double offset) {
    const std::vector<float> values = values_at(results, group, column, time_s);
    const std::vector<std::string> items = results.table(group).items;
    for (std::size_t item = 0; item < std::min(items.size(), values.size()); ++item)
      shown.values[items[item]] = values[item] * factor + offset;
    return !values.empty();
  };
  for (const char* column : temperatures) {
    if (!read(column, 1.0, -zero_celsius_k)) continue;
    shown.still = without_water(results, group, time_s);
    return shown;
  }
  shown.scale = ScaleOf::load;
  read(loading, 100.0, 0.0);
  return shown;
}

/// Temperatures of a loop's pipes by the loop's name.
std::map<std::string, double> read_pipes(const twin::ResultsReader& results, const char* column, double time_s) {
  std::map<std::string, double> by_loop;
  const std::vector<float> values_k = values_at(results, "loops", column, time_s);
  if (values_k.empty()) return by_loop;
  const std::vector<std::string> loops = results.table("loops").items;
  for (std::size_t loop = 0; loop < std::min(loops.size(), values_k.size()); ++loop)
    by_loop[loops[loop]] = values_k[loop] - zero_celsius_k;
  return by_loop;
}

std::set<std::string> read_still_loops(const twin::ResultsReader& results, double time_s) {
  std::set<std::string> still;
  const std::vector<float> now = values_at(results, "loops", "flow", time_s);
  if (now.empty()) return still;
  const double still_kg_per_s = twin::still_flow_kg_per_s(results);
  const std::vector<std::string> loops = results.table("loops").items;
  for (std::size_t loop = 0; loop < std::min(loops.size(), now.size()); ++loop)
    if (now[loop] <= still_kg_per_s) still.insert(loops[loop]);
  return still;
}

void give(SceneBox& shown, const std::map<std::string, double>& values, const std::string& name, ScaleOf scale) {
  shown.scale = scale;
  if (const auto found = values.find(name); found != values.end()) shown.value = found->second;
}

void set_scales(Scene& scene) {
  double low = std::numeric_limits<double>::infinity(), high = -low, most_loaded = 100.0;
  for (const SceneBox& shown : scene.boxes) {
    if (!std::isfinite(shown.value)) continue;
    if (shown.scale == ScaleOf::coolant) {
      low = std::min(low, shown.value);
      high = std::max(high, shown.value);
    }
    if (shown.scale == ScaleOf::load) {
      scene.has_load = true;
      most_loaded = std::max(most_loaded, shown.value);
    }
  }
  const auto [bottom, top] = scene.has_fixed_scales ? fixed_coolant_c
                             : low <= high          ? round_ends(low, high, 4.0)
                                                    : std::pair(20.0, 40.0);
  scene.coolant = {"water and air, °C", bottom, top, &colour_maps::coolant};
  scene.load = {"load, % of rated", 0.0, round_ends(0.0, most_loaded, 100.0).second, &colour_maps::load};
}

}  // namespace

void colour_equipment(Scene& scene, const twin::ResultsReader& results) {
  std::map<std::string, Shown> groups;
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes) boxes.push_back(shown.box);
  const std::vector<twin::Cells> cells = twin::cells_of(boxes);
  for (const auto& [kind, group] : cells) {
    if (group != "racks" && group != "gpus" && !groups.contains(group))
      groups[group] = read_shown(results, group, scene.time_s);
  }
  const auto supply = read_pipes(results, "supply_temperature", scene.time_s);
  const auto back = read_pipes(results, "return_temperature", scene.time_s);
  const Shown rooms = read_shown(results, "rooms", scene.time_s);
  const std::set<std::string> still = read_still_loops(results, scene.time_s);
  for (SceneBox& shown : scene.boxes) {
    const twin::LayoutBox& box = shown.box;
    const bool is_pipe = box.kind == "supply_pipe" || box.kind == "return_pipe";
    if (is_pipe && still.contains(box.parent)) {
      shown.scale = ScaleOf::coolant;
      shown.is_still = true;
      continue;
    }
    if (box.kind == "supply_pipe") give(shown, supply, box.parent, ScaleOf::coolant);
    if (box.kind == "return_pipe") give(shown, back, box.parent, ScaleOf::coolant);
    if (box.kind == "room") give(shown, rooms.values, box.name, rooms.scale);
    const auto kind = std::ranges::find(cells, box.kind, &twin::Cells::kind);
    if (kind == cells.end()) continue;
    const auto found = groups.find(kind->group);
    if (found == groups.end()) continue;
    shown.scale = found->second.scale;
    shown.is_still = found->second.still.contains(box.name);
    if (!shown.is_still) give(shown, found->second.values, box.name, found->second.scale);
  }
  for (const std::string& loop :
       results.has_table("loops") ? results.table("loops").items : std::vector<std::string>{}) {
    LoopNow now{.name = loop, .is_still = still.contains(loop)};
    if (supply.contains(loop)) now.supply_c = supply.at(loop);
    if (back.contains(loop)) now.return_c = back.at(loop);
    scene.loops.push_back(now);
  }
  set_scales(scene);
}

}  // namespace wattloop::viz
