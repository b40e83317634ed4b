// What is told of the GPUs of a rack as a whole: enough for most records, and cheap where single GPUs are not at hand.
#pragma once

#include <cstddef>
#include <span>

namespace wattloop::twin {

struct RackDigest {
  double hottest_k = 0.0;
  double coolest_k = 0.0;
  double sum_die_k = 0.0;         ///< over all GPUs of the rack
  double gpu_power_w = 0.0;       ///< of all GPUs, leakage included
  std::size_t hottest_gpu = 0;    ///< counted through the hall
  bool has_full_clocks = true;    ///< all of them: none is throttled, none switched off
  std::size_t throttled_gpus = 0; ///< below full clock, switched-off ones not counted
  bool operator==(const RackDigest&) const = default;
};

/// Extremes and sum of the dies of a rack, which has any; its GPUs counted from 0.
RackDigest digest_dies(std::span<const double> die_k);

/// Whether none of these clocks is below full clock.
bool has_full_clocks(std::span<const double> clock_fraction);

}  // namespace wattloop::twin
