// Words as pages write them: in lines of a width, with the sign for degrees.
#pragma once

#include <string>
#include <vector>

namespace wattloop::viz {

/// "32.0 °C" of "32.0 degC".
std::string with_degrees(std::string text);

/// Words on at most `most_lines` lines of at most `width` pixels in letters of `size`; what does not fit the last of them is cut.
std::vector<std::string> wrapped(const std::string& text, double width, double size, std::size_t most_lines);

}  // namespace wattloop::viz
