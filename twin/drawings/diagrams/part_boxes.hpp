// Boxes of parts and groups of parts, with what results say of them at one instant: what the one-line diagram and the cooling schematic share.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/box_lines.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/drawings/diagrams/part_figures.hpp"
#include "twin/drawings/diagrams/part_groups.hpp"
#include "twin/results/reader/equipment_faults.hpp"

namespace wattloop::twin {

/// A state of motors and switches.
inline constexpr double failed_state = 2.0;

/// As many boxes as can be read, or as few as there can be; buses are not counted. `coarse`: what boxes must have in common then.
PartGroups few_groups(const Topology& topology, Grouping grouping, SameEnds coarse);

class PartBoxes {
 public:
  PartBoxes(const ResultsReader& results, double time_s)
      : results_(results), figures_(results, time_s), faults_(equipment_faults_at(results, time_s)) {}

  /// With the name, or the number and kind of several.
  static DiagramBox titled_box(const PartGroup& group);

  /// Adds a line for each of these columns that is recorded.
  template <std::size_t count>
  void report(const PartGroup& group, const std::array<BoxLine, count>& requested, DiagramBox& box) {
    for (const BoxLine& line : requested) report_line(group, line, box);
  }

  void report_failures(const PartGroup& group, DiagramBox& box);

  /// Are GPUs of its racks down?
  bool report_down(const PartGroup& group, DiagramBox& box);

  /// Racks to which no coolant comes by design: their flow is recorded, and nothing else of it.
  bool is_dry(const PartGroup& group);

  std::size_t failed_in(const std::vector<std::string>& names);

  PartFigures& figures() { return figures_; }

 private:
  void report_line(const PartGroup& group, const BoxLine& line, DiagramBox& box);
  std::vector<double> cops(const std::vector<std::string>& names);
  void report_faults(const PartGroup& group, DiagramBox& box) const;

  const ResultsReader& results_;
  PartFigures figures_;
  std::vector<EquipmentFault> faults_;
};

}  // namespace wattloop::twin
