// The field's symbols for equipment of a one-line diagram (IEC 60617): two circles for a transformer, an open contact with a cross at the fixed one for
// a circuit breaker, a rectangle with a line through it for a fuse, a letter in a circle for a machine, a square with a diagonal for a UPS, thyristors
// for its static bypass, a blade between two contacts for a transfer switch.
#pragma once

#include <string>
#include <string_view>

namespace wattloop::twin {

inline constexpr double symbol_size = 18;  ///< pixels

/// SVG with its middle there. Empty for kinds without a symbol.
std::string symbol_svg(std::string_view kind, double x, double y);

}  // namespace wattloop::twin
