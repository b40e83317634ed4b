// `wattloop summary RESULTS`: prints from a file what a run or a study printed at its end.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Prints what `run` or `study` printed. Exit code 0, or 3 where a limit is violated, 2 where runs of a study have no answer. Throws InputError, FileError.
void add_summary(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
