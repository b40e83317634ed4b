#include "twin/drawings/colours/colour_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

// Plasma at 1/9, 2/9 ... 8/9.
constexpr std::array plasma{
    Colour{70, 3, 159},   Colour{114, 1, 168},  Colour{156, 23, 158}, Colour{189, 55, 134},
    Colour{216, 87, 107}, Colour{237, 121, 83}, Colour{251, 159, 58}, Colour{253, 202, 38},
};

// Viridis at 1/9, 2/9 ... 8/9.
constexpr std::array viridis{
    Colour{72, 40, 120},  Colour{62, 74, 137},  Colour{49, 104, 142}, Colour{38, 130, 142},
    Colour{31, 158, 137}, Colour{53, 183, 121}, Colour{109, 205, 89}, Colour{180, 222, 44},
};

constexpr std::array cool_to_warm{
    Colour{59, 76, 192},   Colour{98, 130, 234},  Colour{141, 176, 254}, Colour{184, 208, 249}, Colour{221, 221, 221},
    Colour{245, 196, 173}, Colour{244, 154, 123}, Colour{222, 96, 77},   Colour{180, 4, 38},
};

constexpr std::array warm_to_cool = [] {
  std::array anchors = cool_to_warm;
  std::ranges::reverse(anchors);
  return anchors;
}();

constexpr Colour unknown{190, 196, 202};

unsigned char between(unsigned char low, unsigned char high, double fraction) {
  return static_cast<unsigned char>(std::lround(low + (high - low) * fraction));
}

}  // namespace

namespace colour_maps {
const ColourMap heat{"heat", plasma};
const ColourMap coolant{"coolant", cool_to_warm};
const ColourMap margin{"margin", warm_to_cool};
const ColourMap quiet{"quiet", std::span(warm_to_cool).subspan(warm_to_cool.size() / 2)};
const ColourMap load{"load", viridis};
}  // namespace colour_maps

std::string hex_of(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string_view page_ink_on(const Colour& ground) {
  const auto linear = [](unsigned char part) {
    const double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  const double luminance = 0.2126 * linear(ground.red) + 0.7152 * linear(ground.green) + 0.0722 * linear(ground.blue);
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

Colour ColourMap::at(double fraction) const {
  if (!std::isfinite(fraction)) return unknown;
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(anchors.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  const Colour &low = anchors[below], &high = anchors[below + 1];
  const double part = place - static_cast<double>(below);
  return {between(low.red, high.red, part), between(low.green, high.green, part), between(low.blue, high.blue, part)};
}

}  // namespace wattloop::twin
