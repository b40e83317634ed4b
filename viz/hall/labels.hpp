// Labels of the hall: which parts are named and what is said of them, and where on the page the names stand.
#pragma once

#include "viz/hall/camera.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// The column that a label stands in: that on the side of the hall where its part is, or one that is given.
enum class Side { nearest, left, right };

/// A part of the hall and what is written about it, in one or two lines.
struct Label {
  Metres at_m{};            ///< where a leader from the right ends
  Metres at_from_left_m{};  ///< where one from the left ends
  std::string name, detail;
  bool is_strong = false;
  Side side = Side::nearest;
};

/// In a detailed picture racks, CDUs, pipes, doors and the hottest GPU; else rows with their highest value,
/// loops with their temperatures, the equipment around, and the hottest rack.
std::vector<Label> hall_labels(const Scene& scene);

/// What two columns of labels leave of `area` between them.
Rectangle room_between_labels(const std::vector<Label>& labels, const Camera& camera, const Rectangle& area,
                              double size);

/// Adds the labels in two columns at the sides of `area`, each joined to its part by a leader; none overlap.
void draw_labels(Drawing& drawing, const std::vector<Label>& labels, const Camera& camera, const Rectangle& area,
                 double size);

/// In a hall drawn by rack: numbers at the feet of the racks of the first row.
void draw_rack_numbers(Drawing& drawing, const Scene& scene, const Camera& camera, double size);

}  // namespace wattloop::viz
