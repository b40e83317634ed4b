// Colours of plans by temperature, margin and difference, and the scales below plans.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/colours/colour_map.hpp"

namespace wattloop::twin {

namespace {

constexpr double zero_celsius_k = 273.15, low_c = 30.0, high_c = 95.0;
constexpr double most_difference_k = 20.0;
constexpr double least_margin_k = -10.0, most_margin_k = 30.0;

/// A number below a scale.
struct Mark {
  double at = 0.0;
  std::string text;
  const char* anchor = "middle";
  int width = 1;  ///< of its line
};

/// No number is cut at the ends of a scale: there numbers stand inside.
const char* anchor_of(double at, double low, double high) {
  return at <= low ? "start" : at >= high ? "end" : "middle";
}

/// What the colour at an end stands for: all that lies beyond it, too.
std::string beyond(double at, double low, double high) { return at <= low ? "&#8804; " : at >= high ? "&#8805; " : ""; }

/// Colours from one end to the other, with marks.
std::string scale_svg(double low, double high, std::string_view unit, const std::function<std::string(double)>& colour,
                      std::span<const Mark> marks) {
  constexpr int steps = 40;
  constexpr double left = 20.0, step_width = 16.0;
  std::string svg =
      fmt::format("<svg class='scale' viewBox='0 0 700 40' role='img' aria-label='Colours from {:g} to {:g} {}'>\n",
                  low, high, unit);
  for (int step = 0; step < steps; ++step)
    svg += fmt::format("<rect x='{:g}' y='0' width='16.5' height='16' fill='{}'/>\n", left + step * step_width,
                       colour(std::lerp(low, high, (step + 0.5) / steps)));
  for (const Mark& mark : marks)
    svg += fmt::format(
        "<path d='M{0:g} 0V20' stroke='#000' stroke-width='{3}'/><text x='{0:g}' y='34' text-anchor='{2}'>{1}</text>\n",
        left + steps * step_width * (mark.at - low) / (high - low), mark.text, mark.anchor, mark.width);
  return svg + "</svg>\n";
}

}  // namespace

std::string heat_colour(double temperature_k) {
  return hex_of(colour_maps::heat.at((temperature_k - zero_celsius_k - low_c) / (high_c - low_c)));
}

std::string margin_colour(double margin_k) {
  return hex_of(colour_maps::margin.at((margin_k - least_margin_k) / (most_margin_k - least_margin_k)));
}

std::string quiet_colour(double margin_k, const std::array<double, 2>& ends_k) {
  return hex_of(colour_maps::quiet.at((margin_k - ends_k[0]) / (ends_k[1] - ends_k[0])));
}

std::string difference_colour(double difference_k) {
  return hex_of(colour_maps::coolant.at((difference_k + most_difference_k) / (2.0 * most_difference_k)));
}

std::string margin_scale() {
  std::vector<Mark> marks;
  for (const int k : {-10, 0, 10, 20, 30})
    marks.push_back({double(k),
                     k == 0 ? "0: limit" : fmt::format("{}{:+d} K", beyond(k, least_margin_k, most_margin_k), k),
                     anchor_of(k, least_margin_k, most_margin_k), k == 0 ? 3 : 1});
  return scale_svg(least_margin_k, most_margin_k, "K", margin_colour, marks);
}

std::string quiet_scale(const std::array<double, 2>& ends_k) {
  std::vector<Mark> marks;
  for (const double part : {0.0, 0.5, 1.0}) {
    const double k = std::lerp(ends_k[0], ends_k[1], part);
    marks.push_back({k, fmt::format("{:+g} K", k), anchor_of(k, ends_k[0], ends_k[1])});
  }
  return scale_svg(
      ends_k[0], ends_k[1], "K", [&](double k) { return quiet_colour(k, ends_k); }, marks);
}

std::string difference_scale() {
  std::vector<Mark> marks;
  for (const int k : {-20, -10, 0, 10, 20})
    marks.push_back({double(k), fmt::format("{}{:+d}", beyond(k, -most_difference_k, most_difference_k), k),
                     anchor_of(k, -most_difference_k, most_difference_k)});
  return scale_svg(-most_difference_k, most_difference_k, "K", difference_colour, marks);
}

std::string heat_scale() {
  std::vector<Mark> marks;
  for (const int c : {30, 50, 70, 87, 89, 95})

    marks.push_back({double(c), fmt::format("{}", c),
                     c == 87   ? "end"
                     : c == 89 ? "start"
                               : anchor_of(c, low_c, high_c)});
  return scale_svg(
      low_c, high_c, "degC", [](double c) { return heat_colour(c + zero_celsius_k); }, marks);
}

}  // namespace wattloop::twin
