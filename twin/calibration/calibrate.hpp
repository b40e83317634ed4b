// A calibration: the values at which runs agree best with measurements, how well they are known, and how well the runs then agree with what was measured,
// in the period that was fitted and in the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "twin/calibration/calibration_plan.hpp"
#include "twin/calibration/calibration_spec.hpp"
#include "twin/calibration/fit_uncertainty.hpp"
#include "twin/calibration/guideline.hpp"
#include "twin/calibration/least_squares.hpp"
#include "twin/calibration/model_runs.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

struct Calibration {
  std::vector<ParameterRange> parameters{};
  BoundedFit fit{};
  FitUncertainty uncertainty{};
  std::vector<CalibratedSeries> series{};
  FitWindow window{};
  std::string start_iso{};
  std::size_t runs = 0;
};

struct CalibrationWatch {
  int threads = 1;
  std::function<bool()> is_stop_requested = [] { return false; };
  std::function<void(std::size_t done, std::size_t expected)> when_run = [](std::size_t, std::size_t) {};
};

inline constexpr double interval_level = 0.9;

/// Throws SolverError where the first run has no answer, InputError where nothing can be fitted, ModelRuns::Interrupted.
Calibration calibrate(const CalibrationPlan& plan, const CalibrationWatch& watch);

}  // namespace wattloop::twin
