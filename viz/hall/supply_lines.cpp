#include "viz/hall/supply_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "viz/hall/scene.hpp"

namespace wattloop::viz {
namespace {

constexpr double busway_m = 0.16, busway_pitch_m = 0.22;    // seen from above
constexpr double above_racks_m = 0.14;                      // its middle
constexpr double beyond_front_m = 0.11;                     // where the first hangs, before the fronts of racks
constexpr double widest_share = 2.2, thinnest_share = 0.3;  // of the width that the layout gives a pipe

using Takers = std::multimap<std::string, std::string>;

/// Names of racks that hang on each PDU, through buses.
std::map<std::string, std::vector<std::string>> racks_on_pdus(const twin::Topology& topology) {
  std::map<std::string, std::string> kinds;
  for (const twin::TopologyPart& part : topology.parts) kinds[part.name] = part.kind;
  Takers takers;
  for (const twin::TopologyConnection& one : topology.connections)
    if (one.medium == "electricity") takers.emplace(one.from, one.to);
  std::map<std::string, std::vector<std::string>> racks;
  for (const twin::TopologyPart& part : topology.parts) {
    if (part.kind != "PDU") continue;
    std::vector<std::string> open{part.name};
    std::set<std::string> seen;
    while (!open.empty()) {
      const auto [first, last] = takers.equal_range(open.back());
      open.pop_back();
      for (auto taker = first; taker != last; ++taker) {
        if (!seen.insert(taker->second).second) continue;
        const std::string& kind = kinds[taker->second];
        if (kind == "bus") open.push_back(taker->second);
        if (kind == "rack") racks[part.name].push_back(taker->second);
      }
    }
  }
  return racks;
}

/// Part of a busway, over racks that stand beside each other and hang on one PDU.
struct Segment {
  double low_m = 0.0, high_m = 0.0;
};

struct Lane {
  std::string side;  ///< of the power supply, whose section came first
  double end_m;      ///< up to which it is taken
};

/// A row of racks: what a busway must pass, and on which side its fronts are.
struct Row {
  double y_m = 0.0, depth_m = 0.0, top_m = 0.0;
  double front = -1.0;        ///< which way along y
  std::vector<Lane> lanes{};  ///< one for each side of the power supply, or as few as sections of many blocks need

