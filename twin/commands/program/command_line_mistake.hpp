// What is said about a command line that cannot be followed: the word that is wrong, the nearest right one,
// where to look.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Error;
class Validator;
}  // namespace CLI

namespace wattloop::twin {

/// Text for standard error, in the form of every other mistake.
std::string command_line_mistake(const CLI::App& program, const CLI::Error& error);

/// Accepts these words only; others are answered with the nearest.
CLI::Validator one_of(std::vector<std::string> choices);

}  // namespace wattloop::twin
