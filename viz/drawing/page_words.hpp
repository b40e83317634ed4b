// Words as pages write them: in lines of a width, with the sign for degrees.
#pragma once

#include <string>
#include <vector>

#include "twin/drawings/names/fitted_text.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// "32.0 °C" of "32.0 degC".
std::string with_degrees(std::string text);

using twin::wrapped;

/// The text, smaller where it is wider than `width`, at last cut; no smaller than that share of its size.
Text fitted(Text text, double width, double smallest_share = 0.7);

/// What is said of the last items of a list where all would be too long.
enum class Rest { counted, left_out };

/// Items one after the other, the most important first, as many as fit; smaller and cut as above.
Text fitted_list(const std::vector<std::string>& items, Text text, double width, Rest rest);

}  // namespace wattloop::viz
