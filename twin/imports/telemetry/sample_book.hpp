// Where readers of logs put their samples: series by name, stamps of one clock, order and doubles checked.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tables/csv_text.hpp"
#include "core/text/problem.hpp"
#include "twin/imports/telemetry/log_clock.hpp"
#include "twin/imports/telemetry/power_log.hpp"

namespace wattloop::twin {

/// A stamp, a value, and the line that has both.
struct LoggedSample {
  double time_s;
  double value;
  const CsvLine& line;
  int column;  ///< of the value
};

class SampleBook {
 public:
  explicit SampleBook(PowerLog& log, std::vector<PowerSeries>& series) : log_(log), series_(series) {}

  /// Of a new file: stamps may go back.
  void begin_file(const std::string& file);
  /// Number of a series; a new one where the names are new.
  std::size_t series_of(std::string_view node, std::string_view gpu);
  /// All stamps of a log are of one kind; reported once a file where not.
  void demand_clock(ClockKind kind, CsvProblems& problems);
  void add(std::size_t series, const LoggedSample& sample, CsvProblems& problems);

  /// Sorts what came late, by up to three intervals; rows that came later than that are problems.
  void finish(Problems& problems);

 private:
  struct Order {
    double latest_s;
    bool is_sorted = true, is_begun = false;
    std::size_t late = 0;
    double most_late_s = 0.0;
    Problem worst{};
  };
  void note_late(std::size_t series, const LoggedSample& sample);

  PowerLog& log_;
  std::vector<PowerSeries>& series_;
  std::vector<Order> orders_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::string file_;
};

/// "612.34 W", "612.34": a number and its unit. None where it is no such.
struct CellQuantity {
  double value;
  std::string_view unit;
};
std::optional<CellQuantity> quantity_in(std::string_view text);

/// Nothing, N/A, "[Not Supported]", "[GPU requires reset]": no number, and no mistake.
bool is_missing_sample(std::string_view text);

/// Watts of one column of cells: finite, not negative, in one unit. Reports what is not.
class PowerCells {
 public:
  /// `unit`: of cells that have none; W, kW or mW.
  PowerCells(std::string name, std::string_view unit, CsvProblems& problems);
  /// None where there is no sample, or no good one; `missing` counts the former.
  std::optional<double> read(const CsvLine& line, const CsvCell& cell, std::size_t& missing);

 private:
  std::string name_, unit_, written_unit_;
  CsvProblems& problems_;
  double per_unit_w_ = 1.0;
  bool has_written_unit_ = false, is_read_ = false;
};

/// W of a unit of power of logs; none where it is no such unit.
std::optional<double> watts_of_unit(std::string_view unit);

}  // namespace wattloop::twin
