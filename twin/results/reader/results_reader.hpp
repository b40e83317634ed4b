// Reads a results file, whole or partial: for pictures, reports, repeating a run and tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/schema/event_record.hpp"
#include "twin/results/schema/gpu_throttles.hpp"
#include "twin/results/schema/job_place.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

/// True where the file begins as HDF5 files do (to report results from scenarios on the command line).
bool is_results_file(const std::filesystem::path& file);

/// An open results file. Every function throws `FileError` naming file and dataset where it cannot be read.
class ResultsReader {
 public:
  explicit ResultsReader(std::filesystem::path file);
  ResultsReader(ResultsReader&&) noexcept;
  ResultsReader& operator=(ResultsReader&&) noexcept;
  ~ResultsReader();

  /// Local standard time at which simulated time is zero ("2026-01-01T00:00:00").
  std::string start_iso() const;

  /// Groups that hold series, in the order written.
  std::vector<std::string> tables() const;
  bool has_table(std::string_view group) const;
  bool has_column(std::string_view group, std::string_view column) const;
  /// Without the labels of its items, of which there may be many.
  TableSpec table(std::string_view group) const;
  std::vector<ItemLabels> labels(std::string_view group) const;
  /// Whether its values are means over the intervals that end at their times; false where there is no such column.
  bool is_mean(std::string_view group, std::string_view column) const;

  /// Simulated seconds of the rows.
  std::vector<double> times_s(std::string_view group) const;
  /// All items at one row.
  std::vector<float> frame(std::string_view group, std::string_view column, std::size_t row) const;
  /// One item over all rows.
  std::vector<float> series(std::string_view group, std::string_view column, std::size_t item = 0) const;
  /// Everything, row after row (rows x items).
  std::vector<float> column(std::string_view group, std::string_view column) const;

  /// Empty where the file has none.
  std::vector<EventRecord> events() const;
  std::vector<LimitRecord> limits() const;
  std::vector<JobOutcome> jobs() const;
  std::vector<JobPlace> placements() const;
  std::vector<MonthRecord> months() const;
  GpuThrottles throttles() const;
  std::vector<LayoutBox> layout() const;
  /// Boxes of a kind in it.
  std::size_t layout_count(std::string_view kind) const;
  Topology topology() const;
  std::vector<NamedValue> summary() const;
  std::vector<NamedValue> provenance() const;

  /// One figure of the summary; nothing where it is absent or a text.
  std::optional<double> summary_number(std::string_view name) const;
  /// One text of the provenance, such as "scenario", which runs again as it is.
  std::optional<std::string> provenance_text(std::string_view name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wattloop::twin
