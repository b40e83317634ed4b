#include "twin/report/run/run_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/charts/step_section.hpp"
#include "twin/report/events/first_and_worst.hpp"
#include "twin/report/events/recoveries.hpp"
#include "twin/report/events/run_verdict.hpp"
#include "twin/report/events/times_off_set_points.hpp"
#include "twin/report/run/limits_with_records.hpp"
#include "twin/report/run/power_dips.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/equipment_faults.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

std::string value_text(const NamedValue& named) {
  if (const auto* text = std::get_if<std::string>(&named.value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&named.value)) return fmt::format("{}", *count);
  const double value = std::get<double>(named.value);
  if (!std::isfinite(value)) return named.reason.empty() ? "n/a" : "n/a: " + named.reason;
  return named.unit.empty() || named.unit == "1" ? fmt::format("{:.4g}", value) : format_quantity(value, named.unit);
}

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += "<td>" + page_text(cell) + "</td>";
  return text + "</tr>\n";
}

std::string table(std::initializer_list<std::string_view> heads, const std::string& rows) {
  if (rows.empty()) return {};
  std::string head;
  for (const std::string_view one : heads) head += fmt::format("<th>{}</th>", one);
  return fmt::format("<table><tr>{}</tr>\n{}</table>", head, rows);
}

/// "tower 1: fan stands, CDU 1 failed": equipment that is not sound when the run ends.
std::string faults_at_the_end(const ResultsReader& results) {
  std::vector<std::string> broken;
  for (const char* group : {"motors", "breakers"}) {
    if (!results.has_column(group, "state") || results.times_s(group).empty()) continue;
    const std::vector<float> states = results.frame(group, "state", results.times_s(group).size() - 1);
    const std::vector<std::string> items = results.table(group).items;
    for (std::size_t item = 0; item < std::min(items.size(), states.size()); ++item)
      if (states[item] == 2.0F) broken.push_back(items[item]);
  }
  std::string text = broken.empty() ? std::string() : names_by_kind(broken) + " failed";
  for (const EquipmentFault& fault : equipment_faults_at(results, std::numeric_limits<double>::max()))
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", display_name(fault.part),
                        fault.thing.empty() ? "" : ": " + display_name(fault.thing), fault.words);
  return text;
}

std::string losses_at_the_end(const ResultsReader& results) {
  static constexpr std::array<std::array<std::string_view, 2>, 5> lost{{{"shut_down_gpus", "GPUs off"},
                                                                        {"failed_nodes", "nodes failed"},
                                                                        {"racks_without_power", "racks without power"},
                                                                        {"loops_without_flow", "loops without flow"},
                                                                        {"rooms_without_air", "rooms without air"}}};
  std::string losses;
  bool is_known = false;
  for (const auto& [name, words] : lost) {
    const std::optional<double> count = results.summary_number(name);
    is_known = is_known || count.has_value();
    if (!count || !(*count > 0)) continue;
    std::string said(words);
    if (*count == 1.0) said.erase(said.find('s'), 1);
    losses += fmt::format("{}{:.0f} {}", losses.empty() ? "" : ", ", *count, said);
  }
  if (!is_known) return {};
  const std::string faults = faults_at_the_end(results);
  if (losses.empty() && faults.empty()) return " At the end nothing is off.";
  return " At the end: " + losses + (losses.empty() || faults.empty() ? "" : ", ") + faults + ".";
}

/// "12.5 GPU h", "14.75 million GPU h"
std::string gpu_hours_text(double gpu_h) {
  constexpr double million = 1e6;
  return gpu_h < million ? fmt::format("{:.{}f} GPU h", gpu_h, gpu_h < 100.0 ? 1 : 0)
                         : fmt::format("{:.4g} million GPU h", gpu_h / million);
}

/// How many GPUs were off, from the series of the facility, and what that came to with nodes in the dark or booting.
std::string work_lost(const ResultsReader& results) {
  std::string words;
  const std::string_view column = down_gpus_column(results, "facility");
  if (results.has_column("facility", column)) {
    const std::vector<float> down = results.series("facility", column);
    const float most = down.empty() ? 0.0F : *std::ranges::max_element(down);
    if (most > 0.0F) words = fmt::format(" At most {:.0f} GPUs were down at once.", most);
  }
  const std::optional<double> lost_gpu_s = results.summary_number("lost_gpu_time");
  if (!lost_gpu_s || !(*lost_gpu_s > 0.0)) return words;
  constexpr double seconds_per_hour = 3600.0;
  const double gpu_h = *lost_gpu_s / seconds_per_hour;
  return words + " " + gpu_hours_text(gpu_h) + " were lost, of nodes failed, without power, switched off or booting.";
}

