// `wattloop diagram KIND RESULTS`: one picture of a report as a file.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Writes the file and says where. Exit code 0. Throws FileError, InputError.
void add_diagram(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
