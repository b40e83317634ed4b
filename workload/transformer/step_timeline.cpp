#include "workload/transformer/step_timeline.hpp"

#include <algorithm>

namespace wattloop::workload {

namespace {

void append(std::vector<StepSegment>& segments, StepPhase phase, double duration_s) {
  if (duration_s <= 0.0) return;
  const double start_s = segments.empty() ? 0.0 : segments.back().end_s;
  if (!segments.empty() && segments.back().phase == phase)
    segments.back().end_s += duration_s;
  else
    segments.push_back({phase, start_s, start_s + duration_s});
}

/// Forward passes of chunks before the first backward pass.
double passes_before_backward(const ParallelPlan& plan, int stage) {
  const int behind = plan.pipeline - 1 - stage;
  const int warm_up = plan.virtual_stages > 1 ? 2 * behind + (plan.virtual_stages - 1) * plan.pipeline : behind;
  return std::min(warm_up + 1, plan.micro_batches() * plan.virtual_stages);
}

}  // namespace

std::vector<StepSegment> stage_timeline(const TrainingSetup& setup, const StepTime& step, int stage) {
  const PassTimes layer = layer_times(setup);
  const double forward_fraction = layer.forward.sum_s() / layer.sum().sum_s();
  const double ahead = setup.plan.pipeline - 1;
  const double chunk_s = ahead > 0 ? step.bubble_s / ahead : 0.0;
  const double forward_s = forward_fraction * chunk_s, backward_s = chunk_s - forward_s;
  const double computing_s = step.step_s - step.bubble_s - step.jitter_s - step.host_s - step.data_s - step.optimizer_s;
  const double first_s =
      std::min(passes_before_backward(setup.plan, stage) * forward_s, forward_fraction * computing_s);
  std::vector<StepSegment> segments;
  append(segments, StepPhase::waiting, stage * forward_s);
  append(segments, StepPhase::computing, first_s);
  append(segments, StepPhase::waiting, (ahead - stage) * chunk_s);
  append(segments, StepPhase::computing, computing_s - first_s);
  append(segments, StepPhase::waiting, stage * backward_s + step.jitter_s);
  append(segments, StepPhase::host, step.host_s);
  append(segments, StepPhase::data, step.data_s);
  append(segments, StepPhase::optimizer, step.optimizer_s);
  return segments;
}

}  // namespace wattloop::workload
