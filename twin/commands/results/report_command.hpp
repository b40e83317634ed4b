// `wattloop report RESULTS`: a run, a study or the difference of two runs as one HTML page.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// Writes the page and says where. Exit code 0. Throws FileError, InputError.
void add_report(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
