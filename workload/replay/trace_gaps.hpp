// Holes in a power trace: found, listed, filled or refused.
//
// The interval is the median step. Between two samples of a column, round((t_b - t_a) / interval) - 1 are
// missing, whether cells are empty or rows are absent. Up to three in a row, the last value holds; the start
// is filled backwards. With `fill: end` a column that ends before the file does is 0 W from there on. Holes outside of what the run
// reads are neither refused nor listed.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "core/tables/csv_text.hpp"
#include "workload/replay/power_trace.hpp"

namespace wattloop::workload {

/// Longest hole, in intervals, that is filled without being asked for.
inline constexpr int longest_silent_hole = 3;

/// Where rows and columns of a trace stand in its file.
struct TraceSource {
  std::vector<CsvLine> lines;             ///< [row]
  std::vector<std::size_t> file_columns;  ///< [column]: cell of the line
  char separator = ',';
  double read_from_s = -std::numeric_limits<double>::infinity();  ///< what the run reads, as stamps have it
  double read_until_s = std::numeric_limits<double>::infinity();
};

/// Sets `interval_s` and `holes` of `trace`, whose missing samples are NaN, and fills them; `fill` as in
/// ReplayParams. `trace` has at least two rows.
void fill_gaps(PowerTrace& trace, const TraceSource& source, std::string_view fill, CsvProblems& problems);

}  // namespace wattloop::workload
