#include "twin/commands/report_command.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"
#include "twin/commands/written_file.hpp"
#include "twin/report/run_report.hpp"

namespace wattloop::twin {

int report_command(const ReportOptions& options) {
  demand_own_place(options.output, {options.results}, report_head, options.is_forced);
  const ResultsReader results(options.results);
  write_whole(options.output, run_report(results, options.results.filename().string()));
  fmt::print("report  {}\n", printable(options.output.string()));
  return 0;
}

}  // namespace wattloop::twin
