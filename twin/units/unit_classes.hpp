// Units of one kind that are not alike: a few classes of them, each with ratios to the mean of its kind.
//
// Eight units side by side in a station (of a node of eight GPUs all) have one of a few patterns, and a pattern has a class for
// each of its lanes, so that steps of eight units go on in vectors. Ratios are quantiles of a normal distribution, so that the
// classes as such have the declared spread; which unit has which follows from the seed.
//
//   resistance, leakage   patterns come in pairs, the second the mirror of the first about one; eights are paired likewise: the
//                         mean over a hall is that of the device, whatever the seed
//   flow                  the mean over the eights of each pattern is one: what one plate has more, its neighbours have less
//
// Units that are left over, of an eight that is not full or that has no partner, are as the device says.
// Verified in tests/verification/units/unit_spread.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/lanes.hpp"
#include "core/parts/unit_model.hpp"
#include "twin/units/unit_group.hpp"
#include "twin/units/unit_spread.hpp"

namespace wattloop::twin {

struct UnitClasses {
  static constexpr std::size_t pattern_count = 8;  ///< besides that of units as the device says, the last
  static constexpr std::size_t most_classes = (pattern_count + 1) * lane_count;

  std::vector<UnitVariation> variations;      ///< [pattern * lane_count + lane]; empty: all units are alike
  std::vector<std::uint8_t> pattern_of_unit;  ///< [unit of the group]
  std::vector<std::uint8_t> class_of_unit;    ///< the same, with the lane

  bool are_alike() const { return variations.empty(); }
};

/// Classes of a group whose units stand at `stations`. None where the spread is none.
UnitClasses make_unit_classes(const UnitSpread& spread, std::uint64_t seed, std::span<const Station> stations);

}  // namespace wattloop::twin
