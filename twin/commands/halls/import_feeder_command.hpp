// `wattloop import feeder DIR`: a scenario with a one-line diagram from tables of buses and branches.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Below `import`. Exit code 0. Throws InputError with every mistake, FileError.
void add_import_feeder(CLI::App& import, std::function<int()>& action);

}  // namespace wattloop::twin
