// A calibration: the values at which runs agree best with measurements, how well they are known, and how well the runs then agree with what was measured,
// in the period that was fitted and in the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "twin/calibration/calibration_spec.hpp"
#include "twin/calibration/fit_uncertainty.hpp"
#include "twin/calibration/guideline.hpp"
#include "twin/calibration/least_squares.hpp"
#include "twin/calibration/model_runs.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

/// One line of the map. Values in its unit.
struct CalibratedSeries {
  std::string recorded{}, column{}, unit{};
  std::string spread_unit{};  ///< of differences: K for degC
  double scale = 1.0;         ///< its residuals count by this
  bool has_accuracy = false;  ///< which the file says; else it is the spread of what was measured
  Overlay overlay{};          ///< of the whole run
  std::vector<OverlayInterval> fitted{}, predicted{};
};

struct Calibration {
  std::vector<ParameterRange> parameters{};
  BoundedFit fit{};
  FitUncertainty uncertainty{};
  std::vector<CalibratedSeries> series{};
  FitWindow window{};
  std::string start_iso{};
  std::size_t runs = 0;
};

/// Base, measurements and map, read together.
struct CalibrationPlan {
  CalibrationSpec spec;
  ScenarioBase base;
  std::string start_iso{};
  double duration_s = 0.0;
  TelemetryMap map{};
  std::vector<SampleSeries> measured{};  ///< of each series of the map, in its unit
  std::vector<std::string> notes{};      ///< for the user: of the times of measurements
  std::vector<CalibratedSeries> series{};

  std::vector<SeriesName> names() const;
};

/// Throws InputError with all that is wrong.
CalibrationPlan plan_calibration(CalibrationSpec spec, const std::vector<std::string>& overrides);

struct CalibrationWatch {
  int threads = 1;
  std::function<bool()> is_stop_requested = [] { return false; };
  std::function<void(std::size_t done, std::size_t expected)> when_run = [](std::size_t, std::size_t) {};
};

inline constexpr double interval_level = 0.9;

/// Throws SolverError where the first run has no answer, InputError where nothing can be fitted, ModelRuns::Interrupted.
Calibration calibrate(const CalibrationPlan& plan, const CalibrationWatch& watch);

}  // namespace wattloop::twin
