// When a training job computes, communicates, evaluates and writes checkpoints, in closed form.
//
//   start(s) = ramp + s step + floor(s / E) evaluation + floor(s / C) checkpoint      start of step s = 0, 1, ...
//
// Before every E-th step stands an evaluation, before every C-th a checkpoint (after the evaluation, if both). The
// seconds spent in each phase up to t follow by counting, so that a mean over any window is exact.
#pragma once

#include <array>
#include <cstdint>

#include "workload/parameters.hpp"

namespace wattloop::workload {

enum Phase : std::size_t { compute, communication, evaluation, checkpoint, idle, phase_count };

/// Seconds spent in each phase since the start.
using PhaseSeconds = std::array<double, phase_count>;

struct TrainingSchedule {
  double ramp_s = 0.0;
  double step_s = 1.0;
  double compute_s = 1.0;  ///< of each step, first
  double evaluation_s = 0.0;
  double checkpoint_s = 0.0;
  std::int64_t steps_per_evaluation = 1;
  std::int64_t steps_per_checkpoint = 1;
};

/// Intervals rounded to whole steps, at least one.
TrainingSchedule make_schedule(const TrainingParams& params);

/// Start of step `step`, counted from 0.
double step_start_s(const TrainingSchedule& schedule, std::int64_t step) noexcept;

/// Seconds in each phase from 0 to `t_s` >= 0. In the start ramp, power rises linearly: the time counts partly as
/// idle, partly as compute.
PhaseSeconds phase_seconds(const TrainingSchedule& schedule, double t_s) noexcept;

}  // namespace wattloop::workload
