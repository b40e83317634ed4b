#include "twin/commands/results/summary_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/commands/results/run_end.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/results/monthly_text.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/figures/printed_summary.hpp"
#include "twin/study/tables/study_report.hpp"
#include "twin/study/tables/study_table_reader.hpp"

namespace wattloop::twin {

namespace {

struct SummaryOptions {
  std::filesystem::path results;
  std::vector<std::string> limits;  ///< on figures of the summary: "pue <= 1.2"
  EndStyle style{};
  bool is_monthly = false;  ///< by calendar month
  bool is_csv = false;      ///< of months
};

std::string shown_value(const NamedValue& figure, UnitStyle style) {
  if (const auto* text = std::get_if<std::string>(&figure.value)) return printable(*text);
  if (const auto* count = std::get_if<std::int64_t>(&figure.value)) return fmt::format("{}", *count);
  const std::string reason = figure.reason.empty() ? "" : fmt::format(" ({})", printable(figure.reason));
  return format_quantity(std::get<double>(figure.value), figure.unit, style) + reason;
}

/// For files that do not have the summary as it was printed.
std::string list_of(std::span<const NamedValue> figures, UnitStyle style) {
  std::size_t width = 0;
  for (const NamedValue& figure : figures) width = std::max(width, figure.name.size());
  std::string text;
  for (const NamedValue& figure : figures)
    text += fmt::format("{:<{}}  {}\n", printable(figure.name), width, shown_value(figure, style));
  return text;
}

/// Several lines as a terminal may have them.
std::string printable_lines(const std::string& text) {
  std::string shown, line;
  for (std::istringstream in(text); std::getline(in, line);) shown += printable(line) + "\n";
  return shown;
}

/// What `wattloop study` or `wattloop search` said at its end.
int study_summary(const std::filesystem::path& file, const SummaryOptions& options) {
  Problems problems;
  if (!options.limits.empty())
    problems.add(
        {{"--limit", 0, 0}, "the limits of a study are given in its file", "write limits: [ pue <= 1.2 ] there", {}});
  problems.throw_if_any("the command line");
  const StudyTable table = read_study_table(file);
  const StudyFindings findings = find_in(table);
  if (!table.answer.empty() && !options.style.is_json) fmt::print("{}\n", printable_lines(table.answer));
  fmt::print("{}\n", options.style.is_json ? findings_json(table, findings, file.parent_path())
                                           : findings_text(table, findings));
  if (!findings.violating.empty()) return limit_violated;
  return findings.failed.empty() ? done : solver_failure;
}

int monthly_summary(const ResultsReader& results, const SummaryOptions& options) {
  const std::vector<MonthRecord> months = results.months();
  if (months.empty()) {
    throw FileError(
        fmt::format("cannot read {}: it has no months, because its run did not end or an earlier version wrote it",
                    options.results.string()));
  }
  const std::vector<NamedValue> of_run = results.summary();
  fmt::print("{}{}",
             options.style.is_json ? monthly_json(months)
             : options.is_csv      ? monthly_csv(months, of_run)
                                   : monthly_text(months, of_run, options.style.units),
             options.style.is_json ? "\n" : "");
  return done;
}

int summary_command(const SummaryOptions& options) {
  if (const auto study = study_table_file(options.results)) {
    if (options.is_monthly)
      throw FileError(fmt::format("{} is a study: only runs have months", options.results.string()));
    return study_summary(*study, options);
  }
  const ResultsReader results(options.results);
  if (options.is_monthly) return monthly_summary(results, options);
  const std::vector<NamedValue> figures = results.summary();
  if (figures.empty()) {
    throw FileError(
        fmt::format("cannot read {}: it has no summary, because its run did not end", options.results.string()));
  }
  Problems problems;
  const std::vector<KpiLimit> limits = read_limits(options.limits, figures, problems);
  problems.throw_if_any("the command line");
  const UnitStyle units = options.style.units;
  std::optional<std::string> text = printed_summary(results, units);
  if (!text && !options.style.is_json) {
    report("note: an earlier version wrote these results without a printed summary; all their figures follow");
    text = list_of(figures, units);
  }
  const std::vector<Verdict> verdicts = judge(limits, figures);
  print_end({figures, results.provenance(), results.events(), results.limits(), verdicts, options.results,
             text.value_or(""), results.start_iso()},
            {options.style.is_json, options.style.is_full || !printed_summary(results, units), units});
  return is_any_violated(verdicts) ? limit_violated : done;
}

}  // namespace

void add_summary(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command = app.add_subcommand("summary", "Print the summary of a run or study from its results");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  add_limits(*command, options->limits);
  add_end_style(*command, options->style);
  CLI::Option* monthly = command->add_flag("--monthly", options->is_monthly, "Energy, water, cost and peaks by month");
  monthly->excludes("--full")->excludes("--limit");
  command->add_flag("--csv", options->is_csv, "Print the months as CSV, with all their figures")
      ->needs(monthly)
      ->excludes("--json");
  add_trust(*command);
  command->footer(
      "Examples:\n  wattloop summary results/c_cdu_lost.h5\n"
      "  wattloop summary results/year.h5 --monthly\n"
      "  wattloop summary results/year.h5 --monthly --csv > months.csv\n"
      "  wattloop summary results/c_cdu_lost.h5 --full\n"
      "  wattloop summary results/c_cdu_lost.h5 --limit 'peak_die_temperature <= 80 degC'\n"
      "  wattloop summary results/c_cdu_lost.h5 --json\n"
      "  wattloop summary results/supply");
  command->callback([options, &action] { action = [options] { return summary_command(*options); }; });
}

}  // namespace wattloop::twin