/// "Above its set-point"
std::string off_set_point(const TimeOffSetPoint& place) {
  return place.side == "above" ? "Above its set-point" : "Below its set-point";
}

/// What was longest above its set-point and what was longest below, each with the number of others on that side.
std::string set_points_missed(std::span<const TimeOffSetPoint> places) {
  std::string words;
  for (const std::string_view side : {"above", "below"}) {
    const auto longest = std::ranges::find(places, side, &TimeOffSetPoint::side);
    if (longest == places.end()) continue;
    const auto others = std::ranges::count(places, side, &TimeOffSetPoint::side) - 1;
    words += fmt::format(" {} for {}: {}{}.", off_set_point(*longest), format_quantity(longest->time_s, "s"),
                         display_name(longest->place), others == 0 ? "" : fmt::format(", and {} more", others));
  }
  return words;
}

/// A row of the table of key figures: which figure, what limits it, and its margin where the summary has one.
class KeyFigures {
 public:
  explicit KeyFigures(const ResultsReader& results) : results_(results) {
    for (NamedValue& one : results.summary()) named_.emplace(one.name, std::move(one));
  }

  std::string rows() {
    plain("pue", "PUE");
    water_usage();
    sources();
    plain("peak_it_power", "Highest IT power");
    temperature_of_dies();
    if (const std::string of = text("highest_loading_of"); !of.empty())
      limited("highest_loading", 1.0, "Highest loading: " + display_name(of), false);
    cold_aisle();
    charge();
    voltage();
    generators();
    gpu_hours("lost_gpu_time", "GPU time lost");
    gpu_hours("throttled_gpu_time", "GPU time below full clock");
    gpu_hours("capped_gpu_time", "GPU time below what the work asked for, by a power limit");
    plain("limits_exceeded", "Limits of parts exceeded at any time of the run");
    set_points();
    if (const std::string unreached = text(std::string(unreached_figure)); !unreached.empty())
      rows_ += row({"Set-points that were not reached", unreached, ""});
    plain("water_use", "Make-up water");
    return std::move(rows_);
  }

 private:
  std::optional<double> number(const std::string& name) const { return results_.summary_number(name); }
  std::string text(const std::string& name) const {
    const auto known = named_.find(name);
    const auto* value = known == named_.end() ? nullptr : std::get_if<std::string>(&known->second.value);
    return value == nullptr ? std::string() : *value;
  }

  void plain(const std::string& name, const std::string& title) {
    const auto known = named_.find(name);
    if (known != named_.end()) rows_ += row({title, value_text(known->second), ""});
  }

  /// Of each side what was off its set-point for longest, with the number of others: all are among all figures.
  void set_points() {
    const std::vector<TimeOffSetPoint> places = times_off_set_points(results_.summary());
    for (const std::string_view side : {"above", "below"}) {
      const auto longest = std::ranges::find(places, side, &TimeOffSetPoint::side);
      if (longest == places.end()) continue;
      const auto others = std::ranges::count(places, side, &TimeOffSetPoint::side) - 1;
      const std::string by = longest->most_k > 0.0 ? ", by up to " + format_quantity(longest->most_k, "delta_K") : "";
      rows_ += row({off_set_point(*longest) + ": " + display_name(longest->place) +
                        (others == 0 ? "" : fmt::format(", and {} more for less time", others)),
                    format_quantity(longest->time_s, "s") + by, ""});
    }
  }

  /// What the utility and generators delivered, each by itself; files of before have the sum.
  void sources() {
    if (!number("utility_energy")) return plain("peak_facility_power", "Highest power from utility and generators");
    plain("utility_energy", "Utility energy");
    plain("peak_utility_power", "Utility peak power");
    plain("peak_demand", "Utility peak demand");
    if (!(number("generator_energy").value_or(0.0) > 0.0)) return;
    plain("generator_energy", "Generator energy");
    plain("peak_generator_power", "Generator peak power");
  }

  void water_usage() {
    constexpr double litre_per_kilowatt_hour = 3.6e9;  // of 1 m3/J
    const std::optional<double> wue = number("wue");
    if (wue && std::isfinite(*wue))
      rows_ += row({"WUE", fmt::format("{:.3g} L/kWh", *wue * litre_per_kilowatt_hour), ""});
  }

  void charge() {
    const std::optional<double> least = number("lowest_state_of_charge");
    if (!least || !std::isfinite(*least)) return;
    rows_ += row({"Lowest charge of a battery: " + display_name(text("lowest_state_of_charge_of")),
                  fmt::format("{:.1f} %", 100.0 * *least), ""});
  }

