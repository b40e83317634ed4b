#include "twin/commands/halls/import_telemetry_command.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/written_file.hpp"
#include "twin/imports/telemetry/import_telemetry.hpp"
#include "twin/imports/telemetry/log_readers.hpp"
#include "twin/imports/telemetry/telemetry_report.hpp"
#include "twin/imports/telemetry/telemetry_text.hpp"
#include "twin/imports/telemetry/trace_file.hpp"

namespace wattloop::twin {

namespace {

struct TelemetryCommand {
  std::vector<std::filesystem::path> files;
  std::filesystem::path output = "trace.csv";
  TelemetryOptions options;
  std::string interval, longest_gap, jitter, spread = "0", span = "all";
  bool is_forced = false;  ///< replaces a file that this command did not write
  bool is_quiet = false;   ///< no notes
  bool is_json = false;
};

/// A quantity of the command line, or a mistake.
double quantity(const std::string& option, const std::string& text, std::string_view unit) {
  if (text.empty()) return 0.0;
  try {
    return to_si(text, unit);
  } catch (const QuantityError& error) {
    throw InputError({{{option, 0, 0}, error.what(), error.hint, {}}}, "the command line");
  }
}

TelemetryOptions settled_options(const TelemetryCommand& command) {
  constexpr double most_spread = 0.3;
  TelemetryOptions options = command.options;
  if (!command.interval.empty()) options.log.interval_s = quantity("--interval", command.interval, "s");
  options.series.longest_gap_s = quantity("--longest-gap", command.longest_gap, "s");
  options.series.is_common_span = command.span == "common";
  options.copies.jitter_s = quantity("--jitter", command.jitter, "s");
  options.copies.spread_ratio = quantity("--spread", command.spread, "1");
  Problems problems;
  const auto refuse = [&](std::string option, std::string message, std::string hint) {
    problems.add({{std::move(option), 0, 0}, std::move(message), std::move(hint), {}});
  };
  if (options.log.interval_s && !(*options.log.interval_s > 0.0))
    refuse("--interval", "an interval is more than 0 s", "1 s");
  if (options.copies.spread_ratio < 0.0 || options.copies.spread_ratio >= most_spread)
    refuse("--spread", fmt::format("'{}' is not a valid spread", command.spread),
           "write a standard deviation from 0 to below 30 %");
  const bool has_copies = options.copies.nodes > 0;
  if (!has_copies && (options.copies.jitter_s > 0.0 || options.copies.spread_ratio > 0.0))
    refuse("--jitter, --spread", "--jitter and --spread need copies of nodes",
           "write --upscale N, which makes N nodes");
  problems.throw_if_any("the command line");
  return options;
}

int import_telemetry_command(const TelemetryCommand& command) {
  const TelemetryOptions options = settled_options(command);
  demand_own_place(command.output, command.files, imported_trace_head, command.is_forced);
  const ImportedTelemetry imported = import_telemetry(command.files, options);
  const TraceSums sums = write_trace(imported, command.output);
  if (!command.is_quiet) {
    for (const std::string& note : imported.log.notes) report("note: " + printable(note));
  }
  if (command.is_json) {
    fmt::print("{}\n", telemetry_json(imported, sums, command.output));
    return done;
  }
  for (const std::string& line : telemetry_text(imported, sums, command.output)) fmt::print("{}\n", line);
  return done;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const LogFormat& one : log_formats) names.emplace_back(one.name);
  return names;
}

void add_reading_options(CLI::App& command, TelemetryCommand& options) {
  command
      .add_option(
          "files", options.files,
          "Log files, all in one format: one for each node, or one for all nodes; a log of MLPerf events may be added")
      ->type_name("FILE")
      ->required();
  command.add_option("-o,--out", options.output, "Trace file to write")->type_name("FILE")->capture_default_str();
  command
      .add_option("--format", options.options.log.format,
                  "Format of the logs, detected if not given: nvidia-smi, dcgm-exporter, dcgmi-dmon, mlperf, "
                  "mlperf-events, ptd, wide, long")
      ->check(one_of(format_names()))
      ->type_name("NAME");
  command
      .add_option(
          "--boundary", options.options.log.boundary,
          "Measurement boundary of the power: gpu, board, node_ac, node_dc; required if the log does not give it")
      ->check(one_of({"gpu", "board", "node_ac", "node_dc"}))
      ->type_name("NAME");
  command
      .add_option("--columns", options.options.log.columns,
                  "Power columns of a table, or all; if not given, chosen by their names")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--unit", options.options.log.unit, "Unit of the power, if the table does not give it: W, kW, mW")
      ->check(one_of({"W", "kW", "mW"}))
      ->type_name("UNIT");
  command.add_option("--interval", options.interval, "Sampling interval of a log without times")
      ->check(is_time())
      ->type_name("TIME");
  command
      .add_option("--quantity", options.options.log.quantity,
                  "Field of DCGM that is read: energy (mean power from the energy counter) or power (power samples)")
      ->check(one_of({"energy", "power"}))
      ->type_name("NAME")
      ->capture_default_str();
}

void add_trace_options(CLI::App& command, TelemetryCommand& options) {
  command
      .add_option("--fill", options.options.series.fill,
                  "How holes of more than three intervals are filled: hold, interpolate, zero")
      ->check(one_of({"hold", "interpolate", "zero"}))
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--longest-gap", options.longest_gap,
                  "Longest hole that is filled; if not given, 10 s or three intervals, whichever is longer")
      ->check(is_time())
      ->type_name("TIME");
  command
      .add_option("--span", options.span,
                  "Time span of the trace: all (from the first to the last sample) or common (only where all columns "
                  "have samples)")
      ->check(one_of({"all", "common"}))
      ->type_name("NAME")
      ->capture_default_str();
  command.add_flag("--run", options.options.series.is_run_only,
                   "Use only the time between the events run_start and run_stop");
  command
      .add_option("--align", options.options.series.align,
                  "Clocks of the nodes: none (time stamps are used as they are) or first (the first samples of all "
                  "nodes are aligned)")
      ->check(one_of({"none", "first"}))
      ->type_name("NAME");
  command.add_option("--upscale", options.options.copies.nodes, "Make a trace of N nodes from the measured nodes")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  command
      .add_option("--jitter", options.jitter, "With --upscale: largest delay of a node; the trace is used as a ring")
      ->check(is_time())
      ->type_name("TIME");
  command
      .add_option("--spread", options.spread,
                  "With --upscale: standard deviation of the power level between nodes: 0.03, '3 %'")
      ->type_name("RATIO");
  command.add_option("--seed", options.options.copies.seed, "Seed of --jitter and --spread")
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--json", options.is_json, "Print the report as JSON");
  command.add_flag("--force", options.is_forced, "Replace a file that this command did not write");
  command.add_flag("-q,--quiet", options.is_quiet, "Print no notes");
}

}  // namespace

void add_import_telemetry(CLI::App& import, std::function<int()>& action) {
  auto options = std::make_shared<TelemetryCommand>();
  CLI::App* command = import.add_subcommand("telemetry", "A trace of power from logs of GPUs, nodes and meters");
  add_reading_options(*command, *options);
  add_trace_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  wattloop import telemetry node01.csv node02.csv -o trace.csv\n"
      "  wattloop import telemetry scrapes/*.prom --interval '15 s' -o trace.csv\n"
      "  wattloop import telemetry run_ac.csv run_events.csv --boundary node_ac --run -o trace.csv\n"
      "  wattloop import telemetry node01.csv --upscale 1280 --jitter '30 s' --spread '2 %' -o hall.csv\n"
      "docs/importing_logs.md describes formats, boundaries and the report.");
  command->callback([options, &action] { action = [options] { return import_telemetry_command(*options); }; });
}

}  // namespace wattloop::twin
