// What GPUs draw and compute in steps that follow from a model (workload/transformer), instead of from levels of phases.
#pragma once

#include <cstddef>
#include <vector>

#include "workload/training/training_clock.hpp"
#include "workload/training/training_levels.hpp"

namespace wattloop::workload {

/// Of a GPU at full clock, without deviations, between two instants.
struct WorkInWindow {
  double energy_j = 0.0;     ///< with evaluations and checkpoints
  double computing_s = 0.0;  ///< in steps
};

/// Nodes of one class draw the same, but for deviations: those of a pipeline stage. Immutable.
class StepWork {
 public:
  virtual ~StepWork() = default;

  /// [phase]; `compute`: while a GPU computes.
  virtual const PhaseLevels& levels_w() const = 0;

  /// At most `most_pipeline_stages`.
  virtual std::size_t classes() const = 0;
  virtual std::size_t class_of(std::size_t node) const = 0;

  /// What GPUs exchange in a step.
  virtual std::vector<StepExchange> exchanges() const = 0;

  /// Time of a step over these links that a clock does not shorten: communication, and what stays as it is.
  virtual double communication_s(const CommunicationTimes& times) const = 0;

  /// Between two instants of the time of a pace. Allocates nothing.
  virtual WorkInWindow between(const TrainingClock::Pace& pace, double start_s, double end_s,
                               std::size_t of_class) const = 0;
};

}  // namespace wattloop::workload
