// Writes a results file while the simulation runs: rows are copied into a buffer of one chunk row for each
// table, and full buffers are compressed and written by a thread that owns all calls of the file library.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/gpu_throttles.hpp"
#include "twin/results/schema/job_place.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

class RowLog;

/// A results file in the making. Every function may throw `FileError`, also for what failed in the background
/// since the last call. An earlier file of the same name stays untouched until `finish` replaces it, and no one else may write
/// it meanwhile (twin/platform/output_lock.hpp).
class ResultsWriter {
 public:
  /// Creates missing folders and the partial file. `start_iso` is the local standard time at which simulated
  /// time is zero ("2026-01-01T00:00:00"). The partial file, which no other process has, stands beside `file`, named after `partial_of`
  /// where that is given: "a/run.h5" -> "a/run.h5.4711-host-9f86d081a3c1e25b.partial.h5".
  ResultsWriter(std::filesystem::path file, std::string start_iso, const std::filesystem::path& partial_of = {});
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  /// Leaves the partial file, readable, unless `finish` or `abandon` came before, and none where the disk did not take it; never throws.
  ~ResultsWriter();

  /// Returns the number by which `append` knows the table.
  std::size_t add_table(const TableSpec& table);

  /// Adds one row. `values` holds all items of the first column, then all of the second, and so on. Times of
  /// a table ascend. Allocates nothing; waits where the disk is slower than the simulation.
  void append(std::size_t table, double time_s, std::span<const float> values);

  /// Has rows kept beside the file from here on, too; `log` must outlive the writer, null ends it.
  void keep_rows(RowLog* log);

  /// Adds events to those already written.
  void write_events(std::span<const EventRecord> events);

  /// These eight are written once.
  void write_layout(std::span<const LayoutBox> boxes);
  void write_topology(const Topology& topology);
  void write_limits(std::span<const LimitRecord> limits);
  void write_jobs(std::span<const JobOutcome> jobs);
  void write_placements(std::span<const JobPlace> places);
  void write_months(std::span<const MonthRecord> months);
  void write_throttles(const GpuThrottles& throttles);
  void write_summary(std::span<const NamedValue> values);
  void write_provenance(std::span<const NamedValue> values);

  /// Writes what is buffered, closes, seals (twin/results/hdf5/results_seal.hpp) and gives the file, once it is on the disk, its name.
  void finish();

  /// Where what is written stands until then.
  const std::filesystem::path& partial() const;

  /// Writes what is buffered, closes and seals; returns the path of the partial file, which stays (after Ctrl-C).
  std::filesystem::path abandon();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace wattloop::twin
