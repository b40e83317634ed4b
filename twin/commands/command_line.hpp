// The command line: commands register themselves with one application; errors become text and exit codes in one place.
#pragma once

#include <functional>
#include <memory>

#include "twin/commands/program/exit_codes.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Adds `run`, `check`, `explain` and the commands that read results. The chosen command stores its work in `action`.
void add_twin_commands(CLI::App& app, std::function<int()>& action);

/// Runs `action`, printing what it throws to standard error; returns the exit code, that of standard output included.
int run_action(const std::function<int()>& action);

}  // namespace wattloop::twin
