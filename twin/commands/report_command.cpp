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

int report_command(const ReportOptions& options) {
  if (!options.against.empty()) {
    demand_own_place(options.output, {options.results, options.against}, report_head, options.is_forced);
    write_whole(options.output, difference_page(options.against, options.results));
  } else if (const auto study = study_table_file(options.results)) {
    demand_own_place(options.output, {*study}, report_head, options.is_forced);
    const std::filesystem::path name =
        options.results.filename().empty() ? options.results.parent_path() : options.results;
    write_whole(options.output, study_page(read_study_table(*study), name.filename().string()));
  } else {
    demand_own_place(options.output, {options.results}, report_head, options.is_forced);
    const ResultsReader results(options.results);
    write_whole(options.output, run_report(results, options.results.filename().string()));
  }
  fmt::print("report  {}\n", printable(options.output.string()));
  return 0;
}

}  // namespace wattloop::twin