  void voltage() {
    const std::optional<double> lowest = number("lowest_voltage");
    if (lowest)
      rows_ += row({"Lowest voltage of a bus, over nominal: " + display_name(text("lowest_voltage_of")),
                    fmt::format("{:.1f} %", 100.0 * *lowest), ""});
  }

  void gpu_hours(const std::string& name, const std::string& title) {
    constexpr double seconds_per_hour = 3600.0;
    const std::optional<double> gpu_s = number(name);
    if (gpu_s && std::isfinite(*gpu_s)) rows_ += row({title, gpu_hours_text(*gpu_s / seconds_per_hour), ""});
  }

  void limited(const std::string& name, double limit, const std::string& title, bool is_temperature) {
    const auto known = named_.find(name);
    const std::optional<double> value = number(name);
    if (known == named_.end() || !value || !std::isfinite(*value)) return plain(name, title);
    const auto said = [&](double si) {
      return is_temperature ? format_quantity(si, known->second.unit) : fmt::format("{:.1f} %", 100.0 * si);
    };
    const double margin = limit - *value;
    const std::string apart = is_temperature ? format_quantity(std::abs(margin), "delta_K") : said(std::abs(margin));
    rows_ += row(
        {title, said(*value), fmt::format("limit {}: {} {}", said(limit), apart, margin < 0.0 ? "beyond it" : "left")});
  }

  /// The row of racks before which air was warmest; empty where results do not report.
  std::string warmest_row() const {
    constexpr std::string_view column = "cold_aisle_temperature";
    if (!results_.has_column("rows", column)) return {};
    const std::vector<float> aisles_k = results_.column("rows", column);
    const std::vector<std::string> rows = results_.table("rows").items;
    if (aisles_k.empty() || rows.empty()) return {};
    const auto warmest = std::ranges::max_element(aisles_k);
    return rows[static_cast<std::size_t>(warmest - aisles_k.begin()) % rows.size()];
  }

  /// Beside the warmest inlet air that makers allow, of racks of its row that were above it: of others results do not report. Where rows
  /// are not recorded its racks are those that drew that air.
  void cold_aisle() {
    const std::string name = "highest_cold_aisle_temperature", title = "Warmest cold aisle", row = warmest_row() + ".";
    constexpr double same_k = 0.1;
    const double warmest_k = number(name).value_or(std::numeric_limits<double>::infinity());
    std::optional<double> allowed_k;
    for (const LimitRecord& one : results_.limits()) {
      const bool is_upper = one.worst > one.limit,
                 is_there = row.size() > 1 ? one.part.starts_with(row) : one.worst > warmest_k - same_k;
      if (one.quantity == "inlet_air_temperature" && is_upper && is_there)
        allowed_k = std::min(one.limit, allowed_k.value_or(one.limit));
    }
    if (allowed_k)
      limited(name, *allowed_k, title, true);
    else
      plain(name, title);
  }

  /// Whether any can stand in for a feed.
  void generators() {
    if (!results_.has_table("breakers")) return;
    const std::set<std::string, std::less<>> disabled = disabled_generators(results_);
    if (!results_.has_table("generators"))
      rows_ += row({"Generators", "none", ""});
    else if (!disabled.empty())
      rows_ += row({"Generators", display_names(std::vector(disabled.begin(), disabled.end())) + ": disabled", ""});
  }

  void temperature_of_dies() {
    const std::optional<double> hottest = number("peak_die_temperature"), margin = number("smallest_throttle_margin");
    const std::string gpu = text("peak_die_gpu"),
                      title = "Hottest die" + (gpu.empty() ? gpu : ": " + display_name(gpu)) + at_peak();
    if (!hottest || !margin || !std::isfinite(*hottest + *margin)) return plain("peak_die_temperature", title);
    limited("peak_die_temperature", *hottest + *margin, title, true);
  }

  std::string at_peak() const {
    const std::optional<double> at_s = number("peak_die_time");
    return at_s && std::isfinite(*at_s) ? ", at " + instant_text(results_.start_iso(), *at_s) : "";
  }

  const ResultsReader& results_;
  std::map<std::string, NamedValue> named_;
  std::string rows_;
};

/// The lines that the terminal prints, and what it has no room for.
std::string verdict_table(const VerdictReported& reported, const std::optional<VerdictLine>& nearest) {
  std::string rows;
  const auto add = [&](const VerdictLine& line) {
    rows += fmt::format("<tr><th scope='row'>{}</th><td>{}{}</td></tr>\n", page_text(line.label),
                        page_text(with_display_names(line.words)),
                        line.more.empty() ? "" : ", " + page_text(with_display_names(line.more)));
  };
  for (const VerdictLine& line : reported.lines) {
    if (nearest && line.label == "hottest die") add(*nearest);
    add(line);
  }
  return "<table class='margins'>" + rows + "</table>\n";
}

}  // namespace

