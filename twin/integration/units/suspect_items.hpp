// Which racks a predicted inlet may have misled. What units read are few signals, what they are given are many inlets; so
// signals are compared first, and a closer look (UnitPass::mismatch_k) is left for racks that read one that is off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twin/integration/core/seam_layout.hpp"
#include "twin/integration/units/unit_pass.hpp"

namespace wattloop::twin {

/// Signals of the seam as predicted some time after the begin of a window.
struct SignalTangent {
  std::span<const double> begin, slope_per_s;  ///< [seam signal]
  double after_s = 0.0;
};

class SuspectItems {
 public:
  SuspectItems(const Plant& plant, const SeamLayout& seam, const UnitPass& units);

  /// Marks the items [item] that read a signal whose computed value is further off than `largest_mismatch_k`, or, a flow, by
  /// more than the least that is noticed.
  void mark(const SignalTangent& predicted, std::span<const double> computed, double largest_mismatch_k,
            std::span<std::uint8_t> is_suspect) const;

 private:
  std::vector<std::uint8_t> is_flow_;              ///< [seam signal]
  std::vector<std::vector<std::size_t>> readers_;  ///< [seam signal] items, each once
};

}  // namespace wattloop::twin
