// Scales of pictures: colour maps between two ends, with ticks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "twin/drawings/colours/colour_map.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

using twin::ColourMap;
namespace colour_maps = twin::colour_maps;

/// A number's place between two ends, for a legend and for colouring.
struct ColourScale {
  std::string title;  ///< with unit: "die temperature, °C"
  double low = 0.0, high = 1.0;
  const ColourMap* map = &colour_maps::heat;
  std::vector<double> limits{};  ///< marked on the legend

  Colour at(double value) const { return map->at((value - low) / (high - low)); }
};

/// Round numbers from `low` to `high`, both inside, about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

/// Ends of a scale that holds `low` to `high`, on round numbers, at least `least_width` apart.
std::pair<double, double> round_ends(double low, double high, double least_width);

/// A tick as short as its neighbours allow: "25", "0.5".
std::string tick_text(double value, double step);

}  // namespace wattloop::viz
