// Logs in a folder of their own, imported, and the trace that comes of them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/imports/telemetry/import_telemetry.hpp"
#include "twin/imports/telemetry/telemetry_report.hpp"
#include "twin/imports/telemetry/trace_file.hpp"
#include "workload/replay/power_trace.hpp"

namespace wattloop::tests {

class LogFolder {
 public:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    files_.push_back(file);
    return file;
  }

  /// All files so far, in their order.
  twin::ImportedTelemetry import(const twin::TelemetryOptions& options = {}) const {
    return twin::import_telemetry(files_, options);
  }

  /// All problems as users see them, files by their names alone; empty where there are none.
  std::string problems(const twin::TelemetryOptions& options = {}) const {
    try {
      import(options);
    } catch (const InputError& error) {
      std::string text;
      for (Problem problem : error.problems()) {
        const std::string folder = folder_.path().string() + "/";
        if (problem.place.file.starts_with(folder)) problem.place.file.erase(0, folder.size());
        text += format_problem(problem);
      }
      return text;
    }
    return {};
  }

  /// What a replay reads of the trace that is written.
  workload::PowerTrace replayed(const twin::ImportedTelemetry& imported) const {
    const std::string file = (folder_.path() / "written_trace.csv").string();
    twin::write_trace(imported, file);
    Problems problems;
    workload::PowerTrace trace = workload::read_power_trace(file, {}, problems);
    problems.throw_if_any(file);
    return trace;
  }

  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::vector<std::filesystem::path> files_;
};

/// Values of one column of a trace.
inline std::vector<double> column_of(const workload::PowerTrace& trace, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < trace.rows(); ++row) values.push_back(trace.row(row)[column]);
  return values;
}

}  // namespace wattloop::tests
