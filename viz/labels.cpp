#include "viz/labels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace wattloop::viz {
namespace {

constexpr std::size_t most_row_labels = 16;

/// "row_1.rack_1.node_3.gpu_5" as people say it: "node 3, GPU 5" without its first `skip` parts.
std::string spoken(const std::string& name, std::size_t skip) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t part = 0; begin <= name.size(); ++part) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (part >= skip) text += (text.empty() ? "" : ", ") + name.substr(begin, end - begin);
    begin = end + 1;
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"gpu", "GPU"}, {"cdu", "CDU"}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, 3, to);
  return text;
}

std::string highest_text(const Scene& scene, double value) {
  const bool is_temperature = scene.part_unit == "°C";
  return fmt::format("{}, {:.{}f} {}", is_temperature ? "hottest" : "highest", value,
                     scene.part_unit == "W" ? 0 : 1, scene.part_unit);
}

/// A pipe of its kind that is long and well seen: the first along the row.
const SceneBox* header(const Scene& scene, std::string_view kind) {
  const SceneBox* best = nullptr;
  for (const SceneBox& shown : scene.boxes)
    if (shown.box.kind == kind && (best == nullptr || shown.box.size_m[0] > best->box.size_m[0]))
      best = &shown;
  return best;
}

void add_pipe_labels(std::vector<Label>& labels, const Scene& scene) {
  for (const auto& [kind, name, share] : {std::tuple("supply_pipe", "coolant supply", -0.30),
                                          std::tuple("return_pipe", "coolant return", -0.05)}) {
    const SceneBox* pipe = header(scene, kind);
    if (pipe == nullptr) continue;
    Metres at_m = pipe->box.centre_m;
    at_m[0] += share * pipe->box.size_m[0];
    labels.push_back({at_m, at_m, name, pipe->has_value() ? fmt::format("{:.1f} °C", pipe->value) : ""});
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
    const std::string name = box.kind == "rear_door" ? "rear door" : spoken(box.name, 0);
    labels.push_back({corner_m(box, box.kind == "rear_door" ? 7 : 5), corner_m(box, 4), name, ""});
  }
  add_pipe_labels(labels, scene);
  return labels;
}

std::vector<Label> row_labels(const Scene& scene) {
  std::map<std::string, const SceneBox*> ends;  // by row, the last rack
  std::vector<std::string> rows;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack") continue;
    const std::string row = shown.box.name.substr(0, shown.box.name.find('.'));
    if (!ends.contains(row)) rows.push_back(row);
    ends[row] = &shown;
  }
  const std::size_t step = (rows.size() + most_row_labels - 1) / most_row_labels;
  std::vector<Label> labels;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(step, 1))
    labels.push_back(
        {corner_m(ends[rows[i]]->box, 5), corner_m(ends[rows[i]]->box, 5), spoken(rows[i], 0), ""});
  return labels;
}

struct Placed {
  Point anchor;
  double y = 0.0;  // of the first line
  const Label* label = nullptr;
};

/// Room that a label needs downwards from the middle of its first line.
double depth(const Placed& placed, double size) { return (placed.label->detail.empty() ? 1.7 : 3.1) * size; }

/// Moves labels apart so that none overlap, keeping their order and staying between the ends.
void spread(std::vector<Placed>& column, const Rectangle& area, double size) {
  for (Placed& placed : column) placed.y = placed.label->is_at_top ? area.top() : placed.anchor.y;
  std::stable_sort(column.begin(), column.end(), [](const Placed& a, const Placed& b) { return a.y > b.y; });
  double ceiling = area.top() - size;
  for (Placed& placed : column) {
    placed.y = std::min(placed.y, ceiling);
    ceiling = placed.y - depth(placed, size);
  }
  double floor = area.bottom;
  for (auto placed = column.rbegin(); placed != column.rend(); ++placed) {
    placed->y = std::max(placed->y, floor + depth(*placed, size));
    floor = placed->y;
  }
}

void draw_column(Drawing& drawing, const std::vector<Placed>& column, double x, Align align, double size) {
  for (const Placed& placed : column) {
    const double toward_hall = align == Align::left ? -1.0 : 1.0;
    const double end_x = x + toward_hall * 0.5 * size;
    const double elbow_x = end_x + toward_hall * 1.2 * size;
    const Label& label = *placed.label;
    drawing.add(Stroke{{placed.anchor, {elbow_x, placed.y}, {end_x, placed.y}}, ink::event, 1.0});
    const Rectangle dot{placed.anchor.x - 2.5, placed.anchor.y - 2.5, 5, 5};
    drawing.add(filled(dot, ink::text));
    drawing.add(Text{label.name, {x, placed.y}, size, ink::text, align, label.is_strong});
    if (!label.detail.empty())
      drawing.add(Text{label.detail, {x, placed.y - 1.35 * size}, size, ink::quiet, align, label.is_strong});
  }
}

}  // namespace

std::vector<Label> hall_labels(const Scene& scene) {
  std::vector<Label> labels = scene.is_detailed ? detailed_labels(scene) : row_labels(scene);
  if (scene.highest) {
    const SceneBox& highest = scene.boxes[*scene.highest];
    Metres at_m = highest.box.centre_m;
    at_m[2] += highest.box.size_m[2] / 2;
    labels.push_back({at_m, at_m, spoken(highest.box.name, scene.is_detailed ? 2 : 0),
                      highest_text(scene, highest.value), true, !scene.is_detailed});
  }
  return labels;
}

void draw_labels(Drawing& drawing, std::vector<Label> labels, const Camera& camera, const Rectangle& area,
                 double size) {
  std::vector<Placed> left, right;
  for (const Label& label : labels) {
    const Point from_left = camera.project(label.at_from_left_m), from_right = camera.project(label.at_m);
    const bool is_left = from_left.x + from_right.x < 2 * area.middle_x();
    (is_left ? left : right).push_back({is_left ? from_left : from_right, 0.0, &label});
  }
  spread(left, area, size);
  spread(right, area, size);
  const auto widest = [&](const std::vector<Placed>& column) {
    double width = 0.0;
    for (const Placed& placed : column)
      for (const std::string& line : {placed.label->name, placed.label->detail})
        width = std::max(width, text_width({line, {}, size, {}, Align::left, placed.label->is_strong}));
    return width;
  };
  draw_column(drawing, left, area.left + widest(left), Align::right, size);
  draw_column(drawing, right, area.right() - widest(right), Align::left, size);
}

}  // namespace wattloop::viz
