// When a training job computes, communicates, evaluates and writes checkpoints, in closed form.
//
//   start(s) = ramp + s step + floor(s / E) evaluation + floor(s / C) checkpoint      of step s = 0, 1, ...
//
// Before every E-th step stands an evaluation, before every C-th a checkpoint (after the evaluation, if
// both). The seconds spent in each phase up to t follow by counting, so that a mean over any window is exact.
// Counts are whole numbers in doubles: processors divide those faster than integers, and exactly enough up to
// 2^52.
#pragma once

#include <array>
#include <cstddef>

#include "workload/work/parameters.hpp"

namespace wattloop::workload {

enum Phase : std::size_t { compute, communication, evaluation, checkpoint, idle, phase_count };

/// Seconds spent in each phase since the start.
using PhaseSeconds = std::array<double, phase_count>;

struct TrainingSchedule {
  double ramp_s = 0.0;
  double step_s = 1.0;
  double compute_s = 1.0;  ///< of each step, first
  double evaluation_s = 0.0;
  double evaluation_dip_s = 0.0;  ///< of each evaluation, first; counts as communication
  double checkpoint_s = 0.0;
  double background_write_s = 0.0;  ///< after a checkpoint, while steps go on
  double steps_per_evaluation = 1.0;
  double steps_per_checkpoint = 1.0;
};

/// Intervals rounded to whole steps, at least one; no checkpoint begins while the last is being written.
TrainingSchedule make_schedule(const TrainingParams& params);

/// Steps after which evaluations and checkpoints come as from the first step on; where that takes very long, of the more frequent alone.
double steps_per_cycle(const TrainingSchedule& schedule) noexcept;

/// How fast a job goes.
struct TrainingPace {
  double clock_fraction = 1.0;       ///< of the slowest GPU
  double communication_ratio = 1.0;  ///< time of communication over that of the sound network
  double size_fraction = 1.0;        ///< nodes that share the work, of those that it is made for
  double save_wait_s = 0.0;          ///< by which each save takes longer, because other jobs use the storage

  bool operator==(const TrainingPace&) const = default;
};

/// The same where the slowest GPU has a clock below full clock, and the network is not sound: computing and evaluations take 1 / clock_fraction as
/// long, communication of steps communication_ratio times. On a share of the nodes computing and evaluations take 1 / size_fraction as long. Saves
/// take save_wait longer.
TrainingSchedule of_slowest(const TrainingSchedule& schedule, const TrainingPace& pace) noexcept;

/// The same as GPUs at full clock go through it: they wait in communication for the slowest, at the end of computing and at the begin of
/// evaluations.
TrainingSchedule of_others(const TrainingSchedule& schedule, const TrainingPace& pace) noexcept;

/// Where a position of the schedule of one pace is in that of another one.
double at_other_pace(const TrainingSchedule& schedule, double position_s, const TrainingPace& pace,
                     const TrainingPace& other) noexcept;

/// Start of step `step`, counted from 0.
double step_start_s(const TrainingSchedule& schedule, double step) noexcept;

/// The step that runs at `t_s`, or after which the job is interrupted; looked for from `near` on, a step not
/// far from it.
double step_at(const TrainingSchedule& schedule, double t_s, double near) noexcept;

/// A step not far from the one at `t_s`.
double step_near(const TrainingSchedule& schedule, double t_s) noexcept;

/// Seconds in each phase from 0 to `t_s` >= 0, at which `step` is the one of `step_at`. In the start ramp, power
/// rises linearly: the time counts partly as idle, partly as compute.
PhaseSeconds phase_seconds(const TrainingSchedule& schedule, double t_s, double step) noexcept;

}  // namespace wattloop::workload
