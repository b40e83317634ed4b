// What a results file holds, as plain values: tables of series, layout, summary, provenance (events: event_record.hpp). Written
// by twin/results/writer/results_writer, read by twin/results/reader/results_reader; the file itself is described in
// docs/results_format.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace wattloop::twin {

/// Raised when a reader of the earlier version could misread a file of the new one.
inline constexpr int results_format_version = 3;

/// One recorded quantity. Units as they stand in the file: "K", "W", "1", "kg/s"; write "s" and "h", never
/// "seconds" or "hours", which xarray would turn into time differences.
struct ColumnSpec {
  std::string name{}, unit{}, long_name{};
  bool is_mean = false;  ///< over the interval that ends at its time, else the value at its time
};

/// What is known of the items of a table besides their names or numbers: a text or a number for each.
struct ItemLabels {
  std::string name{}, long_name{};   ///< "rack"
  std::vector<std::string> texts{};  ///< empty where there are numbers
  std::vector<double> numbers{};
  std::string unit{};  ///< of the numbers; empty: they are counts
  bool operator==(const ItemLabels&) const = default;
};

/// A group of series with one time axis of its own.
struct TableSpec {
  std::string group{};               ///< "racks"
  std::string item_dimension{};      ///< "rack"; empty: one series per column ("facility")
  std::vector<std::string> items{};  ///< names, or empty where items are numbered
  std::vector<ColumnSpec> columns{};
  std::size_t numbered_items = 0;    ///< with `items` empty: so many items, numbered from 1 (GPUs)
  std::string item_long_name{};      ///< of the item dimension; may be empty
  std::vector<ItemLabels> labels{};  ///< coordinates

  /// Values of one column at one time.
  std::size_t item_count() const {
    if (item_dimension.empty()) return 1;
    return items.empty() ? numbered_items : items.size();
  }
};

/// A limit that a part was beyond at any time of a run. Values in `unit`, SI.
struct LimitRecord {
  std::string part{}, quantity{}, unit{};
  std::string limited_by{};  ///< in words: "over its rating"
  std::string beyond{};      ///< what happens there: "log", "derate", "trip", "stop"
  double limit = 0.0;
  double worst = 0.0, worst_time_s = 0.0;
  double first_time_s = 0.0;
  double duration_s = 0.0;  ///< beyond it, in all
  bool operator==(const LimitRecord&) const = default;
};

/// What became of a job of a queue. Times NaN where they are not in the run.
struct JobOutcome {
  std::string name{}, state{};  ///< to_come, waiting, running, done, over_limit
  std::int64_t nodes = 0, starts = 0, stops = 0;
  double submitted_s = 0.0, started_s = 0.0, ended_s = 0.0;
  double steps = 0.0;     ///< whole ones
  double done_s = 0.0;    ///< time that the work done takes at full clock without stops
  double saving_s = 0.0;  ///< of it, for checkpoints
  double slowed_s = 0.0, stopped_s = 0.0, redone_s = 0.0;
  double shrunk_s = 0.0;        ///< by which missing nodes delayed it; 0 in files of earlier versions
  double storage_wait_s = 0.0;  ///< waiting for storage that other jobs used; 0 where jobs share none
  double node_time_s = 0.0;     ///< nodes times time that it had them
  double energy_j = 0.0;        ///< of its nodes at their AC inlets while it had them; NaN in files of earlier versions
  std::string waited_for{};     ///< up to its first start, or the end of the run: "12 min for nodes"
  std::string why{};            ///< it waits, stopped last or ended early; empty: nothing held it up
  bool operator==(const JobOutcome&) const = default;
};

/// From its submission, or the begin of the run, to its first start, or the end of the run where it had none; NaN of one that is to come.
inline double wait_s(const JobOutcome& job, double end_s) {
  if (job.state == "to_come") return std::numeric_limits<double>::quiet_NaN();
  const double from_s = std::isnan(job.submitted_s) ? 0.0 : job.submitted_s;
  return std::max(0.0, (std::isnan(job.started_s) ? end_s : job.started_s) - from_s);
}

/// Time with its nodes in which it came no further.
inline double lost_s(const JobOutcome& job) {
  return job.slowed_s + job.shrunk_s + job.stopped_s + job.redone_s + job.storage_wait_s;
}

/// A component that can be drawn: a box with its faces along the axes; z points up.
struct LayoutBox {
  std::string name{}, kind{};
  std::string parent{};  ///< name of the component it stands in; may be empty
  std::array<double, 3> centre_m{};
  std::array<double, 3> size_m{};
  bool operator==(const LayoutBox&) const = default;
};

/// One figure or text of the summary or of the provenance. Unit empty for text and plain counts.
struct NamedValue {
  std::string name{};
  std::variant<double, std::int64_t, std::string> value{};
  std::string unit{}, long_name{};
  std::string reason{};  ///< why it is not a number, where it is none; else empty
  bool operator==(const NamedValue&) const = default;
};

/// What of a calendar month a run has.
struct MonthRecord {
  std::string month{};                ///< "2026-01"
  double begin_s = 0.0, end_s = 0.0;  ///< of the run
  std::vector<NamedValue> figures{};  ///< numbers, the same of all months
  bool operator==(const MonthRecord&) const = default;
};

}  // namespace wattloop::twin
