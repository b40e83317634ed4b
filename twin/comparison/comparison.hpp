// Several results files, each compared with the first: all that `wattloop compare` reports.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/comparison/event_differences.hpp"
#include "twin/comparison/figures_side_by_side.hpp"
#include "twin/comparison/scenario_differences.hpp"
#include "twin/comparison/series_comparison.hpp"
#include "twin/comparison/worst_racks.hpp"
#include "twin/run/figures/verdict.hpp"

namespace wattloop::twin {

/// One file, and how it differs from the first.
struct ComparedFile {
  std::filesystem::path file{};
  std::string title{};  ///< of its scenario; may be empty
  std::vector<WorstRack> racks{};
  std::vector<Verdict> verdicts{};

  std::vector<ScenarioDifference> scenario{};
  SeriesComparison series{};
  std::vector<EventDifference> events{};
  std::vector<std::string> notes{};  ///< on what could not be compared
};

struct Comparison {
  Tolerances tolerances;
  std::vector<FigureRow> figures;
  std::vector<ComparedFile> files;

  bool is_any_limit_violated() const;
};

struct ComparisonRequest {
  std::vector<std::filesystem::path> files;  ///< two or more
  std::vector<std::string> tolerances;       ///< as people write them
  std::vector<std::string> limits;           ///< on figures of the summary
  std::size_t racks = 5;                     ///< worst ones of each
};

/// Throws InputError with all that is wrong with limits and tolerances, FileError.
Comparison compare_results(const ComparisonRequest& request);

/// Name of a file in tables: "A", "B", ..., "Z", "F27", ...
std::string file_letter(std::size_t file);

}  // namespace wattloop::twin
