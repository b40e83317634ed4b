// `wattloop import hall DIR`: a scenario from lists of racks, CDUs and power.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Exit code 0; notes and warnings on standard error. Throws InputError with every inconsistency, FileError.
void add_import(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
