#include "twin/commands/halls/import_feeder_command.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/imports/feeder_lists.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

struct FeederCommand {
  std::filesystem::path folder;
  std::filesystem::path output = "feeder.yaml";
  bool is_forced = false;  ///< replaces a file that this command did not write
  bool is_quiet = false;   ///< no notes
};

int import_feeder_command(const FeederCommand& command) {
  const std::filesystem::path &folder = command.folder, &output = command.output;
  if (!std::filesystem::is_directory(folder))
    throw InputError({{{folder.string(), 0, 0}, "no such folder", "a folder with buses.csv and branches.csv", {}}},
                     "the command line");
  demand_own_place(output, {folder / "buses.csv", folder / "branches.csv"}, imported_feeder_head, command.is_forced);
  const ListedFeeder feeder = read_feeder_lists(folder);
  const std::string title = std::filesystem::absolute(folder).lexically_normal().filename().string();
  const std::string text = feeder_text(feeder, title.empty() ? "Imported feeder" : title);
  read_scenario_text(text, output);  // nothing is written that `check` would not read
  write_whole(output, text);
  for (const std::string& note : feeder.notes) {
    if (!command.is_quiet) report("note: " + printable(note));
  }
  fmt::print("{}: {} buses, {} branches; wattloop run {}\n", printable(output.string()), feeder.buses.size(),
             feeder.lines.size(), shell_file(output.string()));
  return done;
}

}  // namespace

void add_import_feeder(CLI::App& import, std::function<int()>& action) {
  auto command = std::make_shared<FeederCommand>();
  CLI::App* feeder = import.add_subcommand("feeder", "A one-line diagram from tables of buses and branches (CSV)");
  feeder->add_option("folder", command->folder, "Folder with buses.csv and branches.csv")->type_name("DIR")->required();
  feeder->add_option("-o,--output", command->output, "Scenario to write")->type_name("FILE")->capture_default_str();
  feeder->add_flag("--force", command->is_forced, "Replace a file that this command did not write");
  feeder->add_flag("-q,--quiet", command->is_quiet, "Print no notes");
  feeder->footer(
      "Examples:\n  wattloop import feeder lists -o feeder.yaml\n  wattloop run feeder.yaml\n"
      "docs/import_feeder.md lists the columns.");
  feeder->callback([command, &action] { action = [command] { return import_feeder_command(*command); }; });
}

}  // namespace wattloop::twin
