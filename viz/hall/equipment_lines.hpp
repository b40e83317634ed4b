// What serves the hall, a line for each kind: what it is called, each as a small square, values in words, what is wrong with it.
#pragma once

#include <string>
#include <vector>

#include "viz/hall/scene.hpp"

namespace wattloop::viz {

struct EquipmentLine {
  std::string name;                    ///< "tower 1 to 8"
  std::vector<const SceneBox*> boxes;  ///< of the scene
  std::string values;                  ///< "24.1 to 24.3 °C"; of loops "32.0 out, 44.6 °C back"
  std::string state;                   ///< "2 stand", "1 failed"; empty where nothing is to be said
  bool is_wrong = false;
};

/// Loops first, those that are wrong before others, then CDUs, power, cooling. At most `most_loops` lines for loops: then those
/// of which all is well are reported together.
std::vector<EquipmentLine> equipment_lines(const Scene& scene, std::size_t most_loops = 4);

/// In two columns where there are more than `size` lets stand in one.
double height_of(const std::vector<EquipmentLine>& lines, double size);
void draw_equipment_lines(Drawing& drawing, const Scene& scene, const std::vector<EquipmentLine>& lines,
                          const Rectangle& area, double size);

}  // namespace wattloop::viz
