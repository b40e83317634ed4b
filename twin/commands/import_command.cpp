#include "twin/commands/import_command.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "core/quoted_text.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/commands/standard_streams.hpp"
#include "twin/commands/written_file.hpp"
#include "twin/imports/hall_text.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

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
  fmt::print("{}: {} racks in {} groups, {} loops, {} blocks of power; wattloop check {}\n", printable(output.string()),
             racks, hall.groups.size(), hall.loops.size(), hall.blocks.size(), shell_file(output.string()));
  return done;
}

}  // namespace wattloop::twin
