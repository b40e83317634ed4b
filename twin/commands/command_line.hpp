// The command line: commands register themselves with one application; errors become text and exit codes in one place.
#pragma once

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit codes, stable: 0 done, 1 bad input, 2 no trustworthy answer, 3 a declared limit was violated, 4 a file, the disk or
/// standard output failed, 5 the machine or the program failed (memory), 75 asked to end and saved (run_checkpoints.hpp), 130
/// interrupted.
enum ExitCode : int {
  done = 0,
  bad_input = 1,
  solver_failure = 2,
  limit_violated = 3,
  file_failure = 4,
  machine_failure = 5
};

/// Adds `run`, `check`, `explain` and those that read results. Each leaves what it has to do in `action`.
void add_twin_commands(CLI::App& app, std::function<int()>& action);

/// Runs `action`, printing what it throws to standard error; returns the exit code, that of standard output included.
int run_action(const std::function<int()>& action);

}  // namespace wattloop::twin
