// `wattloop compare`: results beside results, or beside measurements.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit code 0, or 3 where a limit is violated. Throws InputError, FileError.
void add_compare(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
