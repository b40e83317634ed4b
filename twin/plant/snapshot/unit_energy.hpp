// What units give to the rest of the plant over a window, and what follows of it in the power tree.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

/// What units give over a window of samples: energies from its begin on, linear within a sample.
struct UnitEnergy {
  std::vector<double> instants_s;  ///< [sample + 1]
  bool asks_once =
      false;  ///< the workload changes nothing after the begin, so that heat and power of units hardly change
  bool begins_with_jump = false;  ///< the workload changes at the begin only
  std::size_t sink_count = 0;
  std::vector<double> energy_j;  ///< [sample + 1][seam sink], 0 at the begin

  // What follows in the power tree (twin/integration/core/sampled_losses.hpp); all empty: not computed.
  std::vector<double> other_loads_w, recharge_w;  ///< [load], [branch] besides units, constant over the window
  std::size_t tree_sink_count = 0;
  std::vector<double> tree_j;  ///< [sample + 1][tree sink], 0 at the begin

  /// Mean power of every seam sink between two instants.
  void mean_w(double from_s, double to_s, std::span<double> power_w) const;

  /// The same of every sink of the power tree.
  void mean_tree_w(double from_s, double to_s, std::span<double> power_w) const;

  /// Mean power of every seam sink over a sample.
  void sample_w(std::size_t sample, std::span<double> power_w) const;
};

}  // namespace wattloop::twin
