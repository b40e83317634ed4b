#include "twin/commands/results/events_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/trusted_results.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/tables/local_time.hpp"
#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/report/events/event_groups.hpp"
#include "twin/report/events/first_throttles.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

namespace {

struct EventsOptions {
  std::filesystem::path results;
  std::vector<std::string> kinds;  ///< only these; empty: all
  bool is_json = false;
  bool is_csv = false;
};

/// Says which of the kinds asked for did not happen, because it may be misspelt.
void report_absent(const std::vector<EventRecord>& events, const std::vector<std::string>& requested) {
  std::set<std::string> there;
  for (const EventRecord& event : events) there.insert(event.kind);
  for (const std::string& kind : requested) {
    if (there.contains(kind)) continue;
    const std::string hint = nearest(kind, std::vector<std::string>(there.begin(), there.end()));
    report(fmt::format("note: no event '{}' in this run{}", printable(kind),
                       hint.empty() ? "" : fmt::format("; did you mean '{}'?", printable(hint))));
  }
}

std::string events_json(const std::vector<EventRecord>& events) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const EventRecord& event : events) {
    json.push_back(
        {{"time_s", event.time_s}, {"kind", event.kind}, {"target", event.target}, {"detail", event.detail}});
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A text in a cell of its own.
std::string csv_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : printable(text)) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string events_csv(const std::vector<EventRecord>& events) {
  std::string text = "time_s,kind,target,detail\n";
  for (const EventRecord& event : events)
    text += fmt::format("{},{},{},{}\n", event.time_s, csv_quoted(event.kind), csv_quoted(event.target),
                        csv_quoted(event.detail));
  return text;
}

std::string events_table(const std::vector<EventRecord>& events, const std::string& start) {
  std::vector<std::array<std::string, 4>> rows{{"time", "kind", "target", "detail"}};
  for (const EventRecord& event : events) {
    rows.push_back(
        {instant_text(start, event.time_s), printable(event.kind), printable(event.target), printable(event.detail)});
  }
  std::array<std::size_t, 3> widths{};
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& [time, kind, target, detail] : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}", time, widths[0], kind, widths[1], target, widths[2]);
    text += detail.empty() ? "" : "  " + detail;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

int events_command(const EventsOptions& options) {
  const ResultsReader results(options.results);
  std::vector<EventRecord> events = results.events();
  report_absent(events, options.kinds);
  if (!options.kinds.empty()) {
    std::erase_if(events, [&](const EventRecord& event) {
      return std::ranges::find(options.kinds, event.kind) == options.kinds.end();
    });
  }
  if (std::ranges::find(options.kinds, "first_throttle") != options.kinds.end()) {
    const std::vector<EventRecord> each = first_throttles(results.throttles());
    if (!each.empty()) std::erase_if(events, [](const EventRecord& event) { return event.kind == "first_throttle"; });
    events.insert(events.end(), each.begin(), each.end());
    std::ranges::stable_sort(events, {}, &EventRecord::time_s);
  }
  if (options.is_csv) {
    fmt::print("{}", events_csv(events));
  } else if (options.is_json) {
    fmt::print("{}\n", events_json(events));
  } else if (!events.empty()) {
    fmt::print("{}", events_table(options.kinds.empty() ? folded_events(events, results.start_iso()) : events,
                                  results.start_iso()));
  } else if (options.kinds.empty()) {
    report("note: nothing happened in this run");
  }
  return 0;
}

}  // namespace

void add_events(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<EventsOptions>();
  CLI::App* command = app.add_subcommand("events", "List what happened in a run");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command->add_option("--kind", options->kinds, "Only events of this kind, for example tripped; may be repeated")
      ->type_name("KIND")
      ->allow_extra_args(false);
  CLI::Option* json = command->add_flag("--json", options->is_json, "Print events as JSON, times in seconds");
  command->add_flag("--csv", options->is_csv, "Print events as CSV, times in seconds")->excludes(json);
  add_trust(*command);
  command->footer(
      "If heat switches off several nodes of a row within a minute, they are one line; --kind thermal_shutdown and "
      "--json list each node. --kind first_throttle lists every GPU that was below full clock because of its "
      "temperature, with the first time and the property of the GPU that differs most from the mean.\n\n"
      "Examples:\n  wattloop events results/c_cdu_lost.h5\n"
      "  wattloop events results/c_cdu_lost.h5 --kind tripped --kind thermal_shutdown\n"
      "  wattloop events results/c_cdu_lost.h5 --kind first_throttle --csv\n"
      "  wattloop events results/c_cdu_lost.h5 --json");
  command->callback([options, &action] { action = [options] { return events_command(*options); }; });
}

}  // namespace wattloop::twin
