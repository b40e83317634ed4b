// A parallel projection of the hall onto a part of the page: where a point of the hall appears in pixels.
#pragma once

#include <span>

#include "twin/results/schema/results_schema.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

using Metres = std::array<double, 3>;

/// Looks from `towards_viewer` at `focus_m`, which appears in the middle of `area`; z points up on the page.
struct Camera {
  Metres focus_m{};
  Metres towards_viewer{};  ///< unit vector
  Metres right{}, up{};     ///< unit vectors along the page
  double pixels_per_metre = 1.0;
  Rectangle area;

  Point project(const Metres& point_m) const;
};

/// The camera that shows all boxes as large as possible in the middle of `area`, at least `margin` pixels
/// from its edges, seen from `towards_viewer` (of any length).
Camera fit_camera(std::span<const twin::LayoutBox> boxes, Metres towards_viewer, const Rectangle& area, Point margin);

/// The floor under all boxes, a little wider than what stands on it.
twin::LayoutBox floor_under(std::span<const twin::LayoutBox> boxes);

/// One of the eight corners of a box, by the bits of `corner`: 1 for right, 2 for back, 4 for top.
Metres corner_m(const twin::LayoutBox& box, int corner);

}  // namespace wattloop::viz
