// Power of a GPU through a step, step after step.
//
//   level of computing   sum of (time of a kind / time of computing) x watts of its kind: products, attention, memory, links, waiting
//   level of others      waiting for other GPUs or for hosts; gradients and weights: links; optimizer: memory
//   power                follows the levels with a lag (workload/transformer/lagged_levels.hpp)
//
// Where the slowest GPU has a clock c, what depends on the clock takes 1 / c as long: a share of computing and of waiting for other stages; a GPU at full
// clock waits meanwhile. A slower network lengthens the exchange of gradients by all that communication takes longer.
//
// A mean over any window is an integral in closed form, so that energy is the same for any interval of samples. Watts are at full clock and without what a
// warmer die leaks. Verified in tests/verification/work/step_power.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <span>
#include <vector>

#include "workload/transformer/lagged_levels.hpp"
#include "workload/transformer/step_timeline.hpp"

namespace wattloop::workload {

/// What a GPU draws while it does nothing else. Values of the H100 SXM: docs/models/transformer.md.
struct GpuPowerLevels {
  double product_w = 685.0;
  double attention_w = 685.0;
  double memory_w = 350.0;
  double link_w = 220.0;
  double waiting_w = 220.0;
  LagTimes lag = {};
};

/// Mean while a stage computes, communication that computing does not hide included.
double computing_level_w(const StepTime& step, const GpuPowerLevels& levels);

/// Mean while a GPU has kernels of its own to do: without communication and waiting.
double kernel_level_w(const StepTime& step, const GpuPowerLevels& levels);

/// Seconds of a step that take 1 / c as long where the slowest GPU has a clock c.
double clocked_s(const StepTime& step);

/// How fast a job goes through its steps.
struct StepPace {
  double clock_fraction = 1.0;       ///< of the slowest GPU
  double communication_ratio = 1.0;  ///< time of all that is not `clocked_s` over that of a sound network

  friend bool operator==(const StepPace&, const StepPace&) = default;
};

/// A step of a stage at a pace, repeated from ever to ever. Allocates nothing.
struct StagePower {
  LaggedLevels watts;      ///< of a GPU at full clock
  LaggedLevels computing;  ///< 1 while it has kernels to do: their "energy" is seconds
};
StagePower stage_power(std::span<const StepSegment> timeline, const StepTime& step, const GpuPowerLevels& levels,
                       const StepPace& pace = {});

/// Power of GPUs of one stage; steps repeat from ever to ever.
class StepPower {
 public:
  StepPower(const TrainingSetup& setup, const StepTime& step, int stage, const GpuPowerLevels& levels);

  /// Mean from `start_s` to `end_s` > `start_s` >= 0.
  double mean_w(double start_s, double end_s) const;

  double step_mean_w() const { return watts_.energy_j() / watts_.duration_s(); }

 private:
  double energy_j(double t_s) const;  // from the begin of step 0

  LaggedLevels watts_;
};

}  // namespace wattloop::workload
