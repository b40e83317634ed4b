// Which parts of the hall are named, and what is said of them.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "twin/drawings/names/display_name.hpp"
#include "twin/results/schema/layout_cells.hpp"
#include "viz/hall/labels.hpp"

namespace wattloop::viz {
namespace {

constexpr std::size_t most_row_labels = 12, most_loop_labels = 8;

std::string value_text(const Scene& scene, double value) {
  return fmt::format("{:.{}f} {}", value, scene.part_decimals, scene.part_unit);
}

/// A pipe of its kind that is long and well seen: the first along the row.
const SceneBox* header(const Scene& scene, std::string_view kind) {
  const SceneBox* best = nullptr;
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.kind == kind && (best == nullptr || shown.box.size_m[0] > best->box.size_m[0])) best = &shown;
  return best;
}

void add_pipe_labels(std::vector<Label>& labels, const Scene& scene) {
  for (const auto& [kind, name, share] :
       {std::tuple("supply_pipe", "coolant supply", -0.30), std::tuple("return_pipe", "coolant return", -0.05)}) {
    const SceneBox* pipe = header(scene, kind);
    if (pipe == nullptr) continue;
    Metres at_m = pipe->box.centre_m;
    at_m[0] += share * pipe->box.size_m[0];
    labels.push_back({at_m, at_m, name,
                      pipe->is_still      ? "no flow"
                      : pipe->has_value() ? fmt::format("{:.1f} °C", pipe->value)
                                          : ""});
  }
}

std::vector<Label> detailed_labels(const Scene& scene) {
  std::vector<Label> labels;
  bool has_door = false;
  for (const SceneBox& shown : scene.boxes) {
    const twin::LayoutBox& box = shown.box;
    const bool is_named = box.kind == "cdu" || box.kind == "rack" || (box.kind == "rear_door" && !has_door);
    if (!is_named) continue;
    has_door = has_door || box.kind == "rear_door";
    const std::string name = box.kind == "rear_door" ? "rear door" : twin::display_name(box.name, 0);
    labels.push_back({corner_m(box, box.kind == "rear_door" ? 7 : 5), corner_m(box, 4), name, ""});
  }
  add_pipe_labels(labels, scene);
  return labels;
}

/// What is said of several components at once.
struct Together {
  const twin::LayoutBox* first = nullptr;  // in the order of the layout
  std::vector<std::string> names{};
  const twin::LayoutBox *leftmost = nullptr, *rightmost = nullptr;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  ScaleOf scale = ScaleOf::parts;

  void include(const SceneBox& shown) {
    const twin::LayoutBox& box = shown.box;
    if (first == nullptr) first = leftmost = rightmost = &box;
    names.push_back(box.name);
    if (box.centre_m[0] < leftmost->centre_m[0]) leftmost = &box;
    if (box.centre_m[0] > rightmost->centre_m[0]) rightmost = &box;
    scale = shown.scale;
    is_still = is_still || shown.is_still;
    if (!shown.has_value()) return;
    low = std::min(low, shown.value);
    high = std::max(high, shown.value);
  }
  bool is_still = false;

  bool has_values() const { return low <= high; }
};

/// In the order of their first components.
using Groups = std::vector<std::pair<std::string, Together>>;

void include(Groups& groups, const std::string& name, const SceneBox& shown) {
  auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == name; });
  if (found == groups.end()) found = groups.insert(groups.end(), {name, {}});
  found->second.include(shown);
}

std::string range_text(const Scene& scene, const Together& group) {
  if (!group.has_values()) return {};
  return scene.range_text(group.scale, group.low, group.high);
}

void add_row_labels(std::vector<Label>& labels, const Scene& scene) {
  Groups rows;
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.kind == "rack") include(rows, shown.box.name.substr(0, shown.box.name.find('.')), shown);
  const std::string hottest = scene.highest ? scene.boxes[*scene.highest].box.name : "";
  const std::string hottest_row = hottest.substr(0, hottest.find('.'));
  const std::size_t step = (rows.size() + most_row_labels - 1) / most_row_labels;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(step, 1)) {
    const Together& row = rows[i].second;
    if (rows[i].first == hottest_row) continue;  // its hottest rack has a label
    const Metres at_m = corner_m(*row.rightmost, 5);
    const std::string highest = !row.has_values()      ? ""
                                : scene.is_least_worst ? ": least " + value_text(scene, row.low)
                                                       : ": max " + value_text(scene, row.high);
    labels.push_back({at_m, at_m, twin::display_name(rows[i].first, 0) + highest, "", false, Side::right});
  }
}

