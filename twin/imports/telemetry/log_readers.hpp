// Readers of logs of power, one for each format: lines in, samples into books.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/tables/log_lines.hpp"
#include "twin/imports/telemetry/power_log.hpp"
#include "twin/imports/telemetry/sample_book.hpp"

namespace wattloop::twin {

/// What all files of one import share.
struct ReadingLogs {
  const LogRequest& request;
  PowerLog& log;
  SampleBook& powers;
  SampleBook& energies;     ///< counters, J
  std::size_t scrapes = 0;  ///< of logs without stamps, of all files
};

/// One of these files.
struct ReadingFile {
  ReadingLogs& logs;
  LogLines& lines;
  CsvProblems& problems;
  std::string node;  ///< what the file is called, where the log names no node
  bool is_alone;     ///< no other file is read
};

void read_nvidia_smi(ReadingFile& file);
void read_wide_table(ReadingFile& file);
void read_long_table(ReadingFile& file);
void read_dcgm_exporter(ReadingFile& file);
void read_dcgmi_dmon(ReadingFile& file);
void read_mlperf_log(ReadingFile& file);
void read_mlperf_events(ReadingFile& file);
void read_ptd_log(ReadingFile& file);

struct LogFormat {
  std::string_view name;
  std::string_view words;
  void (*read)(ReadingFile&);
};

inline constexpr std::array log_formats{
    LogFormat{"nvidia-smi", "nvidia-smi --query-gpu=... --format=csv", &read_nvidia_smi},
    LogFormat{"dcgm-exporter", "DCGM exporter, Prometheus text", &read_dcgm_exporter},
    LogFormat{"dcgmi-dmon", "dcgmi dmon -e 155,156", &read_dcgmi_dmon},
    LogFormat{"mlperf", "MLPerf log with power_reading", &read_mlperf_log},
    LogFormat{"mlperf-events", "events of an MLPerf run", &read_mlperf_events},
    LogFormat{"ptd", "log of PTDaemon", &read_ptd_log},
    LogFormat{"wide", "table with a column for each node or GPU", &read_wide_table},
    LogFormat{"long", "table with a row for each node or GPU and time", &read_long_table},
};

/// The format that the first lines are of; none, with a problem, where they are of no known one.
const LogFormat* detect_format(const std::string& file, Problems& problems);

/// Whether a column of that name has power: not a limit of it, nor its state.
bool is_power_name(std::string_view name);

/// The unit at the end of a name, "node_1_kW", "power [W]"; empty: none.
std::string_view unit_of_name(std::string_view name);

/// The time of a sample of a log without stamps: the interval that the command line gives; reported where it gives none.
std::optional<double> time_of_scrape(ReadingFile& file, std::string_view what_to_do);

}  // namespace wattloop::twin
