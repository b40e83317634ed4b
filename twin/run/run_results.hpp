// A run on its way to a results file, whoever runs it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "twin/results/writer/results_writer.hpp"
#include "twin/run/hall_run.hpp"

namespace wattloop::twin {

/// Layout, topology and tables of the run go to `writer` from here on. Null where the scenario keeps the summary alone. The recorder is of
/// the caller, and outlives the run.
std::unique_ptr<Recorder> record_run(HallRun& run, ResultsWriter& writer);

/// Where a run came from, for the provenance of its results.
struct RunSources {
  std::string scenario_file;  ///< from the root of the file system
  std::string inputs;         ///< files and variables with their checksums, one a line
  std::string overrides;      ///< changes of the scenario, one a line
  int threads = 1;
  double relative_tolerance_ratio = 0.0;
};

std::vector<NamedValue> provenance_of(const HallRun& run, const RunSources& sources);

/// What is known at the end of a run besides its tables.
struct RunClose {
  std::span<const NamedValue> figures;
  std::span<const EventRecord> events;
  std::span<const LimitRecord> limits;
  std::span<const NamedValue> about;   ///< provenance
  const Recorder* recorder = nullptr;  ///< of the run, if it has one
};

void write_end(const FinishedRun& run, const RunClose& close, ResultsWriter& writer);

}  // namespace wattloop::twin
