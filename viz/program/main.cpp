// The program: the commands of the twin, and those that become the program of the views.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/numbers/instruction_level.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/platform/version.hpp"
#include "twin/platform/waiting_threads.hpp"
#include "viz/program/views_program.hpp"

int main(int argc, char** argv) {
  wattloop::twin::keep_standard_streams();
  CLI::App app{
      "Wattloop follows every watt of a GPU training hall, from the utility feed to the chip and out through "
      "the "
      "coolant to the sky.",
      "wattloop"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("{} (commit {}, instructions {})", wattloop::twin::version(),
                                                wattloop::twin::commit(), wattloop::instructions()));
  std::function<int()> action;
  wattloop::twin::add_twin_commands(app, action);
  wattloop::viz::add_views(app, action, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return wattloop::twin::after_output(app.exit(error) == 0 ? 0 : wattloop::twin::bad_input);
  }
  const CLI::App* run = app.get_subcommand("run");
  if (run->parsed() && run->get_option("--threads")->as<int>() > 1) wattloop::twin::let_waiting_threads_sleep(argv);
  return wattloop::twin::run_action(action);
}
