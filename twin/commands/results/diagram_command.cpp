#include "twin/commands/results/diagram_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/commands/results/bus_bandwidth.hpp"
#include "twin/commands/results/scenario_start.hpp"
#include "twin/commands/results/time_current.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/written_picture.hpp"
#include "twin/report/charts/diagrams.hpp"
#include "twin/report/charts/picture_origin.hpp"
#include "twin/report/events/shown_time.hpp"
#include "twin/report/study/study_chart.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/study/tables/study_table.hpp"
#include "twin/study/tables/study_table_reader.hpp"

namespace wattloop::twin {

namespace {

struct DiagramOptions {
  std::string kind;
  std::filesystem::path results;
  std::string at{};                ///< a time, an event, "worst" or "end"; empty: the worst
  std::filesystem::path output{};  ///< .svg or .png; empty: RESULTS_KIND.svg
  std::string x{}, y{}, by{};      ///< columns of a study, of `study_columns`
  std::string path{};              ///< names of devices, of `device_curves`
  bool is_forced = false;
};

/// The kind that is drawn of a study; all others are of a run.
constexpr const char* study_columns = "columns";
/// The kinds that are drawn of a scenario.
constexpr const char* device_curves = "time-current";
constexpr const char* bus_bandwidth = "bus-bandwidth";

namespace fs = std::filesystem;

/// Where the picture is to be; throws InputError where that is no picture.
fs::path own_place(const DiagramOptions& options, const fs::path& input) {
  fs::path output = options.output;
  const fs::path name = options.results.filename().empty() ? options.results.parent_path() : options.results;
  if (output.empty()) output = name.stem().string() + "_" + options.kind + ".svg";
  demand_picture_place(output, {input}, options.is_forced);
  return output;
}

/// What is of the other kinds is refused, not passed over.
void demand_options_of_kind(const DiagramOptions& options) {
  const bool is_of_study = options.kind == study_columns;
  Problems problems;
  const auto refuse = [&](const char* option, const std::string& value, bool fits) {
    if (!value.empty() && !fits)
      problems.add({{option, 0, 0}, fmt::format("'{}' has none", options.kind), "see wattloop diagram --help", {}});
  };
  for (const auto& [option, value] : {std::pair{"--x", options.x}, {"--y", options.y}, {"--by", options.by}})
    refuse(option, value, is_of_study);
  refuse("--at", options.at, !is_of_study && options.kind != device_curves && options.kind != bus_bandwidth);
  refuse("--path", options.path, options.kind == device_curves);
  problems.throw_if_any("the command line");
}

int draw_study(const DiagramOptions& options) {
  const auto study = study_table_file(options.results);
  if (!study)
    throw FileError(fmt::format("cannot draw '{}' of {}: it needs the folder of a study, or its study.h5", options.kind,
                                printable(options.results.string())));
  const fs::path output = own_place(options, *study);
  write_picture(output, study_chart_file(read_study_table(*study), {options.x, options.y, options.by}),
                picture_origin());
  fmt::print("{}: {} over {}\n", printable(output.string()), options.y, options.x);
  return 0;
}

int draw_device_curves(const DiagramOptions& options) {
  const fs::path output = own_place(options, options.results);
  const TimeCurrentPicture picture = time_current_picture(options.results, options.path);
  write_picture(output, picture.svg, picture_origin());
  for (const std::string& note : picture.notes) report("note: " + printable(note));
  fmt::print("{}: {}\n", printable(output.string()), picture.title);
  return 0;
}

int draw_bandwidth(const DiagramOptions& options) {
  const fs::path output = own_place(options, options.results);
  const BandwidthPicture picture = bandwidth_picture(options.results);
  write_picture(output, picture.svg, picture_origin());
  fmt::print("{}: {}\n", printable(output.string()), picture.title);
  return 0;
}

int diagram_command(const DiagramOptions& options) {
  demand_options_of_kind(options);
  if (options.kind == bus_bandwidth) return draw_bandwidth(options);
  if (options.kind == device_curves) return draw_device_curves(options);
  if (options.kind == study_columns) return draw_study(options);
  std::optional<ScenarioStart> start;  // of a scenario that nobody has run
  if (is_scenario(options.results)) start.emplace(options.results);
  const ResultsReader results(start ? start->results() : options.results);
  const auto kind = std::ranges::find(diagram_kinds(), options.kind, &DiagramKind::name);
  const fs::path output = own_place(options, options.results);
  const ShownTime moment =
      kind->is_of_moment || !options.at.empty() ? read_shown_time(results, options.at) : ShownTime{};
  const std::string svg = diagram_file(results, options.kind, moment);
  if (svg.empty())
    throw FileError(fmt::format("cannot draw '{}' of {}: it needs {}", options.kind,
                                printable(options.results.string()), kind->needs));
  write_picture(output, svg, picture_origin(&results));
  const std::string when = kind->is_of_moment
                               ? fmt::format(" at {}{}{}", instant_text(results.start_iso(), moment.time_s),
                                             moment.words.empty() ? "" : ", ", moment.words)
                               : "";
  fmt::print("{}: {}{}\n", printable(output.string()), kind->words.substr(0, kind->words.find(", at one instant")),
             when);
  return 0;
}

}  // namespace

void add_diagram(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<DiagramOptions>();
  CLI::App* command = app.add_subcommand("diagram", "Draw one picture of a report as an SVG or PNG file");
  std::vector<std::string> names;
  std::string kinds = "Kinds:\n";
  std::vector<DiagramKind> all = diagram_kinds();
  all.push_back({study_columns, "two columns of a study against each other; the colours show a third"});
  all.push_back({device_curves, "time-current curves of the protection devices on one path of a scenario"});
  all.push_back({bus_bandwidth, "bus bandwidth of all-reduce of a scenario over its bytes, beside measured ones"});
  for (const DiagramKind& kind : all) {
    names.push_back(kind.name);
    kinds += "  " + kind.name + std::string(16 - kind.name.size(), ' ') + kind.words + "\n";
  }
  command->add_option("kind", options->kind, "What to draw")->type_name("KIND")->required()->check(one_of(names));
  command
      ->add_option("results", options->results,
                   "Results file of a run, scenario (its first minute is run), or folder of a study")
      ->type_name("FILE")
      ->required();
  command->add_option("--x", options->x, "With a study: the column of the horizontal axis")->type_name("COLUMN");
  command->add_option("--y", options->y, "With a study: the column of the vertical axis")->type_name("COLUMN");
  command->add_option("--by", options->by, "With a study: the column that the colours show")->type_name("COLUMN");
  command
      ->add_option("--path", options->path,
                   "With a scenario: devices from the source to the load, separated by commas; default: the path with "
                   "most devices")
      ->type_name("NAMES");
  command
      ->add_option("--at", options->at,
                   "Instant that the picture shows: a time, a kind of event, 'worst' or 'end'; default: worst")
      ->type_name("TIME");
  command->add_option("-o,--output", options->output, "Picture, .svg or .png; default: RESULTS_KIND.svg")
      ->type_name("FILE");
  command->add_flag("--force", options->is_forced, "Replace an output file that is not a picture");
  add_trust(*command);
  command->footer(kinds +
                  "Examples:\n  wattloop diagram one-line scenarios/one_line/ring.yaml\n"
                  "  wattloop diagram one-line results/no_generators_10min.h5 --at lost_power\n"
                  "  wattloop diagram states results/no_generators_10min.h5 -o states.png\n"
                  "  wattloop diagram columns results/supply --x supply --y peak_die_temperature --by speed\n"
                  "  wattloop diagram time-current scenarios/one_line/ring.yaml --path cable_1,transformer_a");
  command->callback([options, &action] { action = [options] { return diagram_command(*options); }; });
}

}  // namespace wattloop::twin
