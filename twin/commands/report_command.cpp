#include "twin/commands/report_command.hpp"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/problem.hpp"
#include "twin/commands/written_file.hpp"
#include "twin/report/difference_page.hpp"
#include "twin/report/page_frame.hpp"
#include "twin/report/run_report.hpp"
#include "twin/report/study_page.hpp"
#include "twin/results/results_reader.hpp"
#include "twin/study/study_table.hpp"

namespace wattloop::twin {

namespace {

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

}  // namespace

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

}  // namespace wattloop::twin
