// Power of a GPU through a step, step after step.
//
//   level of computing   sum of (time of a kind / time of computing) x watts of its kind: products, attention, memory, links, waiting
//   level of others      waiting; gradients and weights: links; optimizer: memory
//   power                dP/dt = (level - P) / tau, tau of rising or falling; 0: at once
//
// A mean over any window is an integral in closed form, so that energy is the same for any interval of samples. Watts are at full clock and without what a
// warmer die leaks. Verified in tests/verification/work/step_power.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <vector>

#include "workload/transformer/step_timeline.hpp"

namespace wattloop::workload {

/// What a GPU draws while it does nothing else. Values of the H100 SXM: docs/models/transformer.md.
struct GpuPowerLevels {
  double product_w = 685.0;
  double attention_w = 685.0;
  double memory_w = 350.0;
  double link_w = 220.0;
  double waiting_w = 220.0;
  double rise_s = 0.0;  ///< time constants of GPU and supply
  double fall_s = 0.0;

  friend bool operator==(const GpuPowerLevels&, const GpuPowerLevels&) = default;
};

/// Mean while a stage computes.
double computing_level_w(const StepTime& step, const GpuPowerLevels& levels);

/// Power of GPUs of one stage; steps repeat from ever to ever.
class StepPower {
 public:
  StepPower(const TrainingSetup& setup, const StepTime& step, int stage, const GpuPowerLevels& levels);

  /// Mean from `start_s` to `end_s` > `start_s` >= 0.
  double mean_w(double start_s, double end_s) const;

  double step_mean_w() const { return energy_of_step_j_ / step_s_; }

 private:
  struct Part {
    double start_s, end_s;
    double level_w;
    double begin_w;          // power as it begins
    double energy_before_j;  // since the begin of the step
  };
  double energy_j(double t_s) const;  // from the begin of step 0
  double tau_s(const Part& part) const { return part.level_w > part.begin_w ? levels_.rise_s : levels_.fall_s; }
  double power_in(const Part& part, double after_s) const;
  double energy_in_j(const Part& part, double after_s) const;

  GpuPowerLevels levels_;
  double step_s_;
  double energy_of_step_j_ = 0.0;
  std::vector<Part> parts_;
};

}  // namespace wattloop::workload
