// Which part lies under a point: in a plan by its rectangle, in three dimensions by a ray.
#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/window/window_page.hpp"

namespace wattloop::viz {
namespace {

constexpr double reach_pixels = 3.0;  // beside what is thin

bool holds(const Rectangle& r, Point p, double reach) {
  return p.x >= r.left - reach && p.x <= r.right() + reach && p.y >= r.bottom - reach && p.y <= r.top() + reach;
}

bool is_pipe(const twin::LayoutBox& box) { return box.kind == "supply_pipe" || box.kind == "return_pipe"; }

/// Small parts stand before large ones, as they are drawn.
std::optional<std::size_t> in_plan(const Scene& shown, const PlanLayout& plan, Point point) {
  std::optional<std::size_t> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < shown.boxes.size(); ++i) {
    const twin::LayoutBox& box = shown.boxes[i].box;
    if (box.kind == "node" || box.kind == "gpu") continue;
    const Rectangle at = plan.at(box);
    if (!holds(at, point, 0.0)) continue;
    const double size = is_pipe(box) ? 1e9 : at.width * at.height;  // pipes are drawn below all else
    if (size < least) least = size, found = i;
  }
  return found;
}

/// How near to the viewer a ray through the page enters a box; nothing where it misses.
std::optional<double> entry_m(const Metres& from_m, const Metres& towards, const twin::LayoutBox& box, double reach_m) {
  double nearest = std::numeric_limits<double>::infinity(), farthest = -nearest;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double half = box.size_m[axis] / 2 + reach_m, apart = box.centre_m[axis] - from_m[axis];
    if (std::abs(towards[axis]) < 1e-12) {
      if (std::abs(apart) > half) return std::nullopt;
      continue;
    }
    const double a = (apart - half) / towards[axis], b = (apart + half) / towards[axis];
    nearest = std::min(nearest, std::max(a, b));
    farthest = std::max(farthest, std::min(a, b));
  }
  return farthest <= nearest ? std::optional(nearest) : std::nullopt;
}

/// Nodes and racks that are open hide nothing of what is in them: they are found where nothing else is.
int openness(const Scene& shown, const twin::LayoutBox& box) {
  if (!shown.is_detailed) return 0;
  return box.kind == "rack" ? 2 : box.kind == "node" ? 1 : 0;
}

std::optional<std::size_t> in_space(const Scene& shown, const Camera& camera, Point point) {
  const double x = (point.x - camera.area.middle_x()) / camera.pixels_per_metre,
               y = (point.y - camera.area.middle_y()) / camera.pixels_per_metre;
  Metres from_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    from_m[axis] = camera.focus_m[axis] + x * camera.right[axis] + y * camera.up[axis];
  std::optional<std::size_t> found;
  double best_m = 0.0;
  int best_openness = 0;
  for (std::size_t i = 0; i < shown.boxes.size(); ++i) {
    const twin::LayoutBox& box = shown.boxes[i].box;
    const double reach_m = is_pipe(box) ? reach_pixels / camera.pixels_per_metre : 0.0;
    const auto at_m = entry_m(from_m, camera.towards_viewer, box, reach_m);
    if (!at_m) continue;
    const int open = openness(shown, box);
    if (found && (open > best_openness || (open == best_openness && *at_m <= best_m))) continue;
    found = i, best_m = *at_m, best_openness = open;
  }
  return found;
}

}  // namespace

std::optional<std::size_t> box_at(const Scene& shown, const WindowPage& window, Point point) {
  if (!holds(window.hall, point, 0.0)) return std::nullopt;
  if (window.page.plan) return in_plan(shown, *window.page.plan, point);
  if (!window.page.camera || !holds(window.page.camera->area, point, 0.0)) return std::nullopt;
  return in_space(shown, *window.page.camera, point);
}

}  // namespace wattloop::viz
