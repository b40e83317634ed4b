// Findings of a study for a decision: margins to limits, values of changes at which limits are first violated, a run nearby that meets
// all limits, and how much each change matters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// A run and the margin of its figure to the limit, in the unit of the figure; negative: beyond the limit.
struct RunMargin {
  std::size_t row = 0;
  double margin = 0.0;
};

/// Values of a change that is a number, in their order, and whether every run at each holds the limit.
struct FirstViolation {
  std::size_t change = 0;  ///< column
  double smallest_violated = 0.0, largest_violated = 0.0;
  /// All runs hold at it and below it, or at it and above it; nothing where that is less than a twentieth of the values: of
  /// samples some hold by chance.
  std::optional<double> largest_met{}, smallest_met{};
};

struct LimitFinding {
  std::size_t column = 0;  ///< of the verdict
  std::size_t judged = 0, violating = 0;
  std::vector<std::size_t> violating_rows{};
  std::optional<std::size_t> figure{};  ///< column, where the figure is kept
  std::optional<RunMargin> least_met{}, worst{};
  std::vector<FirstViolation> first{};
  /// The run nearest to the worst that holds every limit: fewest changes apart, then the shortest way of the numbers. A run without what
  /// the worst suffered (a text that it has and the other has not, such as the part that failed) is no remedy.
  std::optional<std::size_t> remedy_row{};
  std::optional<double> remedy_margin{};
};

std::vector<LimitFinding> limit_findings(const StudyTable& table);

/// Share of the variance of a figure that a change explains by itself: the correlation ratio, 0 to 1. Numbers with more than
/// twelve values are taken in ten classes of equal size. Nothing where the figure does not vary.
std::optional<double> explained_share(const StudyTable& table, std::size_t change, std::size_t figure);

}  // namespace wattloop::twin
