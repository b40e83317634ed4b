// What a calibration is given: its base, measurements and map, read together.
#pragma once

#include <string>
#include <vector>

#include "twin/calibration/calibration_spec.hpp"
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

}  // namespace wattloop::twin
