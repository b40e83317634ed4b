// `wattloop completion bash|zsh|fish`: what a shell completes, from the commands and options there are.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace wattloop::twin {

/// A script for "bash", "zsh" or "fish". Options of commands that are another program's are asked for when they are needed.
std::string completion_script(const CLI::App& program, std::string_view shell);

/// Adds `completion`, which leaves what it has to do in `action`.
void add_completion(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::twin
