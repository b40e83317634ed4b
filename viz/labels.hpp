// Labels of the hall: which parts are named and what is said of them, and where on the page the names stand.
#pragma once

#include "viz/camera.hpp"
#include "viz/scene.hpp"

namespace wattloop::viz {

/// A part of the hall and what is written about it, in one or two lines.
struct Label {
  Metres at_m{};            ///< where a leader from the right ends
  Metres at_from_left_m{};  ///< where one from the left ends
  std::string name, detail;
  bool is_strong = false;
  bool is_at_top = false;  ///< above the others instead of beside its part
};

/// In a detailed picture racks, CDUs, pipes, doors and the hottest GPU; else rows and the hottest rack.
std::vector<Label> hall_labels(const Scene& scene);

/// Adds the labels in two columns at the sides of `area`, each joined to its part by a leader; none overlap.
void draw_labels(Drawing& drawing, std::vector<Label> labels, const Camera& camera, const Rectangle& area,
                 double size);

}  // namespace wattloop::viz
