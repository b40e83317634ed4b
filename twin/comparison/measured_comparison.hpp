// Measurements beside the recorded series of a run: overlays, scores and where they are farthest apart.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "twin/comparison/model_score.hpp"
#include "twin/comparison/overlay.hpp"
#include "twin/comparison/telemetry_map.hpp"

namespace wattloop::twin {

/// One line of the map. All values in its unit.
struct MeasuredSeries {
  std::string recorded, column, unit;
  Overlay overlay{};
  ModelScore score{};
  std::vector<std::size_t> worst{};  ///< numbers of intervals, the farthest apart first
};

struct MeasuredRequest {
  std::filesystem::path results, measured, map;
  std::size_t worst = 3;  ///< how many intervals of each series are reported
};

struct MeasuredComparison {
  std::vector<MeasuredSeries> series;
  std::vector<std::string> notes;  ///< for the user
};

/// Throws InputError with all that is wrong with map and measurements, FileError.
MeasuredComparison compare_measured(const MeasuredRequest& request);

/// A recorded series in the unit of its measurements; without what is not a number, and of means without the start of the run, which has
/// no interval.
SampleSeries recorded_samples(const MappedSeries& mapped, std::span<const double> times_s,
                              std::span<const double> values);

}  // namespace wattloop::twin
