// `wattloop search`: the value at a limit, an optimum, what matters most; resumed by the same command.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit code: 0 an answer, 2 none that can be trusted (runs failed, not monotone), 3 no value in the range holds, 130 interrupted. Throws
/// InputError, FileError, SolverError.
void add_search(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
