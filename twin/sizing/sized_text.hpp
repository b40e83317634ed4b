// A sized hall as a scenario in YAML: where each number comes from stands beside it.
#pragma once

#include <string>

#include "twin/sizing/hall_sizes.hpp"

namespace wattloop::twin {

/// `file`: how the commands at the end of the text call it. `one_line`: power as drawn (twin/sizing/one_line_text.hpp), instead of blocks.
std::string sized_text(const HallSizes& hall, const std::string& file, const std::string& one_line = {});

/// "26 kg/s", "1.31 MW" for comments.
std::string watts(double value_w);

/// "12,800" in groups of three.
std::string grouped(int value);

}  // namespace wattloop::twin
