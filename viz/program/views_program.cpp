#include "viz/program/views_program.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/program_files.hpp"

namespace wattloop::viz {

namespace {

namespace fs = std::filesystem;

/// Beside the program in a build tree, else where it is installed.
[[noreturn]] void become_views(char** argv) {
  std::error_code error;
  const fs::path folder = twin::program_of_people().parent_path();
  const std::array places{folder / "wattloop_views", (folder / WATTLOOP_LIBEXEC / "wattloop_views").lexically_normal()};
  for (const fs::path& place : places) {
    if (!fs::exists(place, error)) continue;
    execv(place.c_str(), argv);
    throw FileError(fmt::format("cannot start {}: {}", place.string(), std::strerror(errno)));
  }
  throw FileError(fmt::format("the program that makes pictures is not installed: there is neither {} nor {}",
                              places[0].string(), places[1].string()));
}

}  // namespace

void add_views(CLI::App& app, std::function<int()>& action, char** argv) {
  for (const auto& [name, what] : {std::pair("view", "Draw a run: the hall at one time and a timeline beside it"),
                                   std::pair("export", "Let ParaView play a run: XDMF that refers to its results")}) {
    CLI::App* command = app.add_subcommand(name, what)->prefix_command();
    command->set_help_flag();  // theirs
    command->callback([&action, argv] { action = [argv]() -> int { become_views(argv); }; });
  }
}

}  // namespace wattloop::viz
