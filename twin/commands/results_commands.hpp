// The commands that read what runs have left: their options, for the command line.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Adds `summary`, `compare`, `events` and `report`. Each leaves what it has to do in `action`.
void add_results_commands(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
