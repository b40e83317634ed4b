#include "twin/commands/results_commands.hpp"

#include <CLI/CLI.hpp>

#include <memory>

#include "twin/commands/command_line_mistake.hpp"
#include "twin/commands/events_command.hpp"
#include "twin/commands/summary_command.hpp"

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

void add_summary(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command = app.add_subcommand("summary", "Print the summary of a run from its results file");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  add_limits(*command, options->limits);
  command->add_flag("--json", options->is_json, "Print the summary as JSON");
  add_units(*command, options->units);
  command->footer(
      "Examples:\n  wattloop summary results/c_cdu_lost.h5\n"
      "  wattloop summary results/c_cdu_lost.h5 --limit 'peak_die_temperature <= 80 degC'\n"
      "  wattloop summary results/c_cdu_lost.h5 --json");
  command->callback([options, &action] { action = [options] { return summary_command(*options); }; });
}

void add_events(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<EventsOptions>();
  CLI::App* command = app.add_subcommand("events", "List what happened in a run");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command->add_option("--kind", options->kinds, "Only events of this kind: tripped; may be repeated")
      ->type_name("KIND")
      ->allow_extra_args(false);
  command->add_flag("--json", options->is_json, "Print events as JSON, times in seconds");
  command->footer(
      "Examples:\n  wattloop events results/c_cdu_lost.h5\n"
      "  wattloop events results/c_cdu_lost.h5 --kind tripped --kind thermal_shutdown\n"
      "  wattloop events results/c_cdu_lost.h5 --json");
  command->callback([options, &action] { action = [options] { return events_command(*options); }; });
}

}  // namespace

void add_results_commands(CLI::App& app, std::function<int()>& action) {
  add_summary(app, action);
  add_events(app, action);
}

}  // namespace wattloop::twin