  /// Takes sections in the order of where they begin.
  std::size_t lane_of(const std::string& side, const Segment& along) {
    constexpr double touching_m = 0.01;
    const auto is_free = [&](const Lane& lane) { return lane.end_m < along.low_m + touching_m; };
    auto found = std::ranges::find_if(lanes, [&](const Lane& lane) { return lane.side == side && is_free(lane); });
    if (found == lanes.end()) found = std::ranges::find_if(lanes, is_free);
    if (found == lanes.end()) found = lanes.insert(lanes.end(), {side, 0.0});
    found->end_m = along.high_m;
    return std::size_t(found - lanes.begin());
  }
};

std::string row_of(const std::string& rack) { return rack.substr(0, rack.find('.')); }

/// Doors hang at the backs of racks, and pipes rise there.
std::map<std::string, Row> rows_of(const Scene& scene, const std::map<std::string, const SceneBox*>& racks) {
  std::map<std::string, Row> rows;
  for (const auto& [name, shown] : racks) {
    const twin::LayoutBox& box = shown->box;
    Row& row = rows[row_of(name)];
    row.y_m = box.centre_m[1];
    row.depth_m = box.size_m[1];
    row.top_m = box.centre_m[2] + box.size_m[2] / 2;
  }
  for (auto& [name, row] : rows) {
    const auto behind = std::ranges::find_if(scene.boxes, [&, y_m = row.y_m, reach_m = row.depth_m](const auto& shown) {
      const std::string& kind = shown.box.kind;
      return (kind == "rear_door" || kind == "supply_pipe") && std::abs(shown.box.centre_m[1] - y_m) < reach_m;
    });
    if (behind != scene.boxes.end()) row.front = behind->box.centre_m[1] > row.y_m ? -1.0 : 1.0;
  }
  return rows;
}

/// Racks of a row by where they stand, those beside each other together.
std::vector<Segment> sections_of(std::vector<const SceneBox*> racks) {
  constexpr double beside_m = 0.05;
  std::ranges::sort(racks, {}, [](const SceneBox* rack) { return rack->box.centre_m[0]; });
  std::vector<Segment> sections;
  for (const SceneBox* rack : racks) {
    const double low_m = rack->box.centre_m[0] - rack->box.size_m[0] / 2, high_m = low_m + rack->box.size_m[0];
    if (!sections.empty() && low_m - sections.back().high_m < beside_m)
      sections.back().high_m = high_m;
    else
      sections.push_back({low_m, high_m});
  }
  return sections;
}

SceneBox busway(const SceneBox& pdu, Row& row, const Segment& along, std::size_t number) {
  SceneBox bar;
  bar.value = pdu.value;
  bar.scale = pdu.scale;
  bar.box = {pdu.box.name + ".busway_" + std::to_string(number), "busway", pdu.box.name, {}, {}};
  const double lane_m = busway_pitch_m * double(row.lane_of(pdu.box.parent, along));
  const double from_middle_m = row.depth_m / 2 + beyond_front_m + lane_m;
  bar.box.centre_m = {(along.low_m + along.high_m) / 2, row.y_m + row.front * from_middle_m, row.top_m + above_racks_m};
  bar.box.size_m = {along.high_m - along.low_m, busway_m, busway_m};
  return bar;
}

/// Racks of a PDU in a row that stand beside each other.
struct Fed {
  const SceneBox* pdu;
  std::string row;
  Segment along;
  std::size_t number;  ///< among those of its PDU
};

bool is_pipe(const SceneBox& shown) { return shown.box.kind == "supply_pipe" || shown.box.kind == "return_pipe"; }

}  // namespace

void add_busways(Scene& scene, const twin::Topology& topology) {
  const auto fed = racks_on_pdus(topology);
  std::map<std::string, const SceneBox*> racks;
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.kind == "rack") racks[shown.box.name] = &shown;
  std::vector<Fed> all;
  for (const SceneBox& pdu : scene.boxes) {
    const auto on_it = fed.find(pdu.box.name);
    if (pdu.box.kind != "pdu" || on_it == fed.end()) continue;
    std::map<std::string, std::vector<const SceneBox*>> by_row;
    for (const std::string& rack : on_it->second)
      if (const auto found = racks.find(rack); found != racks.end()) by_row[row_of(rack)].push_back(found->second);
    std::size_t number = 0;
    for (const auto& [name, in_row] : by_row)
      for (const Segment& along : sections_of(in_row)) all.push_back({&pdu, name, along, ++number});
  }
  std::ranges::stable_sort(all, {}, [](const Fed& one) { return one.along.low_m; });
  std::map<std::string, Row> rows = rows_of(scene, racks);
  std::vector<SceneBox> bars;
  for (const Fed& one : all) bars.push_back(busway(*one.pdu, rows[one.row], one.along, one.number));
  scene.boxes.insert(scene.boxes.end(), bars.begin(), bars.end());
}

void widen_pipes(Scene& scene, const twin::ResultsReader& results) {
  const std::vector<float> now = values_at(results, "loops", "flow", scene.time_s);
  if (now.empty()) return;
  const std::vector<float> start = results.frame("loops", "flow", 0);
  const double most = *std::ranges::max_element(start), widest = scene.is_detailed ? 1.0 : widest_share;
  if (!(most > 0.0)) return;
  std::map<std::string, double> share;
  const std::vector<std::string> loops = results.table("loops").items;
  for (std::size_t loop = 0; loop < std::min(loops.size(), now.size()); ++loop)
    share[loops[loop]] = std::max(widest * std::sqrt(std::clamp(double(now[loop]) / most, 0.0, 1.5)), thinnest_share);
  for (SceneBox& shown : scene.boxes) {
    if (!is_pipe(shown) || !share.contains(shown.box.parent)) continue;
    auto& size_m = shown.box.size_m;
    const std::size_t along = std::size_t(std::ranges::max_element(size_m) - size_m.begin());
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (axis != along) size_m[axis] *= share[shown.box.parent];
  }
}

}  // namespace wattloop::viz
