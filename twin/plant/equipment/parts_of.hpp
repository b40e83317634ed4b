// The parts of a kind in a plant, for those who know the kind.
#pragma once

#include "twin/parts/part_catalog.hpp"
#include "twin/parts/part_set_of.hpp"
#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

template <Part K>
const PartSetOf<K>& parts_of(const Plant& plant) {
  return static_cast<const PartSetOf<K>&>(*plant.components[part_kind_number(K::kind)]);
}

/// For `PartSetOf::now` and `shown`: where a part reads, instead of what.
inline constexpr auto place_of_signal = [](std::size_t signal) { return static_cast<double>(signal); };

}  // namespace wattloop::twin