std::string verdict(const ResultsReader& results, std::span<const EventSummaryLine> event_lines) {
  std::string said = first_and_worst(event_lines, results.start_iso());
  if (said.empty()) {
    const std::vector<TimeOffSetPoint> missed = times_off_set_points(results.summary());
    said = !event_lines.empty() ? "Nothing failed; equipment did what its controls asked."
           : missed.empty()     ? "Nothing happened in this run."
                                : "Nothing failed.";
    said += set_points_missed(missed);
  }
  said += work_lost(results) + losses_at_the_end(results);
  const std::vector<NamedValue> figures = results.summary();
  if (figures.empty()) return "<p class='verdict'>" + page_text(said) + "</p>\n";  // a run that did not end
  const std::vector<EventRecord> events = results.events();
  const std::vector<LimitRecord> limits = limits_with_records(results);
  VerdictReported reported =
      verdict_reported({figures, events, limits}, {.start = results.start_iso(), .all_events = "under What happened"});
  for (VerdictLine& line : reported.lines)
    if (const std::string of = peak_of_utilisation(results); line.label == "training" && !of.empty())
      line.more = "MFU " + of;
  return fmt::format("<p class='verdict' style='border-color:{0}'><b style='color:{0}'>{1}</b> {2}.<br>{3}</p>\n{4}",
                     colour_of(reported.verdict).page, word_of(reported.verdict),
                     page_text(fmt::format("{}", fmt::join(reported.reasons, ", "))), page_text(said),
                     verdict_table(reported, nearest_limit_line(results)));
}

std::string key_figures(const ResultsReader& results) {
  return table({"figure", "value", "limit"}, KeyFigures(results).rows());
}

std::string events_table(const ResultsReader& results, std::span<const EventSummaryLine> event_lines,
                         const LiveCharts& charts) {
  const std::string start = results.start_iso();
  if (event_lines.empty()) return "<p>Nothing happened." + page_text(power_dips_words(results)) + "</p>";
  static constexpr std::array<std::string_view, 4> classes{"routine", "notice", "loss", "cause"};
  std::string rows;
  for (const EventSummaryLine& line : event_lines) {
    std::string time = instant_text(start, line.first_s);
    if (line.last_s > line.first_s) time += " to " + instant_text(start, line.last_s);
    rows +=
        fmt::format("<tr class='{}'><td><a href='#charts' data-from='{:.7g}'>{}</a></td><td>{}</td><td>{}</td></tr>\n",
                    classes.at(static_cast<std::size_t>(line.weight)), charts.shown_time(line.first_s), time,
                    line.event_count, page_text(line.words));
  }
  return table({"time", "events", "what"}, rows);
}

std::string loadings_table(const ResultsReader& results) {
  std::string rows;
  const std::vector<NamedValue> summary = results.summary();
  for (const NamedValue& one : summary) {
    constexpr std::string_view begin = "highest_", end = "_loading";
    if (!one.name.starts_with(begin) || !one.name.ends_with(end) || one.name.size() <= begin.size() + end.size())
      continue;
    const auto* loading = std::get_if<double>(&one.value);
    if (loading == nullptr || !std::isfinite(*loading)) continue;
    std::string of;
    for (const NamedValue& other : summary) {
      const auto* text = std::get_if<std::string>(&other.value);
      if (other.name == one.name + "_of" && text != nullptr) of = display_name(*text);
    }
    const std::string kind = one.name.substr(begin.size(), one.name.size() - begin.size() - end.size());
    rows += row({display_name(kind), fmt::format("{:.1f} %", 100.0 * *loading), of});
  }
  return table({"kind", "highest loading", "of"}, rows);
}

std::string figures_table(std::span<const NamedValue> summary) {
  std::string rows;
  for (const NamedValue& one : summary) rows += row({one.name, value_text(one), one.long_name});
  return rows.empty() ? rows : "<table>" + rows + "</table>";
}

std::string provenance_list(const ResultsReader& results, const std::string& file_name) {
  std::string text =
      fmt::format("<p>Run it again: <code>wattloop run {}</code></p>\n", page_text(shell_file(file_name)));
  for (const NamedValue& one : results.provenance()) {
    text += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", page_text(one.name),
                        page_text(value_text(one)));
  }
  return text;
}

}  // namespace wattloop::twin
