// `wattloop import jobs FILE`: a table of jobs from the log of a scheduler.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Below `import`. Exit code 0; the report on standard output, notes on standard error. Throws InputError with every mistake, FileError.
void add_import_jobs(CLI::App& import, std::function<int()>& action);

}  // namespace wattloop::twin
