// Recorded series of two results files: where and when they part first, and what only one of them has.
//
// Series are compared at the times that both files have. What is recorded as a mean is averaged over the interval between two such
// times, so that records of 1 s and of 15 s can be compared; ratios of means (pue, cop) are then means of ratios, and left out.
#pragma once

#include <string>
#include <vector>

#include "twin/comparison/tolerances.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// A recorded quantity that differs by more than its tolerance somewhere: where first, and where most.
struct Divergence {
  struct Difference {
    double time_s = 0.0;
    std::string item{};  ///< empty where the table has none
    double a = 0.0, b = 0.0;
  };
  std::string table, column, unit;
  double threshold = 0.0;      ///< in `unit`
  Difference first{}, most{};  ///< of what parts at the same time the item that is farthest apart
  std::size_t items = 0;       ///< that part at any time

  /// How many times its threshold it is off at first.
  double first_excess() const;
};

/// Something that the two files do not share.
struct Unshared {
  std::string what;                         ///< "tables", "columns of racks", "racks"
  std::vector<std::string> only_a, only_b;  ///< by name
};

struct SeriesComparison {
  std::vector<Divergence> divergences;  ///< the earliest first; of those the farthest apart
  std::vector<Unshared> unshared;
  std::vector<std::string> notes;  ///< on records of other intervals and durations
  std::size_t columns = 0;         ///< compared
};

SeriesComparison compare_series(const ResultsReader& a, const ResultsReader& b, const Tolerances& tolerances);

/// Units of all recorded columns, each once.
std::vector<std::string> recorded_units(const ResultsReader& results);

}  // namespace wattloop::twin
