// What a run costs by what it gives: GPU time and tokens; and what failures cost at that price.
#pragma once

#include <optional>

#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

/// Of the tariff's currency.
struct UnitCosts {
  double per_gpu_s = 0.0;  ///< total cost over the time of all GPUs of the hall, whatever they do
  /// Trained in steps that count; none where not all GPUs belong to training jobs that say how many a step has.
  std::optional<double> tokens = {};
  double per_million_tokens = 0.0;
  /// GPU time for which training jobs stopped, and of work that they lost; none where GPUs do not wait for one another.
  std::optional<double> failed_gpu_s = {};
  double failures = 0.0;  ///< that time at `per_gpu_s`
};

/// None without prices.
std::optional<UnitCosts> unit_costs(const FinishedRun& run);

}  // namespace wattloop::twin
