// Sums and extremes over the GPUs of a rack. They are enough for most records, and cheap where single GPUs are not computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/numbers/lanes.hpp"

namespace wattloop::twin {

/// Extremes and sum of some temperatures, mostly those of the dies of a rack.
struct DieDigest {
  double hottest_k = 0.0;
  double coolest_k = 0.0;
  double sum_k = 0.0;
  std::size_t hottest = 0;  ///< counted from 0
};

/// The same while eights of them are added.
class DieLanes {
 public:
  /// Eight, the first of them number `first`; where there are fewer, the other lanes repeat the last, as `read_lanes` leaves them.
  template <class Count>
  [[gnu::always_inline]] void add(Lanes now_k, std::size_t first, Count count) noexcept {
    const auto is_hotter = now_k > hottest_k_;
    hottest_k_ = chosen(is_hotter, now_k, hottest_k_);
    hottest_ = chosen(is_hotter, same_eight(static_cast<std::int64_t>(first)), hottest_);
    coolest_k_ = smaller(now_k, coolest_k_);
    add_lanes(now_k, sum_k_, count);
  }

  DieDigest digest() const noexcept;

 private:
  Lanes hottest_k_ = same_lanes(-std::numeric_limits<double>::infinity());
  Lanes coolest_k_ = same_lanes(std::numeric_limits<double>::infinity());
  Lanes sum_k_{};
  LaneNumbers hottest_{};  // lane by lane, the first of its eight
};

struct RackDigest {
  double hottest_k = 0.0;
  double coolest_k = 0.0;
  double sum_die_k = 0.0;          ///< over all GPUs of the rack
  std::size_t gpus = 0;            ///< that it holds
  double gpu_power_w = 0.0;        ///< of all GPUs, leakage included
  std::size_t hottest_gpu = 0;     ///< counted through the hall
  bool has_full_clocks = true;     ///< all of them: none is throttled, none switched off
  std::size_t throttled_gpus = 0;  ///< below full clock, switched-off ones not counted
  std::size_t shut_down_gpus = 0;  ///< of nodes that are switched off
  std::size_t capped_gpus = 0;     ///< below full clock for their power limit
  std::size_t down_gpus = 0;       ///< of nodes that are down: switched off, without power or booting
  bool operator==(const RackDigest&) const = default;
};

/// Of `die_k`, which has any.
DieDigest digest_dies(std::span<const double> die_k);

/// Whether none of these clocks is below full clock.
bool has_full_clocks(std::span<const double> clock_fraction);

}  // namespace wattloop::twin
