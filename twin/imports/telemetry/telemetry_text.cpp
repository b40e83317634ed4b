// The report of an import of measured power, for people and for programs.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/imports/telemetry/telemetry_text.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t few = 4;

/// The first few of a list, and how many more there are.
std::string listed(std::vector<std::string> items) {
  const std::size_t count = items.size();
  if (count > few) items.resize(few);
  return fmt::format("{}{}", fmt::join(items, ", "), count > few ? fmt::format(" and {} more", count - few) : "");
}

class TelemetryText {
 public:
  TelemetryText(const ImportedTelemetry& imported, const TraceSums& sums)
      : log_(imported.log), facts_(imported.facts), imported_(imported), sums_(sums) {}

  std::vector<std::string> lines(const std::filesystem::path& output) {
    head();
    columns();
    holes();
    clocks();
    rows();
    events();
    written(output);
    return std::move(lines_);
  }

 private:
  void add(std::string_view head, const std::string& text) {
    lines_.push_back(fmt::format("{:<10} {}", head, printable(text)));
  }
  ClockKind clock() const { return log_.clock.value_or(ClockKind::seconds); }

  void head() {
    const TraceRows& trace = imported_.trace;
    const bool is_of_gpus = imported_.meaning() == "gpu";
    const std::string what =
        is_of_gpus ? fmt::format("{} of {}", count_text(trace.columns(), "GPU"), count_text(trace.nodes.size(), "node"))
                   : count_text(trace.columns(), "node");
    add("log", fmt::format("{}, {}: {}, {}", log_.format, count_text(log_.files.size(), "file"), what,
                           count_text(facts_.samples, "sample")));
    add("time", fmt::format("from {}, {}, every {:.4g} s ({:.4g} to {:.4g} s)", clock_text(clock(), facts_.begin_s),
                            span_text(facts_.end_s - facts_.begin_s), facts_.interval_s, facts_.shortest_step_s,
                            facts_.longest_step_s));
    const double rows_j = energy_j(trace);
    const double off_ratio = facts_.energy_j > 0.0 ? rows_j / facts_.energy_j - 1.0 : 0.0;
    add("energy",
        fmt::format("{:.6g} kWh{}", facts_.energy_j / 3.6e6,
                    std::abs(off_ratio) > 5e-5 ? fmt::format(", in the trace {:+.3f} %", 100.0 * off_ratio) : ""));
    add("boundary", fmt::format("{}{}", imported_.boundary,
                                log_.boundary_source.empty() ? ", as --boundary says" : ": " + log_.boundary_source));
  }

  void columns() {
    if (facts_.doubles.empty()) return;
    std::vector<std::string> pairs;
    for (const auto& [column, other] : facts_.doubles) pairs.push_back(fmt::format("{} is {}", column, other));
    add("doubles", fmt::format("{} of {} columns repeat another one to the last digit: {}", pairs.size(),
                               imported_.trace.columns(), listed(pairs)));
  }

  void holes() {
    if (facts_.holes > 0)
      add("holes", fmt::format("{}, {} missing; the longest has {} samples, in {}, and begins at {}",
                               count_text(facts_.holes, "hole"), count_text(facts_.missing_samples, "sample"),
                               facts_.longest_hole.samples, facts_.longest_hole.series,
                               clock_text(clock(), facts_.longest_hole.from_s)));
    if (facts_.long_holes > 0)
      add("", fmt::format("{} of them have more than three intervals: {}", facts_.long_holes,
                          imported_.options.fill == "hold" ? "the last value before each hole is used"
                                                           : "filled, " + imported_.options.fill));
    if (!facts_.late_series.empty())
      add("", fmt::format("no samples at the start of the trace in {}: 0 W is assumed there; write --span common to "
                          "leave this time out",
                          listed(facts_.late_series)));
    if (!facts_.ended_series.empty())
      add("", fmt::format("no samples at the end of the trace in {}: 0 W is assumed there; write --span common to "
                          "leave this time out",
                          listed(facts_.ended_series)));
    if (log_.missing_cells > 0) add("", fmt::format("{} without a number", count_text(log_.missing_cells, "sample")));
  }

