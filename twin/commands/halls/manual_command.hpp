// `wattloop manual`: a man page, from the texts of the help.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// In the macros of man(7).
std::string manual_page(const CLI::App& program);

/// Adds `manual`, which leaves what it has to do in `action`.
void add_manual(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
