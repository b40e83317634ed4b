// What a finished run has to say of each GPU that was slowed.
#pragma once

#include "twin/results/schema/gpu_throttles.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

GpuThrottles gpu_throttles_of(const FinishedRun& run);

}  // namespace wattloop::twin
