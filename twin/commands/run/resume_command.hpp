// `wattloop resume`: a run from its checkpoint to the end.
#pragma once

#include <filesystem>
#include <functional>

#include "twin/commands/run/run_command.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

/// `named` is a checkpoint, or the results whose run left one; of `options` those count that say how it is shown, how many threads it
/// has and how often it is saved. Exit code and throws: as `run`.
int resume(const std::filesystem::path& named, RunOptions options);

void add_resume(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
