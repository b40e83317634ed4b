// What is written on a piece of equipment in a plan of the hall, where the plan has room.
#pragma once

#include <string>
#include <string_view>

namespace wattloop::twin {

/// "S3" of "storage_rack_3", "3" of "cdu_3", "CRAH 3", "UPS a"; empty for what has no label: racks of GPUs and of switches, doors, pipes.
std::string plan_label(std::string_view kind, std::string_view name);

/// Place of a label of `letters` widths of a letter in a box: along the longer side of boxes that are narrow.
struct LabelPlace {
  double size = 0.0;  ///< height of letters; 0: no room
  bool is_upright = false;
};

/// The larger of across and upright, at most `most`, and nothing below `least`; all in the same unit.
LabelPlace label_place(std::string_view label, double width, double height, double least, double most);

}  // namespace wattloop::twin
