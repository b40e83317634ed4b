// How a trace of few columns is spread over a hall: every node follows its column late by a delay of its own,
// so that nodes which replay the same column do not move in lock-step.
//
//   delay = phase_jitter u(node) + copy_delay u(copy),   u uniform in [0, 1) by counter [salmon2011], u(copy
//   0) = 0
//
// A column goes round: what its delay pushes over the end of the trace comes at its start. A sample is the
// mean of the delayed column over an interval of the trace's own grid, so that the energy of every node over
// one repetition stays as measured and no instants are added to those of the trace.
//
// Verified in tests/properties/spread.cpp. Documented in docs/models/replay.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workload/work/parameters.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// Units that follow columns: unit i follows column i modulo `columns`, and is part of copy i / `columns`.
struct Followers {
  std::size_t count = 0;
  std::size_t per_node = 1;
  std::size_t columns = 1;
};

/// Seconds by which each follower is late; those of a node share its jitter. Empty if nothing is spread.
std::vector<double> spread_delays_s(const SpreadParams& params, const Followers& followers, std::uint64_t seed);

/// Held samples of several columns, each of which may be read late.
class SpreadTrace {
 public:
  /// `stamps_s` from 0; `power_w` [row * columns + column]; `delays_s` [follower], empty: all are on time.
  SpreadTrace(std::vector<double> stamps_s, double duration_s, std::vector<double> power_w,
              std::vector<double> delays_s, bool with_energies = false);

  const std::vector<double>& stamps_s() const noexcept { return stamps_s_; }
  double duration_s() const noexcept { return duration_s_; }

  /// Of a row of the trace, without delay.
  double row_w(std::size_t row, std::size_t column) const noexcept { return power_w_[row * columns_ + column]; }

  /// Mean power of a follower over the interval of `row`.
  double mean_w(std::size_t row, std::size_t column, std::size_t follower) const noexcept;

  /// Mean power of a follower between two times of the trace, which goes round; of a trace made `with_energies`.
  double mean_between_w(double from_s, double to_s, std::size_t column, std::size_t follower) const noexcept;

  /// The row that is from one time to another, to rounding; none: they are not those of a row.
  std::optional<std::size_t> row_between(double from_s, double to_s) const noexcept;

  /// Mean power of a column from its begin to `end_s`, whoever follows it.
  double mean_until_w(double end_s, std::size_t column) const noexcept;

 private:
  std::size_t row_at(double t_s) const noexcept;
  double energy_until_j(double t_s, std::size_t column) const noexcept;

  std::vector<double> stamps_s_;
  double duration_s_;
  std::size_t columns_;
  std::vector<double> power_w_;
  std::vector<double> delays_s_;
  std::vector<double> energy_j_;  // [row * columns_ + column] up to the stamp of the row; one row more than stamps
};

}  // namespace wattloop::workload
