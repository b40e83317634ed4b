// Two columns of a study against each other, in the colours of a third, as a picture that stands alone.
#pragma once

#include <string>

#include "twin/study/tables/study_table.hpp"

namespace wattloop::twin {

/// Names of columns as the table has them: "supply", "pue", "peak_die_temperature <= 85 degC", "exit_code".
struct StudyChart {
  std::string x{}, y{};
  std::string by{};  ///< empty: one colour for all
};

/// Runs that have both values; of how many there is none is reported in the heading. Lines where each x of a colour has one run, else dots.
/// Throws InputError where a column is not in the table, with the nearest that is, and where no run has both values.
std::string study_chart_file(const StudyTable& table, const StudyChart& chart);

}  // namespace wattloop::twin
