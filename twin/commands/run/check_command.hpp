// `wattloop check`: everything that can be said about a scenario without a run.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit code 0; 2 where the hall has no steady state with nothing out, so that its limits have no values. Throws InputError.
void add_check(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
