// Where a run may write its results: not over what it reads, not over what Wattloop did not write.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/commands/run_command.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// The file of the results: that of `-o` or results/NAME.h5.
std::filesystem::path named_output(const RunOptions& options, const Scenario& scenario);

/// The file that `output` is once links are followed. `overrides` are those of the run, as they are stored with its results.
/// Throws InputError where it is an input of the run, where Wattloop did not write it (unless forced), and, for a name that nobody
/// chose, where it holds a run with other overrides; FileError where it is no file.
std::filesystem::path allowed_output(const RunOptions& options, const Scenario& scenario, const std::string& overrides);

}  // namespace wattloop::twin