/// Loops by their CDUs, with what flows out and comes back.
void add_loop_labels(std::vector<Label>& labels, const Scene& scene) {
  Groups loops, supply, back;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind == "cdu") include(loops, shown.box.parent, shown);
    if (shown.box.kind == "supply_pipe") include(supply, shown.box.parent, shown);
    if (shown.box.kind == "return_pipe") include(back, shown.box.parent, shown);
  }
  const auto temperature = [](const Groups& groups, const std::string& loop) -> std::optional<double> {
    for (const auto& [name, group] : groups)
      if (name == loop && group.has_values()) return group.high;
    return std::nullopt;
  };
  const std::size_t step = (loops.size() + most_loop_labels - 1) / most_loop_labels;
  for (std::size_t i = 0; i < loops.size(); i += std::max<std::size_t>(step, 1)) {
    const auto& [loop, cdus] = loops[i];
    const Metres at_m = corner_m(*cdus.leftmost, 4);
    const auto out = temperature(supply, loop), in = temperature(back, loop);
    const bool is_still =
        std::ranges::any_of(supply, [&](const auto& each) { return each.first == loop && each.second.is_still; });
    const std::string detail = is_still    ? "no flow"
                               : out && in ? fmt::format("{:.1f} out, {:.1f} °C back", *out, *in)
                                           : "";
    labels.push_back({at_m, at_m, twin::display_name(loop, 0) + ", " + twin::display_names(cdus.names), detail,
                      is_still, Side::left});
  }
}

/// Everything else, the components of a kind together; those of the sides of the power supply indoors each
/// on its own side.
void add_equipment_labels(std::vector<Label>& labels, const Scene& scene) {
  constexpr std::array reported_otherwise{"rack",        "node",        "gpu", "rear_door",
                                          "supply_pipe", "return_pipe", "cdu", "busway"};
  Groups groups;
  for (const SceneBox& shown : scene.boxes) {
    const twin::LayoutBox& box = shown.box;
    if (std::ranges::find(reported_otherwise, box.kind) != reported_otherwise.end()) continue;
    const bool is_beside_rows = box.kind == "pdu" || box.kind == "ups";
    const bool is_by_itself = box.kind == "room";
    include(groups, box.kind + (is_beside_rows ? box.parent : is_by_itself ? box.name : ""), shown);
  }
  for (const auto& [key, group] : groups) {
    const std::string& kind = group.first->kind;
    const bool is_power = kind == "transformer" || kind == "substation" || kind == "generator";
    const Side side = is_power ? Side::left
                      : group.first->parent == twin::yard_parent || kind == "tower" || kind == "chiller"
                          ? Side::right
                          : Side::nearest;
    labels.push_back({corner_m(*group.rightmost, 5), corner_m(*group.leftmost, 4), twin::display_names(group.names),
                      range_text(scene, group), false, side});
  }
}

}  // namespace

std::vector<Label> hall_labels(const Scene& scene) {
  std::vector<Label> labels;
  if (scene.is_detailed) {
    labels = detailed_labels(scene);
  } else {
    add_row_labels(labels, scene);
    add_loop_labels(labels, scene);
    add_equipment_labels(labels, scene);
  }
  if (scene.highest) {
    const SceneBox& highest = scene.boxes[*scene.highest];
    Metres at_m = highest.box.centre_m;
    at_m[2] += highest.box.size_m[2] / 2;
    labels.push_back({at_m, at_m, twin::display_name(highest.box.name, scene.is_detailed ? 2 : 0),
                      scene.extreme_text(highest.value), true, scene.is_detailed ? Side::nearest : Side::right});
  }
  return labels;
}

void draw_rack_numbers(Drawing& drawing, const Scene& scene, const Camera& camera, double size) {
  if (scene.is_detailed) return;
  std::vector<Point> feet;  // of the racks of the first row
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack" || !shown.box.name.starts_with("row_1.")) continue;
    Metres foot_m = corner_m(shown.box, 0);
    foot_m[0] = shown.box.centre_m[0];
    feet.push_back(camera.project(foot_m));
  }
  if (feet.size() < 2) return;
  const double text_size = 0.85 * size;
  const double pitch = std::abs(feet[1].x - feet[0].x);
  std::size_t step = 1;
  for (const std::size_t each : {1, 2, 5, 10, 20, 50}) {
    step = each;
    if (double(each) * pitch > 2.4 * text_size) break;
  }
  for (std::size_t rack = 0; rack < feet.size(); ++rack) {
    const std::size_t number = rack + 1;
    if (number != 1 && number % step != 0) continue;
    if (number == 1 && double(step - 1) * pitch < 2.0 * text_size && step > 1) continue;  // too near the next
    drawing.add(Text{
        fmt::format("{}", number), {feet[rack].x, feet[rack].y - text_size}, text_size, ink::quiet, Align::centre});
  }
}

}  // namespace wattloop::viz