  void clocks() {
    if (log_.late_rows > 0)
      add("order", fmt::format("{} came late, by at most {}, and are sorted", count_text(log_.late_rows, "row"),
                               span_text(log_.most_late_s)));
    std::vector<std::string> begins;
    for (const NodeBegin& one : facts_.node_begins)
      begins.push_back(fmt::format("{} by {}", one.node, span_text(one.after_first_s)));
    if (!begins.empty())
      add("clocks", fmt::format("{} after the first node: {}{}",
                                begins.size() == 1 ? "one begins" : fmt::format("{} begin", begins.size()),
                                listed(begins), imported_.options.align == "first" ? "; moved to begin together" : ""));
    std::vector<std::string> lags;
    for (const NodeLag& one : imported_.lags)
      lags.push_back(fmt::format("{} {} {} (correlation {:.2f}, as stamped {:.2f})", one.node,
                                 span_text(std::abs(one.lag_s)), one.lag_s > 0.0 ? "behind" : "ahead", one.correlation,
                                 one.correlation_now));
    if (!lags.empty())
      add("clocks",
          fmt::format("the power of these nodes fits the power of the others best at another time: {}", listed(lags)));
    if (log_.counter_resets > 0)
      add("counters", fmt::format("{}: no mean across a reset", count_text(log_.counter_resets, "reset")));
    if (log_.repeated_values > 0)
      add("counters", fmt::format("{} of a counter that was not updated", count_text(log_.repeated_values, "reading")));
    if (log_.repeated_heads > 0) add("headers", fmt::format("{} repeated", log_.repeated_heads));
  }

  void rows() {
    if (imported_.trace.has_means)
      add("rows", fmt::format("means over {}, because columns are not sampled at the same times or copies are shifted",
                              span_text(imported_.trace.interval_s)));
  }

  void events() {
    if (!log_.events) return;
    const RunEvents& events = *log_.events;
    const std::string run = events.start_s && events.stop_s
                                ? fmt::format("run from {} until {}", clock_text(clock(), *events.start_s),
                                              clock_text(clock(), *events.stop_s))
                                : "no run_start and run_stop";
    add("events", fmt::format("{}, {}, {} of {:.5g} s in the mean", run, count_text(events.evaluations, "evaluation"),
                              count_text(events.step_times, "step"), events.mean_step_s));
  }

  void written(const std::filesystem::path& output) {
    if (!imported_.copies.empty())
      add("copies",
          fmt::format("{} from {} measured; jitter {}, spread {:.3g}, seed {}",
                      count_text(imported_.copies.size(), "node"), imported_.trace.nodes.size(),
                      span_text(imported_.asked.jitter_s), imported_.asked.spread_ratio, imported_.asked.seed));
    add("sum", fmt::format("{} to {}, mean {}, standard deviation {}", format_quantity(sums_.least_w, "W"),
                           format_quantity(sums_.most_w, "W"), format_quantity(sums_.mean_w, "W"),
                           format_quantity(sums_.deviation_w, "W")));
    lines_.push_back(fmt::format("{}: {}; workload: {{ kind: replay, trace: {}, meaning: {} }}",
                                 printable(output.string()), count_text(imported_.trace.rows(), "row"),
                                 shell_file(output.string()), imported_.meaning()));
  }

  const PowerLog& log_;
  const SeriesFacts& facts_;
  const ImportedTelemetry& imported_;
  const TraceSums& sums_;
  std::vector<std::string> lines_;
};

