#include "viz/hall/camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::viz {
namespace {

constexpr double floor_margin_m = 0.3;

double dot(const Metres& a, const Metres& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Metres cross(const Metres& a, const Metres& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Metres normalised(const Metres& v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double middle() const { return (low + high) / 2; }
  double width() const { return high - low; }
};

}  // namespace

Point Camera::project(const Metres& point_m) const {
  const Metres from_focus{point_m[0] - focus_m[0], point_m[1] - focus_m[1], point_m[2] - focus_m[2]};
  return {area.middle_x() + pixels_per_metre * dot(from_focus, right),
          area.middle_y() + pixels_per_metre * dot(from_focus, up)};
}

Metres corner_m(const twin::LayoutBox& box, int corner) {
  Metres point_m = box.centre_m;
  for (int axis = 0; axis < 3; ++axis) point_m[axis] += (corner >> axis & 1 ? 0.5 : -0.5) * box.size_m[axis];
  return point_m;
}

twin::LayoutBox floor_under(std::span<const twin::LayoutBox> boxes) {
  std::array<Extent, 2> along;
  for (const twin::LayoutBox& box : boxes)
    for (const int corner : {0, 3})
      for (std::size_t axis = 0; axis < 2; ++axis) along[axis].include(corner_m(box, corner)[axis]);
  if (boxes.empty()) return {};
  twin::LayoutBox floor{"floor", "floor", "", {}, {}};
  floor.centre_m = {along[0].middle(), along[1].middle(), -0.03};
  floor.size_m = {along[0].width() + 2 * floor_margin_m, along[1].width() + 2 * floor_margin_m, 0.05};
  return floor;
}

Camera fit_camera(std::span<const twin::LayoutBox> boxes, Metres towards_viewer, const Rectangle& area, Point margin) {
  Camera camera{.towards_viewer = normalised(towards_viewer), .area = area};
  camera.right = normalised(cross({0, 0, 1}, camera.towards_viewer));
  camera.up = cross(camera.towards_viewer, camera.right);
  Extent along_right, along_up, along_view;
  for (const twin::LayoutBox& box : boxes) {
    for (int corner = 0; corner < 8; ++corner) {
      const Metres point_m = corner_m(box, corner);
      along_right.include(dot(point_m, camera.right));
      along_up.include(dot(point_m, camera.up));
      along_view.include(dot(point_m, camera.towards_viewer));
    }
  }
  if (boxes.empty()) return camera;
  for (std::size_t axis = 0; axis < 3; ++axis)
    camera.focus_m[axis] = along_right.middle() * camera.right[axis] + along_up.middle() * camera.up[axis] +
                           along_view.middle() * camera.towards_viewer[axis];
  camera.pixels_per_metre =
      std::min((area.width - 2 * margin.x) / along_right.width(), (area.height - 2 * margin.y) / along_up.width());
  return camera;
}

}  // namespace wattloop::viz
