// The commands that read what runs have left: their options, for the command line.
#pragma once

#include <functional>

#include "twin/commands/run_end.hpp"

namespace CLI {
class App;
}

namespace wattloop::twin {

/// --json, --full, --units.
void add_end_style(CLI::App& command, EndStyle& style);

/// Adds `summary`, `compare`, `events`, `report` and `diagram`. Each leaves what it has to do in `action`.
void add_results_commands(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
