// Figures of several summaries side by side.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// One figure in all files that have it.
struct FigureRow {
  std::string name, unit;
  std::vector<std::optional<NamedValue>> of;  ///< [file]

  bool is_text() const;
  bool is_equal() const;  ///< in all files; what is not a number equals itself
  /// Not a number where it is none, or a text, or absent.
  double number(std::size_t file) const;
  /// File less first file, and that over the first file's size: not a number where that is zero, and of temperatures.
  double difference(std::size_t file) const { return number(file) - number(0); }
  double difference_ratio(std::size_t file) const;
};

/// In the order of the first file, then what only later ones have. Without the time that the run took.
std::vector<FigureRow> figures_side_by_side(std::span<const std::vector<NamedValue>> summaries);

}  // namespace wattloop::twin
