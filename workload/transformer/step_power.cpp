#include "workload/transformer/step_power.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::workload {

namespace {

double level_w(StepPhase phase, const StepTime& step, const GpuPowerLevels& levels) {
  switch (phase) {
    case StepPhase::computing:
      return computing_level_w(step, levels);
    case StepPhase::data:
      return levels.link_w;
    case StepPhase::optimizer:
      return levels.memory_w;
    case StepPhase::waiting:
    case StepPhase::host:
      break;
  }
  return levels.waiting_w;
}

/// Kernels, recomputing with the mix of the others.
double kernels_j(const StepTime& s, const GpuPowerLevels& levels) {
  const double once_s = s.matrix_s + s.attention_s + s.memory_s;
  const double again = once_s > 0.0 ? 1.0 + s.recompute_s / once_s : 1.0;
  return again * (s.matrix_s * levels.product_w + s.attention_s * levels.attention_w + s.memory_s * levels.memory_w);
}

double links_s(const StepTime& s) { return s.tensor_s + s.context_s + s.expert_s + s.pipeline_s; }

/// Of kernels in segments of computing.
double kernel_fraction(const StepTime& s) {
  return s.computing_s() / (s.computing_s() + links_s(s) + s.scaling_s + s.launch_s + s.imbalance_s);
}

/// Of segments of computing, and of waiting for other stages.
double clocked_fraction(const StepTime& s) {
  const double clocked_s = s.computing_s() + s.imbalance_s;
  return clocked_s / (clocked_s + links_s(s) + s.scaling_s + s.launch_s);
}

}  // namespace

double computing_level_w(const StepTime& s, const GpuPowerLevels& levels) {
  const double waiting_s = s.scaling_s + s.launch_s + s.imbalance_s;
  const double energy_j = kernels_j(s, levels) + links_s(s) * levels.link_w + waiting_s * levels.waiting_w;
  return energy_j / (s.computing_s() + links_s(s) + waiting_s);
}

double kernel_level_w(const StepTime& s, const GpuPowerLevels& levels) {
  return kernels_j(s, levels) / s.computing_s();
}

double clocked_s(const StepTime& s) { return clocked_fraction(s) * (s.step_s - s.host_s - s.data_s - s.optimizer_s); }

StagePower stage_power(std::span<const StepSegment> timeline, const StepTime& step, const GpuPowerLevels& levels,
                       const StepPace& pace) {
  StagePower power{LaggedLevels(levels.lag), LaggedLevels(LagTimes{})};
  const auto add = [&](double duration_s, double level_w, double kernels_s) {
    power.watts.add(duration_s, level_w);
    power.computing.add(duration_s, duration_s > 0.0 ? kernels_s / duration_s : 0.0);
  };
  const double stretch = 1.0 + clocked_fraction(step) * (1.0 / pace.clock_fraction - 1.0);
  double late_s = (pace.communication_ratio - 1.0) * (step.step_s - clocked_s(step));
  for (const StepSegment& segment : timeline) {
    const double full_s = segment.end_s - segment.start_s;
    const double watts = level_w(segment.phase, step, levels);
    if (segment.phase == StepPhase::optimizer) {
      add(late_s, levels.link_w, 0.0);
      late_s = 0.0;
    }
    if (segment.phase == StepPhase::waiting) {
      add(full_s * stretch, watts, 0.0);
    } else if (segment.phase == StepPhase::computing) {
      const double mean_w = (watts + (stretch - 1.0) * levels.waiting_w) / stretch;
      add(full_s * stretch, mean_w, kernel_fraction(step) * full_s);
    } else {
      add(full_s, watts, 0.0);
    }
  }
  add(late_s, levels.link_w, 0.0);
  power.watts.begin_as_they_end();
  power.computing.begin_as_they_end();
  return power;
}

StepPower::StepPower(const TrainingSetup& setup, const StepTime& step, int stage, const GpuPowerLevels& levels)
    : watts_(stage_power(stage_timeline(setup, step, stage), step, levels).watts) {}

double StepPower::energy_j(double t_s) const {
  const double step_s = watts_.duration_s();
  const double steps = std::floor(t_s / step_s);
  return steps * watts_.energy_j() + watts_.energy_until_j(std::clamp(t_s - steps * step_s, 0.0, step_s));
}

double StepPower::mean_w(double start_s, double end_s) const {
  return (energy_j(end_s) - energy_j(start_s)) / (end_s - start_s);
}

}  // namespace wattloop::workload
