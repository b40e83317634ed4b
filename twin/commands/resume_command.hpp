// `wattloop resume`: a run from its checkpoint to the end.
#pragma once

#include <filesystem>

#include "twin/commands/run_command.hpp"

namespace wattloop::twin {

/// `named` is a checkpoint, or the results whose run left one; of `options` those count that say how it is shown, how many threads it
/// has and how often it is saved. Exit code and throws: as `run`.
int resume(const std::filesystem::path& named, RunOptions options);

}  // namespace wattloop::twin
