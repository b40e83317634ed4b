#include "twin/commands/results/run_end.hpp"
#include <CLI/CLI.hpp>
#include "twin/commands/program/shared_options.hpp"

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "twin/commands/program/standard_streams.hpp"
#include "twin/commands/results/summary_json.hpp"
#include "twin/report/events/run_verdict.hpp"

namespace wattloop::twin {

namespace {

/// Of the summary: what ran, how large and how long. Those without a blank line there have no head.
std::string head_of(const std::string& summary_text) {
  const std::size_t end = summary_text.find("\n\n");
  return end == std::string::npos ? std::string() : summary_text.substr(0, end + 1);
}

std::string rest_of(const std::string& summary_text) { return summary_text.substr(head_of(summary_text).size()); }

}  // namespace

std::string end_text(const RunEnd& end, const EndStyle& style, bool is_coloured) {
  const std::string file = end.results.empty() ? "" : printable(end.results.string());
  const std::string head = head_of(end.summary_text);
  std::string text = head + (head.empty() ? "" : "\n") +
                     run_verdict({end.figures, end.events, end.limits}, {style.units, is_coloured, end.start, file});
  if (style.is_full) text += (head.empty() ? "\n" : "") + rest_of(end.summary_text);
  text += fmt::format("{}\nresults            {}\n", verdicts_text(end.verdicts), file.empty() ? "not written" : file);
  if (style.is_full) return text;
  return text + fmt::format("more               {}\n", file.empty() ? "--full" : "wattloop summary --full " + file);
}

void print_end(const RunEnd& end, const EndStyle& style) {
  if (style.is_json) return fmt::print("{}\n", summary_json(end));
  fmt::print("{}", end_text(end, style, shows_colour()));
}

void add_end_style(CLI::App& command, EndStyle& style) {
  CLI::Option* json = command.add_flag("--json", style.is_json, "Print the summary as JSON");
  command.add_flag("--full", style.is_full, "Print the complete summary after its short form")->excludes(json);
  add_units(command, style.units);
}

}  // namespace wattloop::twin
