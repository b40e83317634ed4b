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
      break;
  }
  return levels.waiting_w;
}

}  // namespace

double computing_level_w(const StepTime& step, const GpuPowerLevels& levels) {
  const double kernels_s = step.matrix_s + step.attention_s + step.memory_s;
  const double again =
      kernels_s > 0.0 ? 1.0 + step.recompute_s / kernels_s : 1.0;  // recomputing has the mix of computing
  const double links_s = step.tensor_s + step.context_s + step.expert_s + step.pipeline_s;
  const double waiting_s = step.scaling_s + step.imbalance_s;
  const double energy_j = again * (step.matrix_s * levels.product_w + step.attention_s * levels.attention_w +
                                   step.memory_s * levels.memory_w) +
                          links_s * levels.link_w + waiting_s * levels.waiting_w;
  return energy_j / (again * kernels_s + links_s + waiting_s);
}

StepPower::StepPower(const TrainingSetup& setup, const StepTime& step, int stage, const GpuPowerLevels& levels)
    : levels_(levels), step_s_(step.step_s) {
  for (const StepSegment& segment : stage_timeline(setup, step, stage))
    parts_.push_back({segment.start_s, segment.end_s, level_w(segment.phase, step, levels), 0.0, 0.0});
  double power_w = parts_.back().level_w;
  constexpr int most_steps = 1000;  // until a step begins as the one before began
  for (int k = 0; k < most_steps; ++k) {
    const double begin_w = power_w;
    for (Part& part : parts_) {
      part.begin_w = power_w;
      power_w = power_in(part, part.end_s - part.start_s);
    }
    if (std::abs(power_w - begin_w) < 1e-12 * begin_w) break;
  }
  for (Part& part : parts_) {
    part.energy_before_j = energy_of_step_j_;
    energy_of_step_j_ += energy_in_j(part, part.end_s - part.start_s);
  }
}

double StepPower::power_in(const Part& part, double after_s) const {
  const double tau = tau_s(part);
  return tau > 0.0 ? part.level_w + (part.begin_w - part.level_w) * std::exp(-after_s / tau) : part.level_w;
}

double StepPower::energy_in_j(const Part& part, double after_s) const {
  const double tau = tau_s(part);
  const double lag_j = tau > 0.0 ? (part.begin_w - part.level_w) * tau * -std::expm1(-after_s / tau) : 0.0;
  return part.level_w * after_s + lag_j;
}

double StepPower::energy_j(double t_s) const {
  const double steps = std::floor(t_s / step_s_);
  const double into_s = std::clamp(t_s - steps * step_s_, 0.0, step_s_);
  const auto after = std::ranges::upper_bound(parts_, into_s, {}, &Part::start_s);
  const Part& part = *(after - (after == parts_.begin() ? 0 : 1));
  return steps * energy_of_step_j_ + part.energy_before_j + energy_in_j(part, into_s - part.start_s);
}

double StepPower::mean_w(double start_s, double end_s) const {
  return (energy_j(end_s) - energy_j(start_s)) / (end_s - start_s);
}

}  // namespace wattloop::workload
