#include "viz/drawing/colour_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace wattloop::viz {
namespace {

double round_step(double width, int count) {
  const double rough = width / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * 0.999) return factor * power;
  return 10.0 * power;
}

}  // namespace

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
