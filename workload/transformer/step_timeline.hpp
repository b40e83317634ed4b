// What a pipeline stage does in a step, from its begin to its end.
//
//   stage k of p    wait k f | compute: passes before its first backward pass | wait (p - 1 - k) (f + b) | compute | wait k b | wait for the slowest GPU
//                   | wait for hosts | gradients and weights | optimizer
//
// f and b: forward and backward pass of a chunk of the mean stage. Each stage waits (p - 1) (f + b) in all, which is the bubble; where it waits is what puts
// stages out of phase. Waiting that is shorter than a pass (messages, imbalance, launches, scaling factors) is part of computing. Source: schedules of
// [narayanan2021], 1F1B and interleaved. Verified in tests/verification/work/step_power.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <vector>

#include "workload/transformer/step_time.hpp"

namespace wattloop::workload {

enum class StepPhase { waiting, computing, data, optimizer, host };

/// From the begin of a step.
struct StepSegment {
  StepPhase phase;
  double start_s;
  double end_s;
};

/// Segments one after the other, from 0 to `step.step_s`; empty ones are left out. `step` is that of the setup.
std::vector<StepSegment> stage_timeline(const TrainingSetup& setup, const StepTime& step, int stage);

}  // namespace wattloop::workload