Json json_of_clocks(const ImportedTelemetry& imported) {
  Json begins = Json::array(), lags = Json::array();
  for (const NodeBegin& one : imported.facts.node_begins)
    begins.push_back({{"node", one.node}, {"after_first_s", one.after_first_s}});
  for (const NodeLag& one : imported.lags)
    lags.push_back({{"node", one.node},
                    {"lag_s", one.lag_s},
                    {"correlation", one.correlation},
                    {"correlation_as_stamped", one.correlation_now}});
  return {{"begins", begins}, {"lags", lags}};
}

Json json_of_holes(const ImportedTelemetry& imported) {
  const SeriesFacts& facts = imported.facts;
  const SeriesHole& longest = facts.longest_hole;
  return {{"count", facts.holes},
          {"missing_samples", facts.missing_samples},
          {"longer_than_three_intervals", facts.long_holes},
          {"longest",
           {{"column", longest.series},
            {"from_s", longest.from_s},
            {"until_s", longest.until_s},
            {"samples", longest.samples}}},
          {"cells_without_number", imported.log.missing_cells},
          {"late_columns", facts.late_series},
          {"ended_columns", facts.ended_series},
          {"fill", imported.options.fill}};
}

}  // namespace

std::vector<std::string> telemetry_text(const ImportedTelemetry& imported, const TraceSums& sums,
                                        const std::filesystem::path& output) {
  return TelemetryText(imported, sums).lines(output);
}

std::string telemetry_json(const ImportedTelemetry& imported, const TraceSums& sums,
                           const std::filesystem::path& output) {
  const PowerLog& log = imported.log;
  const SeriesFacts& facts = imported.facts;
  Json doubles = Json::array();
  for (const auto& [column, other] : facts.doubles) doubles.push_back({{"column", column}, {"repeats", other}});
  Json json{{"out", output.string()},
            {"format", log.format},
            {"files", log.files},
            {"boundary", imported.boundary},
            {"meaning", imported.meaning()}};
  json["nodes"] = imported.trace.nodes.size();
  json["columns"] = imported.trace.columns();
  json["samples"] = facts.samples;
  json["begin"] = clock_text(log.clock.value_or(ClockKind::seconds), facts.begin_s);
  json["duration_s"] = facts.end_s - facts.begin_s;
  json["interval_s"] = facts.interval_s;
  json["shortest_step_s"] = facts.shortest_step_s;
  json["longest_step_s"] = facts.longest_step_s;
  json["energy_j"] = facts.energy_j;
  json["rows"] = {{"count", imported.trace.rows()},
                  {"interval_s", imported.trace.interval_s},
                  {"are_means", imported.trace.has_means},
                  {"energy_j", energy_j(imported.trace)}};
  json["holes"] = json_of_holes(imported);
  json["repeated_columns"] = doubles;
  json["out_of_order"] = {{"rows", log.late_rows}, {"most_s", log.most_late_s}};
  json["clocks"] = json_of_clocks(imported);
  json["counters"] = {
      {"are_used", log.has_counter_means}, {"resets", log.counter_resets}, {"repeated_readings", log.repeated_values}};
  json["repeated_headers"] = log.repeated_heads;
  if (log.events) {
    json["events"] = {{"evaluations", log.events->evaluations},
                      {"steps", log.events->step_times},
                      {"mean_step_s", log.events->mean_step_s}};
    if (log.events->start_s) json["events"]["run_start_s"] = *log.events->start_s;
    if (log.events->stop_s) json["events"]["run_stop_s"] = *log.events->stop_s;
  }
  if (!imported.copies.empty())
    json["copies"] = {{"nodes", imported.copies.size()},
                      {"jitter_s", imported.asked.jitter_s},
                      {"spread", imported.asked.spread_ratio},
                      {"seed", imported.asked.seed}};
  json["sum"] = {
      {"least_w", sums.least_w}, {"most_w", sums.most_w}, {"mean_w", sums.mean_w}, {"deviation_w", sums.deviation_w}};
  json["notes"] = log.notes;
  return json.dump(2, ' ', true, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
