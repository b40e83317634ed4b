// `wattloop events RESULTS`: what happened in a run, from its results file.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Prints a line for each event (of the kind `first_throttle`, where it is asked for, one for each GPU), of nodes that heat switches off together one for all unless kinds are asked for, or a JSON array of each; what did not happen is reported on standard error. Exit code 0. Throws FileError.
void add_events(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
