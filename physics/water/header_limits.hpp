// Limits of what stands in the supply and return headers of a system: where the properties of its liquid hold, and where it is no
// liquid any more. A kind that declares them has columns of these names and `FluidRange liquid` among its parameters.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/limit.hpp"
#include "physics/fluids/fluid.hpp"

namespace wattloop::physics {

namespace header_limits {

template <class K>
Endurance lowest(const typename K::Params& p) {
  return endures_all_beyond(p.liquid.lowest_k);
}
template <class K>
Endurance highest(const typename K::Params& p) {
  return endures_all_beyond(p.liquid.highest_k);
}
template <class K>
Endurance freezing(const typename K::Params& p) {
  return endures_all_beyond(p.liquid.freezes_k);
}
template <class K>
Endurance boiling(const typename K::Params& p) {
  return endures_all_beyond(p.liquid.boils_k);
}

}  // namespace header_limits

template <class K>
constexpr std::array<Limit<K>, 8> limits_of_headers() {
  using namespace header_limits;
  constexpr std::string_view supply = "supply_temperature", back = "return_temperature";
  constexpr std::string_view cold = "colder than the range of its known properties",
                             hot = "hotter than the range of its known properties";
  return {
      Limit<K>{supply, "K", &lowest<K>, Beyond::log, Side::below, cold},
      Limit<K>{supply, "K", &highest<K>, Beyond::log, Side::above, hot},
      Limit<K>{back, "K", &lowest<K>, Beyond::log, Side::below, cold},
      Limit<K>{back, "K", &highest<K>, Beyond::log, Side::above, hot},
      Limit<K>{supply, "K", &freezing<K>, Beyond::stop, Side::below, "it freezes"},
      Limit<K>{supply, "K", &boiling<K>, Beyond::stop, Side::above, "it boils"},
      Limit<K>{back, "K", &freezing<K>, Beyond::stop, Side::below, "it freezes"},
      Limit<K>{back, "K", &boiling<K>, Beyond::stop, Side::above, "it boils"},
  };
}

}  // namespace wattloop::physics
