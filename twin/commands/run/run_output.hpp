// Where a run may write its results: not over what it reads, not over what Wattloop did not write.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "twin/commands/run/run_command.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The file of the results: that of `-o` or results/NAME.h5.
std::filesystem::path named_output(const RunOptions& options, const Scenario& scenario);

/// What results are known by, as their provenance has it; texts are empty where it does not say.
struct RunRecord {
  std::string overrides;      ///< `--set` and `--event`, one a line
  std::string scenario_file;  ///< from the root of the file system
  std::string inputs;         ///< with their checksums (twin/commands/run/run_inputs.hpp)
};

/// Nothing where the file is damaged, or of a run that did not end.
std::optional<RunRecord> read_run_record(const std::filesystem::path& results);

struct AllowedOutput {
  std::filesystem::path file;        ///< with links followed
  std::optional<RunRecord> earlier;  ///< of the results that stand there
};

/// Throws InputError where it is an input of the run, where Wattloop did not write it (unless forced), and, for a name that no one
/// chose, where it holds a run of another scenario or with other overrides; FileError where it is no file.
AllowedOutput allowed_output(const RunOptions& options, const Scenario& scenario, const RunRecord& record);

}  // namespace wattloop::twin
