// Colour maps of pictures and reports: a number to a colour, by interpolation between anchors.
#pragma once

#include <span>
#include <string_view>

#include "twin/drawings/colours/colour.hpp"

namespace wattloop::twin {

/// Anchors at equal distances from the low to the high end.
struct ColourMap {
  std::string_view name;
  std::span<const Colour> anchors;

  /// Colour at `fraction` of the way up; outside 0 to 1 that of the nearer end, grey where it is not a number.
  Colour at(double fraction) const;
};

namespace colour_maps {

/// Perceptually uniform, dark violet over red to yellow, safe for colour-blind readers: "plasma" of
/// [vanderwalt2015] without its darkest and its palest ninth; the latter is hard to see on white paper.
extern const ColourMap heat;

/// Diverging, blue for cold over grey to red for warm: "cool to warm" of [moreland2009].
extern const ColourMap coolant;

/// Perceptually uniform, dark blue over green to yellow: "viridis" of [vanderwalt2015], for how much of its
/// rated power equipment carries.
extern const ColourMap load;

/// Diverging, red where a limit is reached or passed over grey to blue far from it: "cool to warm" the other way round.
extern const ColourMap margin;

/// The half of it that is far from limits, from grey to blue.
extern const ColourMap quiet;

}  // namespace colour_maps

}  // namespace wattloop::twin
