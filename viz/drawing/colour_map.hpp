// Colour maps: a number to a colour, by interpolation between anchors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Anchors at equal distances from the low to the high end.
struct ColourMap {
  std::string_view name;
  std::span<const Colour> anchors;

  /// Colour at `fraction` of the way up; outside 0 to 1 that of the nearer end, grey where it is not a
  /// number.
  Colour at(double fraction) const;
};

/// Perceptually uniform, dark violet over red to yellow, safe for colour-blind readers: "plasma" of
/// [vanderwalt2015] without its darkest and its palest ninth; the latter is hard to see on white paper.
extern const ColourMap heat_map;

/// Diverging, blue for cold over grey to red for warm: "cool to warm" of [moreland2009].
extern const ColourMap coolant_map;

/// Perceptually uniform, dark blue over green to yellow: "viridis" of [vanderwalt2015], for how much of its
/// rated power equipment carries.
extern const ColourMap load_map;

/// Diverging, red where a limit is reached or passed over grey to blue far from it: "cool to warm" of [moreland2009] the other way
/// round; reports have the same (twin/drawings/charts/hall_plan.hpp).
extern const ColourMap margin_map;

/// The half of it that is far from limits, from grey to blue.
extern const ColourMap quiet_map;

/// A number's place between two ends, for a legend and for colouring.
struct ColourScale {
  std::string title;  ///< with unit: "die temperature, °C"
  double low = 0.0, high = 1.0;
  const ColourMap* map = &heat_map;
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
