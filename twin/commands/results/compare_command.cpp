#include "twin/commands/results/compare_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/trusted_results.hpp"

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/commands/results/compare_json.hpp"
#include "twin/commands/results/compare_text.hpp"
#include "twin/commands/results/measured_text.hpp"

namespace wattloop::twin {

namespace {

struct CompareOptions {
  std::vector<std::filesystem::path> results;
  std::vector<std::string> tolerances;  ///< "0.5 %", "0.5 K"
  std::vector<std::string> limits;      ///< on figures of the summary, of each file
  std::size_t lines = 15;               ///< of each table; 0: all
  bool shows_equal = false;             ///< figures that are equal, too
  std::filesystem::path measured, map;  ///< CSV, and what its columns are
  std::filesystem::path overlay;        ///< CSV of measured and modelled values; empty: none
  bool is_forced = false;               ///< replaces what is there
  bool is_json = false;
  UnitStyle units = UnitStyle::metric;
};

[[noreturn]] void refuse(std::string place, std::string message, std::string hint) {
  throw InputError({{{std::move(place), 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

int compare_with_measured(const CompareOptions& options) {
  if (options.results.size() != 1) {
    refuse("--measured", fmt::format("{} results files, expected one", options.results.size()),
           "give one results file with --measured");
  }
  if (!options.limits.empty() || !options.tolerances.empty())
    refuse("--measured", "limits and tolerances are for the comparison of results files",
           "delete --measured, or delete these options");
  if (!options.overlay.empty()) {
    demand_own_place(options.overlay, {options.results.front(), options.measured, options.map}, overlay_head,
                     options.is_forced);
  }
  const auto [series, notes] =
      compare_measured({.results = options.results.front(), .measured = options.measured, .map = options.map});
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  if (!options.overlay.empty()) write_whole(options.overlay, overlay_csv(series));
  if (options.is_json) {
    fmt::print("{}\n", measured_json(series));
  } else {
    fmt::print("{}", measured_text(series));
    if (!options.overlay.empty()) fmt::print("\noverlay            {}\n", printable(options.overlay.string()));
  }
  return done;
}

int compare_command(const CompareOptions& options) {
  if (!options.measured.empty()) return compare_with_measured(options);
  if (options.results.size() < 2) {
    refuse("compare", "one results file, expected two or more",
           "give a second results file, or measurements: --measured telemetry.csv --map map.yaml");
  }
  const Comparison comparison =
      compare_results({.files = options.results, .tolerances = options.tolerances, .limits = options.limits});
  if (options.is_json) {
    fmt::print("{}\n", compare_json(comparison));
  } else {
    fmt::print("{}", compare_text(comparison, {options.units, options.lines, options.shows_equal}));
  }
  return comparison.is_any_limit_violated() ? limit_violated : done;
}

}  // namespace

void add_compare(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "Compare results with each other, or with measurements");
  command->add_option("results", options->results, "Results files of runs: two or more; with --measured one")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--tolerance", options->tolerances,
                   "Tolerance: differences up to this value count as equal. Write a share of the largest value of a "
                   "quantity, '0.5 %', or a value for all quantities of a unit, '0.5 K'. Default: 0.1 % and 0.1 K. 0: "
                   "every difference is reported. May be repeated")
      ->type_name("SIZE")
      ->allow_extra_args(false);
  add_limits(*command, options->limits);
  command->add_option("--lines", options->lines, "Number of lines of each table; 0: all lines")->capture_default_str();
  command->add_flag("--all", options->shows_equal, "Also show figures that are equal");
  CLI::Option* measured = command
                              ->add_option("--measured", options->measured,
                                           "Measured series (CSV) that are compared with the recorded ones")
                              ->type_name("CSV");
  CLI::Option* map = command->add_option("--map", options->map, "Meaning of the columns of the CSV (YAML)")
                         ->type_name("FILE")
                         ->needs(measured);
  measured->needs(map);
  CLI::Option* overlay = command
                             ->add_option("-o,--output", options->overlay,
                                          "Write measured and modelled values of all intervals to this CSV file")
                             ->type_name("FILE")
                             ->needs(measured);
  command->add_flag("--force", options->is_forced, "Replace an output file that is not an overlay")->needs(overlay);
  command->add_flag("--json", options->is_json, "Print the comparison as JSON, in SI units");
  add_units(*command, options->units);
  add_trust(*command);
  command->footer(
      "Examples:\n  wattloop compare results/a.h5 results/b.h5\n"
      "  wattloop compare results/a.h5 results/b.h5 --tolerance '0.5 K' --tolerance '1 %' --all\n"
      "  wattloop compare results/*.h5 --limit 'peak_die_temperature <= 80 degC'\n"
      "  wattloop compare results/a.h5 --measured telemetry.csv --map map.yaml -o overlay.csv");
  command->callback([options, &action] { action = [options] { return compare_command(*options); }; });
}

}  // namespace wattloop::twin
