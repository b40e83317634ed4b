// Measured power over time, read from a CSV file (core/tables/csv_table.hpp): a column of times, then power, one column for each node, rack or
// GPU, their names in the first line.
//
//   t_s,node_1,node_2        each sample holds until the next; an empty cell is a missing sample
//   0,6930,
//   2,7143,7127
//
// Missing samples: the last value holds, the start is filled backwards, and every hole is listed. The
// interval is the median step. Holes of more than three intervals are problems unless `fill` says what to put
// there; rows that are missing as a whole are holes of every column. Of dates, rows before the run are left out.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tables/time_stamps.hpp"
#include "core/text/problem.hpp"
#include "workload/work/parameters.hpp"

namespace wattloop::workload {

/// Samples that are missing in one column.
struct Hole {
  std::size_t column = 0;  ///< index into `PowerTrace::names`
  double start_s = 0.0;    ///< the first missing stamp
  int intervals = 0;       ///< how many samples are missing in a row
  int line = 0;            ///< of the file: where the missing sample would stand, or the row after missing rows
};

/// Holes are filled and listed.
struct PowerTrace {
  std::string file;
  std::vector<double> stamps_s;      ///< increasing
  std::vector<std::string> names;    ///< of the selected columns
  std::vector<double> power_w;       ///< [row * columns() + column]
  std::vector<Hole> holes;           ///< in the order of columns, then time
  double interval_s = 0.0;           ///< median step
  std::size_t ended_columns = 0;     ///< that end before the file does, with `fill: end`
  std::vector<std::string> notes{};  ///< for the user: of its times

  std::size_t rows() const { return stamps_s.size(); }
  std::size_t columns() const { return names.size(); }
  /// From the first stamp to the end of the last sample.
  double duration_s() const { return stamps_s.back() - stamps_s.front() + interval_s; }
  std::span<const double> row(std::size_t index) const {
    return std::span(power_w).subspan(index * columns(), columns());
  }
};

/// For whom a trace is read.
struct TraceRequest {
  Mention named_at = {};            ///< where a scenario named the file: shown if it cannot be opened
  std::optional<RunSpan> run = {};  ///< that dates are placed in; none: they count from the first row
};

/// Reads the file at `path`. Whatever is wrong with it goes into `problems`, and the trace returned is then
/// of no use.
PowerTrace read_power_trace(const std::string& path, const ReplayParams& params, Problems& problems,
                            const TraceRequest& request = {});

/// Which holes to report.
struct HoleListing {
  std::size_t columns = std::numeric_limits<std::size_t>::max();  ///< those of the first so many
  bool every_hole = false;                                        ///< one by one, after the sum
};

/// Lines for the user: the holes summed up, and each of them if asked for.
std::vector<std::string> describe_holes(const PowerTrace& trace, const HoleListing& listing = {});

}  // namespace wattloop::workload
