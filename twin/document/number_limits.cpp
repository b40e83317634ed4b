#include "twin/document/number_limits.hpp"

#include <algorithm>
#include <array>

namespace wattloop::twin {

namespace {

constexpr std::array extents{
    Extent{"m3", "", 1e-5, 1e8},    // a sip in a hose, a lake
    Extent{"J/K", "", 1e-3, 1e12},  // three milligrams of copper, a quarter of a million tonnes of water
    Extent{"s", "integral_time", 0.1, 1e9},
    Extent{"K", "", 0.0, 2000.0},                          // nothing here melts
    Extent{"W/K", "die_to_plate_conductance", 1e-6, 1e6},  // a die soldered to a ton of copper
    Extent{"W/K", "", 1e-6, 1e8},        // the surface of a grain of sand, the walls of the largest hall
    Extent{"kg/s", "", 1e-9, 1e6},       // a breath in an hour, a river
    Extent{"Pa", "", 0.0, 1e8},          // the deepest sea
    Extent{"W", "", 0.0, 1e12},          // a third of what all power stations give
    Extent{"delta_K-1", "", 0.0, 10.0},  // a valve that is wide open for a tenth of a kelvin
};

}  // namespace

const Extent* extent_of(const FieldInfo& info) {
  const auto found = std::ranges::find_if(extents, [&](const Extent& extent) {
    return info.unit == extent.unit && info.name.ends_with(extent.end_of_name);
  });
  return found == extents.end() ? nullptr : &*found;
}

bool is_in_range(double value, Range range) {
  switch (range) {
    case Range::any:
      return true;
    case Range::positive:
      return value > 0.0;
    case Range::non_negative:
      return value >= 0.0;
    case Range::fraction:
      return value >= 0.0 && value <= 1.0;
    case Range::positive_fraction:
      return value > 0.0 && value <= 1.0;
  }
  return false;
}

NumberLimits number_limits(const FieldInfo& info) {
  const Extent* extent = extent_of(info);
  const double most = extent != nullptr ? extent->most : largest_quantity;
  const double least =
      extent != nullptr ? std::max(extent->least, smallest_positive_quantity) : smallest_positive_quantity;
  switch (info.range) {
    case Range::any:
      return {-most, most};
    case Range::positive:
      return {least, most};
    case Range::non_negative:
      return {0.0, most};
    case Range::fraction:
      return {0.0, std::min(most, 1.0)};
    case Range::positive_fraction:
      return {least, std::min(most, 1.0)};
  }
  return {-most, most};
}

}  // namespace wattloop::twin
