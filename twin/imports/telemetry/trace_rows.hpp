// Series of samples as rows of a trace that a replay reads as it is.
//
// Samples that were taken together are a row, at the stamp of the first of them, with their values to the last digit. Where series have clocks of
// their own, so that hardly any are together, rows are even and have the means of what the series hold, with the same energy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/imports/telemetry/power_log.hpp"
#include "twin/imports/telemetry/trace_series.hpp"

namespace wattloop::twin {

struct TraceRows {
  std::vector<std::string> names{};    ///< of columns
  std::vector<std::string> nodes{};    ///< in their order
  std::vector<std::size_t> node_of{};  ///< [column] index into `nodes`
  std::vector<std::string> gpus{};     ///< [column] empty: the node itself
  std::vector<double> stamps_s{};      ///< from 0, increasing
  std::vector<double> power_w{};       ///< [row * columns() + column]; not a number: missing, three in a row at most
  double interval_s = 0.0;             ///< median step
  bool has_means = false;              ///< rows are means over even intervals
  std::size_t bridged_cells = 0;       ///< of holes that `hold` bridges

  std::size_t rows() const { return stamps_s.size(); }
  std::size_t columns() const { return names.size(); }
};

/// `is_even`: rows of one interval, whatever the stamps are.
TraceRows rows_of_series(const PowerLog& log, const SeriesFacts& facts, bool is_even);

/// Missing cells have the value before them, or the first one; a trace that goes round has none.
void hold_missing_cells(TraceRows& trace);

/// Each value until the next one of its column, the last row for one interval.
double energy_j(const TraceRows& trace);

}  // namespace wattloop::twin
