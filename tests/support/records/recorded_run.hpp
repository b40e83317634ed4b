// A run in process with everything that a command-line run leaves behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/results/schema/results_schema.hpp"
#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::tests {

struct RecordedRun {
  std::vector<twin::NamedValue> summary;
  std::string text;  ///< the summary for people
};

enum class RunWith { monolithic, multirate };

/// Runs a scenario under `work`; records into `file`.
RecordedRun record_run(const twin::Scenario& scenario, const workload::Workload& work,
                       const std::filesystem::path& file, RunWith integrator);

/// Runs a scenario under `SquareWork` with a period of 16 s, so that all instants are whole seconds; records into `file`.
RecordedRun record_run(const twin::Scenario& scenario, const std::filesystem::path& file,
                       RunWith integrator = RunWith::monolithic);

}  // namespace wattloop::tests
