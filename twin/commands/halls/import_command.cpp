#include "twin/commands/halls/import_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/halls/import_feeder_command.hpp"
#include "twin/commands/halls/import_jobs_command.hpp"
#include "twin/commands/halls/import_telemetry_command.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/imports/hall_text.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

struct ImportOptions {
  std::filesystem::path folder;
  std::filesystem::path output = "hall.yaml";
  bool is_forced = false;  ///< replaces a file that this command did not write
  bool is_quiet = false;   ///< no notes
};

int import_command(const ImportOptions& options) {
  const std::filesystem::path &folder = options.folder, &output = options.output;
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(
        {{{folder.string(), 0, 0}, "no such folder", "a folder with racks.csv, cdus.csv and power.csv", {}}},
        "the command line");
  }
  demand_own_place(output, {folder / "racks.csv", folder / "cdus.csv", folder / "power.csv"}, imported_head,
                   options.is_forced);
  const ImportedHall hall = group_hall(read_hall_tables(folder));
  const std::string title = std::filesystem::absolute(folder).lexically_normal().filename().string();
  const std::string text = hall_text(hall, title.empty() ? "Imported hall" : title);
  read_scenario_text(text, output);  // nothing is written that `check` would not read
  write_whole(output, text);
  std::size_t racks = 0;
  for (const ImportedGroup& group : hall.groups) racks += group.racks.size();
  if (!options.is_quiet) {
    for (const std::string& note : hall.notes) report("note: " + printable(note));
  }
  for (const std::string& warning : hall.warnings) report("warning: " + printable(warning));
  fmt::print("{}: {} racks in {} groups, {} loops, {} power blocks; wattloop check {}\n", printable(output.string()),
             racks, hall.groups.size(), hall.loops.size(), hall.blocks.size(), shell_file(output.string()));
  return done;
}

}  // namespace

void add_import(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* import = app.add_subcommand("import", "Make a scenario, a trace or a table of jobs from existing data");
  import->require_subcommand(1);
  CLI::App* command = import->add_subcommand("hall", "A hall from lists of racks, CDUs and power (CSV)");
  command->add_option("folder", options->folder, "Folder with racks.csv, cdus.csv and power.csv")
      ->type_name("DIR")
      ->required();
  command->add_option("-o,--output", options->output, "Scenario to write")->type_name("FILE")->capture_default_str();
  command->add_flag("--force", options->is_forced, "Replace a file that this command did not write");
  command->add_flag("-q,--quiet", options->is_quiet, "Print no notes");
  import->footer(
      "Examples:\n  wattloop import hall lists -o hall.yaml\n  wattloop import telemetry node01.csv -o trace.csv\n"
      "  wattloop import jobs sacct.txt -o jobs.csv\n  wattloop import feeder lists -o feeder.yaml");
  command->footer(
      "Examples:\n  wattloop import hall lists -o hall.yaml\n  wattloop check hall.yaml\n"
      "docs/import_hall.md lists the columns.");
  command->callback([options, &action] { action = [options] { return import_command(*options); }; });
  add_import_feeder(*import, action);
  add_import_telemetry(*import, action);
  add_import_jobs(*import, action);
}

}  // namespace wattloop::twin
