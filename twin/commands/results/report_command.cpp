#include "twin/commands/results/report_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/trusted_results.hpp"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/report/run/difference_page.hpp"
#include "twin/report/run/page_frame.hpp"
#include "twin/report/run/run_report.hpp"
#include "twin/report/study/study_page.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/study/tables/study_table.hpp"
#include "twin/study/tables/study_table_reader.hpp"

namespace wattloop::twin {

namespace {

struct ReportOptions {
  std::filesystem::path results;
  std::filesystem::path against = {};  ///< the page reports how `results` differs from it
  std::filesystem::path output =
      {};  ///< empty: beside the results, with their name: RUN.html, STUDY.html, B_against_A.html
  bool is_forced = false;
};

namespace fs = std::filesystem;

/// With its name at the end: of "supply/" and of "." the folder's.
fs::path named(const fs::path& path) {
  const bool is_dots = path.filename() == "." || path.filename() == "..";
  const fs::path whole = is_dots ? fs::absolute(path).lexically_normal() : path;
  return whole.filename().empty() ? whole.parent_path() : whole;
}

/// Beside the results, with their name: of a file what stands before its ending, of a folder all of it.
fs::path page_beside(const ReportOptions& options) {
  const auto name = [](const fs::path& results) {
    std::error_code ignored;
    return fs::is_directory(results, ignored) ? results.filename().string() : results.stem().string();
  };
  const fs::path results = named(options.results);
  const std::string against = options.against.empty() ? "" : "_against_" + name(named(options.against));
  return results.parent_path() / (name(results) + against + ".html");
}

int report_command(const ReportOptions& options) {
  const fs::path output = options.output.empty() ? page_beside(options) : options.output;
  if (!options.against.empty()) {
    demand_own_place(output, {options.results, options.against}, difference_head, options.is_forced);
    write_whole(output, difference_page(options.against, options.results));
  } else if (const auto study = study_table_file(options.results)) {
    demand_own_place(output, {*study}, study_head, options.is_forced);
    write_whole(output, study_page(read_study_table(*study), named(options.results).filename().string()));
  } else {
    demand_own_place(output, {options.results}, report_head, options.is_forced);
    const ResultsReader results(options.results);
    write_whole(output, run_report(results, options.results.filename().string()));
  }
  fmt::print("report  {}\n", printable(output.string()));
  return 0;
}

}  // namespace

void add_report(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Write the report of a run or a study: one HTML page that opens offline");
  command->add_option("results", options->results, "Results file of a run, or folder of a study")
      ->type_name("FILE")
      ->required();
  command->add_option("--against", options->against, "Report the differences between the run and this results file")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "Page to write; default: beside the results with their name, RUN.html, STUDY.html, B_against_A.html")
      ->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that is not a report");
  add_trust(*command);
  command->footer(
      "Examples:\n  wattloop report results/c_cdu_lost.h5\n"
      "  wattloop report results/supply\n"
      "  wattloop report results/warmer.h5 --against results/h100_10k.h5 -o warmer.html");
  command->callback([options, &action] { action = [options] { return report_command(*options); }; });
}

}  // namespace wattloop::twin
