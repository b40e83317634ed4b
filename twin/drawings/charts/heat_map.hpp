// Temperatures of many items over time as one picture: an item is a line of it, time goes to the right.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wattloop::twin {

/// Of items that are off: they are cold, and not well.
inline constexpr std::string_view heat_map_off_colour = "#555555";

/// HTML of a canvas with its data, and a script that paints it and reports what is under the pointer. `temperatures_k` row after
/// row of times x items; of many times the highest of each interval is shown. Colours as `heat_colour`. Empty without data.
/// `is_off`: of the same shape, or empty; an item that is off has a colour of its own instead of its temperature.
/// `start`: local time at which the run begins, for times beyond a day.
std::string heat_map(std::span<const double> times_s, std::span<const std::string> items,
                     std::span<const float> temperatures_k, std::span<const std::uint8_t> is_off = {},
                     std::string_view start = {});

}  // namespace wattloop::twin
