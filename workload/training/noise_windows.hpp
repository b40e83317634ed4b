// Parts of a sample over which deviations of nodes and GPUs are drawn together.
//
// A deviation lasts for one noise interval, a "cell". Cells of one draw that follow one another are taken together where all nodes are busy all the
// time, since their mean is known from sums.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "workload/training/deviation_pool.hpp"
#include "workload/training/training_clock.hpp"

namespace wattloop::workload {

/// Part of a sample: within one cell, or so many whole ones over which all nodes are busy.
struct NoiseWindow {
  std::uint64_t draw;             ///< number of the draw that its cells share
  std::size_t first_cell, cells;  ///< among those of the draw
  double start_s, end_s;
  bool is_first, is_last;  ///< of the sample: the first sets what others add to, the last closes
};

class NoiseWindows {
 public:
  /// `last_lead_s`: by which the first stage of a pipeline is ahead of the last one.
  NoiseWindows(double noise_interval_s, double last_lead_s, std::size_t numbers_per_cell)
      : noise_interval_s_(noise_interval_s),
        last_lead_s_(last_lead_s),
        cells_per_draw_(std::clamp<std::size_t>(std::bit_floor(DeviationPool::size / (16 * numbers_per_cell)), 1, 32)) {
  }

  /// So few that the pool has many such series.
  std::size_t cells_per_draw() const { return cells_per_draw_; }

  /// The windows of a sample, in order.
  template <class Act>
  void for_each(const TrainingClock::Pace& pace, const TrainingClock::Span& sample, const Act& act) const {
    bool is_first = true;
    auto cell = static_cast<std::uint64_t>(sample.start_s / noise_interval_s_);
    for (double start_s = sample.start_s; start_s < sample.end_s;) {
      const std::uint64_t draw = cell / cells_per_draw_;
      const std::size_t first = cell % cells_per_draw_, cells = cells_together(pace, cell, start_s, sample.end_s);
      cell += cells;
      const double end_s = std::min(sample.end_s, begin_of(cell));
      if (end_s > start_s) {
        act(NoiseWindow{draw, first, cells, start_s, end_s, is_first, end_s == sample.end_s});
        start_s = end_s;
        is_first = false;
      }
    }
  }

 private:
  double begin_of(std::uint64_t cell) const { return static_cast<double>(cell) * noise_interval_s_; }

  /// How many cells from one on can be taken together: one, or several of one draw with all nodes busy all the time.
  std::size_t cells_together(const TrainingClock::Pace& pace, std::uint64_t cell, double start_s, double to_s) const {
    std::size_t cells = cells_per_draw_ - cell % cells_per_draw_;
    if (start_s != begin_of(cell)) return 1;
    while (cells > 1 && (begin_of(cell + cells) > to_s || !is_busy(pace, start_s, begin_of(cell + cells)))) cells /= 2;
    return cells;
  }

  /// Whether no stage waits for a checkpoint, or has yet to begin, between two instants.
  bool is_busy(const TrainingClock::Pace& pace, double start_s, double end_s) const {
    constexpr double noticeable_s = 1e-9;
    const TrainingSchedule& schedule = pace.others;
    const double first_s = start_s + pace.shift_s, last_s = end_s + pace.shift_s + last_lead_s_;
    const double step = step_at(schedule, first_s, step_near(schedule, first_s));
    const PhaseSeconds before = phase_seconds(schedule, first_s, step);
    const PhaseSeconds after = phase_seconds(schedule, last_s, step_at(schedule, last_s, step));
    return after[checkpoint] - before[checkpoint] < noticeable_s && after[idle] - before[idle] < noticeable_s;
  }

  double noise_interval_s_;
  double last_lead_s_;
  std::size_t cells_per_draw_;
};

}  // namespace wattloop::workload
