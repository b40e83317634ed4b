// A calibration as its file says it: a base scenario, parameters with bounds, measurements and what they are, the period to fit.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/document/override.hpp"

namespace wattloop::twin {

/// A value of the scenario that is sought. Numbers in `unit`, as written.
struct CalibratedParameter {
  std::string name{}, unit{};
  std::vector<std::string> paths{};  ///< all get the value
  double lower = 0.0, upper = 0.0, start = 0.0;
  Node written{};
};

/// Of simulated time.
struct FitWindow {
  double from_s = 0.0, to_s = std::numeric_limits<double>::infinity();
  bool holds(double begin_s, double end_s) const { return begin_s >= from_s && end_s <= to_s; }
  bool meets(double begin_s, double end_s) const { return begin_s < to_s && end_s > from_s; }
};

/// How exact measurements are, by column of their file; residuals count by this.
struct MeasurementAccuracy {
  std::string column{};
  std::string text{};  ///< "0.5 K"
  Node written{};
};

struct CalibrationSpec {
  std::filesystem::path file{};
  std::string title{};
  std::filesystem::path base{};
  std::vector<DocumentChange> fixed{};  ///< what all runs have otherwise than the base
  std::vector<CalibratedParameter> parameters{};
  std::filesystem::path measured{};
  Node map{};  ///< of columns to what is recorded, as `compare --map` reads it
  FitWindow fit{};
  std::optional<FitWindow> predict{};  ///< without it, all that is not in `fit`
  std::vector<MeasurementAccuracy> accuracy{};
};

/// What is wrong goes to `problems`, all of it.
CalibrationSpec read_calibration(const std::filesystem::path& file, Problems& problems);
CalibrationSpec read_calibration_text(std::string_view text, const std::filesystem::path& name, Problems& problems);

}  // namespace wattloop::twin
