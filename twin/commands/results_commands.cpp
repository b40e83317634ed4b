#include "twin/commands/results_commands.hpp"

#include <CLI/CLI.hpp>

#include <memory>

#include "twin/commands/command_line_mistake.hpp"
#include "twin/commands/compare_command.hpp"
#include "twin/commands/diagram_command.hpp"
#include "twin/commands/events_command.hpp"
#include "twin/commands/report_command.hpp"
#include "twin/commands/summary_command.hpp"
#include "twin/commands/trusted_results.hpp"
#include "twin/report/diagrams.hpp"

namespace wattloop::twin {

namespace {

void add_limits(CLI::App& command, std::vector<std::string>& limits) {
  command
      .add_option("--limit", limits,
                  "Judge a figure of the summary, named as in --json: 'pue <= 1.2'; exit code 3 where it is violated; "
                  "may be repeated")
      ->type_name("'KPI <= VALUE UNIT'")
      ->allow_extra_args(false);
}

void add_units(CLI::App& command, UnitStyle& style) {
  command
      .add_option_function<std::string>(
          "--units",
          [&style](const std::string& name) { style = name == "ip" ? UnitStyle::inch_pound : UnitStyle::metric; },
          "Units of the text: metric or ip")
      ->check(one_of({"metric", "ip"}))
      ->type_name("NAME");
}

}  // namespace

void add_end_style(CLI::App& command, EndStyle& style) {
  CLI::Option* json = command.add_flag("--json", style.is_json, "Print the summary as JSON");
  command.add_flag("--full", style.is_full, "Print the whole summary after its short form")->excludes(json);
  add_units(command, style.units);
}

namespace {

void add_summary(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command = app.add_subcommand("summary", "Print the summary of a run or study from its results");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  add_limits(*command, options->limits);
  add_end_style(*command, options->style);
  CLI::Option* monthly = command->add_flag("--monthly", options->is_monthly, "Energy, water, cost and peaks by month");
  monthly->excludes("--full")->excludes("--limit");
  command->add_flag("--csv", options->is_csv, "Print months as CSV, all their figures")
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

void add_events(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<EventsOptions>();
  CLI::App* command = app.add_subcommand("events", "List what happened in a run");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command->add_option("--kind", options->kinds, "Only events of this kind: tripped; may be repeated")
      ->type_name("KIND")
      ->allow_extra_args(false);
  CLI::Option* json = command->add_flag("--json", options->is_json, "Print events as JSON, times in seconds");
  command->add_flag("--csv", options->is_csv, "Print events as CSV, times in seconds")->excludes(json);
  add_trust(*command);
  command->footer(
      "Nodes of a row that heat switches off within a minute are one line; --kind thermal_shutdown and --json list "
      "each. --kind first_throttle lists every GPU that was below full clock because of its temperature, when first "
      "and "
      "what of it differs most from the mean.\n\n"
      "Examples:\n  wattloop events results/c_cdu_lost.h5\n"
      "  wattloop events results/c_cdu_lost.h5 --kind tripped --kind thermal_shutdown\n"
      "  wattloop events results/c_cdu_lost.h5 --kind first_throttle --csv\n"
      "  wattloop events results/c_cdu_lost.h5 --json");
  command->callback([options, &action] { action = [options] { return events_command(*options); }; });
}

void add_report(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Write a run or a study as one HTML page that opens offline");
  command->add_option("results", options->results, "Results file of a run, or folder of a study")
      ->type_name("FILE")
      ->required();
  command->add_option("--against", options->against, "Report how the run differs from that of this results file")
      ->type_name("FILE");
  command
      ->add_option("-o,--output", options->output,
                   "The page; default: beside the results with their name, RUN.html, STUDY.html, B_against_A.html")
      ->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that is no report");
  add_trust(*command);
  command->footer(
      "Examples:\n  wattloop report results/c_cdu_lost.h5\n"
      "  wattloop report results/supply\n"
      "  wattloop report results/warmer.h5 --against results/h100_10k.h5 -o warmer.html");
  command->callback([options, &action] { action = [options] { return report_command(*options); }; });
}

void add_diagram(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<DiagramOptions>();
  CLI::App* command = app.add_subcommand("diagram", "Draw one picture of a report as an SVG or PNG file");
  std::vector<std::string> names;
  std::string kinds = "Kinds:\n";
  std::vector<DiagramKind> all = diagram_kinds();
  all.push_back({study_columns, "two columns of a study against each other, in the colours of a third"});
  for (const DiagramKind& kind : all) {
    names.push_back(kind.name);
    kinds += "  " + kind.name + std::string(16 - kind.name.size(), ' ') + kind.words + "\n";
  }
  command->add_option("kind", options->kind, "What to draw")->type_name("KIND")->required()->check(one_of(names));
  command->add_option("results", options->results, "Results file of a run, or folder of a study")
      ->type_name("FILE")
      ->required();
  command->add_option("--x", options->x, "Of a study: the column from left to right")->type_name("COLUMN");
  command->add_option("--y", options->y, "Of a study: the column from below to above")->type_name("COLUMN");
  command->add_option("--by", options->by, "Of a study: the column that colours distinguish")->type_name("COLUMN");
  command
      ->add_option("--at", options->at,
                   "Time, kind of event, 'worst' or 'end' of a picture of one instant; default: worst")
      ->type_name("TIME");
  command->add_option("-o,--output", options->output, "Picture, .svg or .png; default: RESULTS_KIND.svg")
      ->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that is no picture");
  add_trust(*command);
  command->footer(kinds +
                  "Examples:\n  wattloop diagram one-line results/no_generators_10min.h5 --at lost_power\n"
                  "  wattloop diagram states results/no_generators_10min.h5 -o states.png\n"
                  "  wattloop diagram columns results/supply --x supply --y peak_die_temperature --by speed");
  command->callback([options, &action] { action = [options] { return diagram_command(*options); }; });
}

void add_compare(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "Compare results with each other, or with measurements");
  command->add_option("results", options->results, "Results files of runs: two or more; with --measured one")
      ->type_name("FILE")
      ->required();
  command
      ->add_option(
          "--tolerance", options->tolerances,
          "What counts as the same: a share of the largest value of a quantity, '0.5 %', or a size for all of a "
          "unit, '0.5 K'; default: 0.1 % and 0.1 K; 0: any difference; may be repeated")
      ->type_name("SIZE")
      ->allow_extra_args(false);
  add_limits(*command, options->limits);
  command->add_option("--lines", options->lines, "Lines of each table; 0: all")->capture_default_str();
  command->add_flag("--all", options->shows_equal, "Show figures that are equal, too");
  CLI::Option* measured =
      command->add_option("--measured", options->measured, "Measured series (CSV) to lay beside the recorded ones")
          ->type_name("CSV");
  CLI::Option* map = command->add_option("--map", options->map, "What the columns of the CSV are (YAML)")
                         ->type_name("FILE")
                         ->needs(measured);
  measured->needs(map);
  CLI::Option* overlay =
      command->add_option("-o,--output", options->overlay, "Measured and modelled values of all intervals, as CSV")
          ->type_name("FILE")
          ->needs(measured);
  command->add_flag("--force", options->is_forced, "Replace an output file that is no overlay")->needs(overlay);
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

}  // namespace

void add_results_commands(CLI::App& app, std::function<int()>& action) {
  add_summary(app, action);
  add_compare(app, action);
  add_events(app, action);
  add_report(app, action);
  add_diagram(app, action);
}

}  // namespace wattloop::twin
