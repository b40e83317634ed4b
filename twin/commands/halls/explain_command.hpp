// `wattloop explain`: the language, the hardware library, and what stands in a scenario's plant.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Prints what was asked for; the exit code. Throws InputError for names and scenarios that are not.
void add_explain(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
