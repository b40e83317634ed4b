// The front of two figures of a study: `wattloop study --pareto pue,max:smallest_throttle_margin`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// A column of the table, and what is sought of it.
struct ParetoFigure {
  std::size_t column = 0;
  bool is_most = false;  ///< the largest; else the smallest
};

/// "pue,max:smallest_throttle_margin": the smallest where nothing is said. Throws InputError.
std::vector<ParetoFigure> pareto_figures(const std::string& text, const std::vector<TableColumn>& columns);

/// Rows of the front, by the first figure, of runs that have an answer and violate no limit.
StudyTable front_of(const StudyTable& table, const std::vector<ParetoFigure>& figures);

/// "3 of 6 runs are on the front", and a line for each.
std::string front_text(const StudyTable& front, const std::vector<ParetoFigure>& figures);

}  // namespace wattloop::twin
