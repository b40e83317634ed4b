// Temperatures of many items over time as one picture: an item is a line of it, time goes to the right.
#pragma once

#include <span>
#include <string>

namespace wattloop::twin {

/// HTML of a canvas with its data, and a script that paints it and reports what is under the pointer. `temperatures_k` row after
/// row of times x items; of many times the highest of each interval is shown. Colours as `heat_colour`. Empty without data.
std::string heat_map(std::span<const double> times_s, std::span<const std::string> items,
                     std::span<const float> temperatures_k);

}  // namespace wattloop::twin
