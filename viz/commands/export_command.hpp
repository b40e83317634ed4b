// `wattloop export RESULTS`: an XDMF file with which ParaView plays a run from its results file, and a state that shows it at once.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "viz/export/playback.hpp"

namespace CLI {
class App;
}

namespace wattloop::viz {

/// As given on the command line.
struct ExportOptions {
  std::filesystem::path results{};
  std::filesystem::path output{};  ///< empty: the results file's name ending in .xdmf2
  bool has_every_record = false;
  std::size_t most_frames = usual_frames;
  std::string from{}, to{};  ///< "30 min"; empty: the whole run
};

/// Writes the XDMF file and a Python state of ParaView beside it, and says so on standard output; returns the exit code 0. Throws `InputError` and
/// `FileError`.
int export_xdmf(const ExportOptions& options);

/// Adds `export`, which leaves what it has to do in `action`.
void add_export_command(CLI::App& app, std::function<int()>& action);

}  // namespace wattloop::viz
