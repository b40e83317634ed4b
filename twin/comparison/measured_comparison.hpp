// Measurements beside the recorded series of a run: overlays, scores and where they are farthest apart.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "twin/comparison/model_score.hpp"
#include "twin/comparison/overlay.hpp"

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
  std::size_t worst = 3;  ///< intervals told of each series
};

/// Throws InputError with all that is wrong with map and measurements, FileError.
std::vector<MeasuredSeries> compare_measured(const MeasuredRequest& request);

}  // namespace wattloop::twin
