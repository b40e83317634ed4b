// Series of a log, made ready to become rows: clocks, stretch of time, holes, ends of records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/imports/telemetry/power_log.hpp"

namespace wattloop::twin {

struct SeriesOptions {
  std::string fill = "hold";    ///< of holes of more than three intervals: hold, interpolate, zero
  double longest_gap_s = 0.0;   ///< 0: ten seconds or three intervals, whichever is more
  bool is_common_span = false;  ///< only the time that all series cover
  bool is_run_only = false;     ///< only from run_start until run_stop of the events
  std::string align{};          ///< none, first; empty: refused where clocks seem to differ
};

/// A hole: samples that are missing in a row in one series.
struct SeriesHole {
  std::string series;
  double from_s = 0.0, until_s = 0.0;  ///< the samples around it, of the clock of the log
  std::size_t samples = 0;
};

/// When the records of a node begin, after the earliest one.
struct NodeBegin {
  std::string node;
  double after_first_s;
};

/// What was found, for the report.
struct SeriesFacts {
  double begin_s = 0.0, end_s = 0.0;  ///< of the clock of the log; the end of the last sample
  double interval_s = 0.0;            ///< the usual step of the fastest series
  double shortest_step_s = 0.0, longest_step_s = 0.0;
  std::size_t samples = 0, holes = 0, missing_samples = 0, long_holes = 0;
  SeriesHole longest_hole{};
  std::vector<std::string> late_series{}, ended_series{};      ///< 0 W before and after their records
  std::vector<NodeBegin> node_begins{};                        ///< that differ by more than one and a half intervals
  std::vector<std::pair<std::string, std::string>> doubles{};  ///< a series and the one before it that it repeats
  double energy_j = 0.0;                                       ///< each sample until the next one of its series
};

/// "node_1.gpu_3", "gpu_3" where there is one node, "node_1".
std::string series_name(const PowerSeries& series, bool is_one_node);

/// Series in the order of nodes and GPUs, of equal stretches of time and with no hole that `fill` does not bridge; what cannot be is a problem.
SeriesFacts prepare_series(PowerLog& log, const SeriesOptions& options, Problems& problems);

}  // namespace wattloop::twin
