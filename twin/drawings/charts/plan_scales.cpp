// Colours of plans by temperature, margin and difference, and the scales below plans.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "twin/drawings/charts/hall_plan.hpp"

namespace wattloop::twin {

namespace {

constexpr double zero_celsius_k = 273.15, low_c = 30.0, high_c = 95.0;

constexpr double most_difference_k = 20.0;
constexpr double least_margin_k = -10.0, most_margin_k = 30.0;

/// Colour at a share of the way along stops at equal distances; outside 0 to 1 that of the nearer end.
template <std::size_t count>
std::string colour_between(std::span<const std::array<double, 3>, count> stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(std::lerp(stops[k][c], stops[k + 1][c], place - static_cast<double>(k))));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace

std::string heat_colour(double temperature_k) {
  static constexpr std::array<std::array<double, 3>, 8> stops{{{70, 3, 159},
                                                               {114, 1, 168},
                                                               {156, 23, 158},
                                                               {189, 55, 134},
                                                               {216, 87, 107},
                                                               {237, 121, 83},
                                                               {251, 159, 58},
                                                               {253, 202, 38}}};  // plasma of [vanderwalt2015]
  if (!std::isfinite(temperature_k)) return "#bbbbbb";
  return colour_between(std::span(stops), (temperature_k - zero_celsius_k - low_c) / (high_c - low_c));
}

std::string margin_colour(double margin_k) {
  static constexpr std::array<std::array<double, 3>, 9> stops{{{180, 4, 38},
                                                               {222, 96, 77},
                                                               {244, 154, 123},
                                                               {245, 196, 173},
                                                               {221, 221, 221},
                                                               {184, 208, 249},
                                                               {141, 176, 254},
                                                               {98, 130, 234},
                                                               {59, 76, 192}}};  // warm to cool of [moreland2009]
  if (!std::isfinite(margin_k)) return "#bbbbbb";
  return colour_between(std::span(stops), (margin_k - least_margin_k) / (most_margin_k - least_margin_k));
}

std::string quiet_colour(double margin_k, const std::array<double, 2>& ends_k) {
  if (!std::isfinite(margin_k)) return "#bbbbbb";
  const double share = (margin_k - ends_k[0]) / (ends_k[1] - ends_k[0]);
  constexpr double grey_k = 10.0;  // from there to the end of the scale of margins
  return margin_colour(std::lerp(grey_k, most_margin_k, std::clamp(share, 0.0, 1.0)));
}

std::string margin_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40' role='img' aria-label='Colours from -10 to 30 K'>\n";
  for (int step = 0; step < 40; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       margin_colour(step + 0.5 + least_margin_k));
  for (const int k : {-10, 0, 10, 20, 30})
    svg += fmt::format(
        "<path d='M{0} 0V20' stroke='#000' stroke-width='{2}'/><text x='{0}' y='34' text-anchor='middle'>{1}</text>\n",
        20 + (k + 10) * 16, k == 0 ? "0: limit" : fmt::format("{:+d} K", k), k == 0 ? 3 : 1);
  return svg + "</svg>\n";
}

std::string quiet_scale(const std::array<double, 2>& ends_k) {
  constexpr int steps = 40;
  std::string svg =
      fmt::format("<svg class='scale' viewBox='0 0 700 40' role='img' aria-label='Colours from {:g} to {:g} K'>\n",
                  ends_k[0], ends_k[1]);
  for (int step = 0; step < steps; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       quiet_colour(std::lerp(ends_k[0], ends_k[1], (step + 0.5) / steps), ends_k));
  for (const int part : {0, 1, 2})
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='middle'>{1:+g} K</text>\n",
                       20 + part * 320, std::lerp(ends_k[0], ends_k[1], 0.5 * part));
  return svg + "</svg>\n";
}

std::string difference_colour(double difference_k) {
  static constexpr std::array<std::array<double, 3>, 5> stops{{{59, 76, 192},
                                                               {141, 176, 254},
                                                               {221, 221, 221},
                                                               {244, 154, 123},
                                                               {180, 4, 38}}};  // cool to warm of [moreland2009]
  if (!std::isfinite(difference_k)) return "#eeeeee";
  return colour_between(std::span(stops), (difference_k + most_difference_k) / (2.0 * most_difference_k));
}

std::string difference_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40'>\n";
  for (int step = 0; step < 40; ++step)
    svg += fmt::format("<rect x='{}' y='0' width='16.5' height='16' fill='{}'/>\n", 20 + step * 16,
                       difference_colour(step + 0.5 - most_difference_k));
  for (const int k : {-20, -10, 0, 10, 20})
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='middle'>{1:+d}</text>\n",
                       20 + (k + 20) * 16, k);
  return svg + "</svg>\n";
}

std::string heat_scale() {
  std::string svg = "<svg class='scale' viewBox='0 0 700 40'>\n";
  for (int c = 30; c < 95; ++c) {
    svg += fmt::format("<rect x='{}' y='0' width='10.5' height='16' fill='{}'/>\n", 20 + (c - 30) * 10,
                       heat_colour(c + 0.5 + zero_celsius_k));
  }
  for (const int c : {30, 50, 70, 87, 89, 95}) {
    const int x = 20 + (c - 30) * 10;
    const char* anchor = c == 87 ? "end" : c == 89 ? "start" : "middle";
    svg += fmt::format("<path d='M{0} 0V20' stroke='#000'/><text x='{0}' y='34' text-anchor='{2}'>{1}</text>\n", x, c,
                       anchor);
  }
  return svg + "</svg>\n";
}

}  // namespace wattloop::twin
