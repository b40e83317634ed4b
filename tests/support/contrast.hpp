// Contrast of two colours "#rrggbb" or "#rgb", as WCAG 2.1 defines it: 1 to 21.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace wattloop::tests {

inline double relative_luminance(std::string colour) {
  if (colour.size() == 4) colour = {'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]};
  const auto part = [&](std::size_t at) {
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

inline double contrast(const std::string& a, const std::string& b) {
  const double one = relative_luminance(a) + 0.05, other = relative_luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

}  // namespace wattloop::tests
