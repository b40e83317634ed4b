#include "viz/hall/labels.hpp"

#include <algorithm>

namespace wattloop::viz {
namespace {

struct Placed {
  Point anchor;
  double y = 0.0;  // of the first line
  const Label* label = nullptr;
};

struct Columns {
  std::vector<Placed> left, right;
};

/// Each label goes to the side of the hall where its part stands.
Columns columns_of(const std::vector<Label>& labels, const Camera& camera) {
  Columns columns;
  for (const Label& label : labels) {
    const Point from_left = camera.project(label.at_from_left_m), from_right = camera.project(label.at_m);
    const bool is_left = label.side == Side::left ||
                         (label.side == Side::nearest && from_left.x + from_right.x < 2 * camera.area.middle_x());
    (is_left ? columns.left : columns.right).push_back({is_left ? from_left : from_right, 0.0, &label});
  }
  return columns;
}

double widest(const std::vector<Placed>& column, double size) {
  double width = 0.0;
  for (const Placed& placed : column)
    for (const std::string& line : {placed.label->name, placed.label->detail})
      width = std::max(width, text_width({line, {}, size, {}, Align::left, placed.label->is_strong}));
  return width;
}

/// Room that a label needs downwards from the middle of its first line.
double depth(const Placed& placed, double size) { return (placed.label->detail.empty() ? 1.7 : 3.1) * size; }

/// Moves labels apart so that none overlap, keeping their order and staying between the ends.
void spread(std::vector<Placed>& column, const Rectangle& area, double size) {
  for (Placed& placed : column) placed.y = placed.anchor.y;
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

Rectangle room_between_labels(const std::vector<Label>& labels, const Camera& camera, const Rectangle& area,
                              double size) {
  const Columns columns = columns_of(labels, camera);
  const double leaders = 3.0 * size;
  const double left = columns.left.empty() ? 0.0 : widest(columns.left, size) + leaders;
  const double right = columns.right.empty() ? 0.0 : widest(columns.right, size) + leaders;
  return {area.left + left, area.bottom, area.width - left - right, area.height};
}

void draw_labels(Drawing& drawing, const std::vector<Label>& labels, const Camera& camera, const Rectangle& area,
                 double size) {
  Columns columns = columns_of(labels, camera);
  spread(columns.left, area, size);
  spread(columns.right, area, size);
  draw_column(drawing, columns.left, area.left + widest(columns.left, size), Align::right, size);
  draw_column(drawing, columns.right, area.right() - widest(columns.right, size), Align::left, size);
}

}  // namespace wattloop::viz
