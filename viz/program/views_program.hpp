// Commands of another program: that of pictures, which loads a hundred libraries that no other command needs.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wattloop::viz {

/// Adds `view` and `export`, which become that program with all of `argv`. FileError where it is missing.
void add_views(CLI::App& app, std::function<int()>& action, char** argv);

}  // namespace wattloop::viz
