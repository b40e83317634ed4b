// `wattloop view RESULTS`: a picture of a run from its results file.
#pragma once

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace wattloop::viz {

/// As given on the command line.
struct ViewOptions {
  std::filesystem::path results;
  std::filesystem::path output;            ///< empty: the results file's name ending in .png
  std::string at;                          ///< "30 min"; empty: when a die is hottest
  std::string field = "die_temperature";   ///< or "power"
  std::string size = "1600x1000";
};

/// Writes the picture and says so on standard output; returns the exit code 0. Throws `InputError` and `FileError`.
int view(const ViewOptions& options);

/// Adds the subcommand, which calls `view` when it is parsed; what `view` throws comes out of `program.parse`.
void add_view_command(CLI::App& program);

}  // namespace wattloop::viz
