// `wattloop jobs RESULTS`: what became of each job of a queue, from a results file.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Prints a line for each job, or a JSON array of each. Exit code 0. Throws FileError, also for results without jobs of a queue.
void add_jobs(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
