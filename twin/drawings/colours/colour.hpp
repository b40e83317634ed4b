// A colour, as numbers and as pages write it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wattloop::twin {

struct Colour {
  unsigned char red = 0, green = 0, blue = 0, opacity = 255;
  bool operator==(const Colour&) const = default;
};

/// Of "#0072b2".
constexpr Colour colour_of(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned char>(16 * digit(hex[at]) + digit(hex[at + 1]));
  };
  return {byte(1), byte(3), byte(5)};
}

/// "#0072b2", without the opacity.
std::string hex_of(const Colour& colour);

/// "#000" or "#fff": what has the larger contrast to a ground (WCAG 2.1).
std::string_view page_ink_on(const Colour& ground);

}  // namespace wattloop::twin
