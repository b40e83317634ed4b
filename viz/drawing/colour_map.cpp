#include "viz/drawing/colour_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace wattloop::viz {
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

constexpr std::array warm_to_cool{
    Colour{180, 4, 38},    Colour{222, 96, 77},   Colour{244, 154, 123}, Colour{245, 196, 173}, Colour{221, 221, 221},
    Colour{184, 208, 249}, Colour{141, 176, 254}, Colour{98, 130, 234},  Colour{59, 76, 192},
};

constexpr Colour unknown{190, 196, 202};

unsigned char between(unsigned char low, unsigned char high, double fraction) {
  return static_cast<unsigned char>(std::lround(low + (high - low) * fraction));
}

double round_step(double width, int count) {
  const double rough = width / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10.0 * power;
}

}  // namespace

const ColourMap heat_map{"heat", plasma};
const ColourMap coolant_map{"coolant", cool_to_warm};
const ColourMap margin_map{"margin", warm_to_cool};
const ColourMap quiet_map{"quiet", std::span(warm_to_cool).subspan(warm_to_cool.size() / 2)};
const ColourMap load_map{"load", viridis};

Colour ColourMap::at(double fraction) const {
  if (!std::isfinite(fraction)) return unknown;
  const double place = std::clamp(fraction, 0.0, 1.0) * double(anchors.size() - 1);
  const std::size_t below = std::min(std::size_t(place), anchors.size() - 2);
  const Colour &low = anchors[below], &high = anchors[below + 1];
  const double part = place - double(below);
  return {between(low.red, high.red, part), between(low.green, high.green, part), between(low.blue, high.blue, part)};
}

std::vector<double> round_ticks(double low, double high, int count) {
  if (!(high > low)) return {low};
  const double step = round_step(high - low, count);
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; (first + i) * step <= high + 1e-9 * step; ++i) ticks.push_back((first + i) * step);
  return ticks;
}

std::pair<double, double> round_ends(double low, double high, double least_width) {
  if (high - low < least_width) {
    const double middle = (low + high) / 2;
    low = middle - least_width / 2;
    high = middle + least_width / 2;
  }
  const double step = round_step(high - low, 5);
  constexpr double slack = 1e-3;  // of a step: recorded temperatures are rounded to some 3e-5 K
  return {std::floor(low / step + slack) * step, std::ceil(high / step - slack) * step};
}

std::string tick_text(double value, double step) {
  const int decimals = std::clamp(int(std::ceil(-std::log10(std::max(step, 1e-9)) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0.0 : value, decimals);
}

}  // namespace wattloop::viz
