// `wattloop audit`: every part, and every pair, out for maintenance and lost, and what that costs; resumed by the same command.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit code: 0 done, 2 the hall as it is has no answer, 3 what is required is not so, 130 interrupted. Throws InputError, FileError.
void add_audit(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
