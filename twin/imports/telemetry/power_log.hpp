// Measured power as a log has it: series of samples, each with stamps of its own, before they become rows of a trace.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// What stamps of a log count from: some start, midnight of 1970 in UTC, or the same of a clock whose offset no one said.
enum class ClockKind { seconds, unix_time, date };

/// Samples of one GPU or one node.
struct PowerSeries {
  std::string node;               ///< as the log calls it; else the name of the file
  std::string gpu;                ///< empty: the node itself
  std::vector<double> times_s{};  ///< increasing once the log is read
  std::vector<double> power_w{};
};

/// What a log of events says of its run.
struct RunEvents {
  std::optional<double> start_s{}, stop_s{};  ///< of the clock of the log
  std::size_t evaluations = 0;
  std::size_t step_times = 0;  ///< that are recorded
  double mean_step_s = 0.0;
};

struct PowerLog {
  std::string format;
  std::vector<std::string> files{};
  std::optional<ClockKind> clock{};
  std::vector<PowerSeries> series{};
  std::optional<RunEvents> events{};
  std::string boundary{};         ///< gpu, board, node_ac, node_dc where the log says it
  std::string boundary_source{};  ///< how it says that
  std::vector<std::string> notes{};
  std::size_t missing_cells = 0;  ///< without a number
  std::size_t late_rows = 0;      ///< that came after a later stamp of their series, and were sorted
  double most_late_s = 0.0;
  std::size_t counter_resets = 0;   ///< of energy counters
  std::size_t repeated_values = 0;  ///< scrapes of an energy counter that had not been renewed
  std::size_t repeated_heads = 0;   ///< header lines after the first
  bool has_counter_means = false;   ///< power is the difference of an energy counter over its interval
};

/// What the command line says of all logs.
struct LogRequest {
  std::string format{};                ///< empty: detected
  std::vector<std::string> columns{};  ///< of wide tables: those of power; empty: by their names
  std::string unit{};                  ///< of tables that do not say it; empty: W
  std::optional<double> interval_s{};  ///< between samples, of logs without stamps
  std::string quantity = "energy";     ///< of logs with both: the counter, or power
  std::string boundary{};              ///< as the command line says it
};

/// "2023-09-15T10:23:45.123" of a clock that has dates; of one that counts seconds "12.5 s".
std::string clock_text(ClockKind clock, double time_s);

/// A duration for people: "0.1 s", "11 min 36 s".
std::string span_text(double seconds);

}  // namespace wattloop::twin
