// The program behind `wattloop view` and `wattloop export`, apart from all others since it loads VTK.

#include <CLI/CLI.hpp>

#include "twin/commands/command_line.hpp"
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "viz/commands/export_command.hpp"
#include "viz/commands/view_command.hpp"

int main(int argc, char** argv) {
  wattloop::twin::keep_standard_streams();
  CLI::App app{"Pictures of runs.", "wattloop"};
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* program, const CLI::Error& error) {
    return wattloop::twin::command_line_mistake(*program, error);
  });
  std::function<int()> action;
  wattloop::viz::add_view_command(app, action);
  wattloop::viz::add_export_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return wattloop::twin::after_output(app.exit(error) == 0 ? 0 : wattloop::twin::bad_input);
  }
  return wattloop::twin::run_action(action);
}
