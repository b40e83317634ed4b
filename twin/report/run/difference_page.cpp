#include "twin/report/run/difference_page.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/comparison/comparison.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/charts/overlaid_charts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/run/page_frame.hpp"
#include "twin/report/run/run_tables.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_rows = 40;

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += "<td>" + page_text(cell) + "</td>";
  return text + "</tr>\n";
}

/// Of a table that is too long to print: how many rows are left out.
std::string left_out(std::size_t rows) {
  return rows > most_rows ? fmt::format("<p>and {} more: wattloop compare --lines 0</p>\n", rows - most_rows) : "";
}

std::string scenario_table(const std::vector<ScenarioDifference>& differences) {
  if (differences.empty()) return "<p>Nothing: the scenarios are the same.</p>\n";
  std::string rows;
  for (std::size_t k = 0; k < std::min(differences.size(), most_rows); ++k)
    rows += row({differences[k].path, differences[k].a.value_or("not there"), differences[k].b.value_or("not there")});
  return "<table><tr><th>path</th><th>A</th><th>B</th></tr>\n" + rows + "</table>\n" + left_out(differences.size());
}

/// "first_throttle_time": when something was, not for how long.
bool is_moment(const FigureRow& figure) {
  return figure.name.ends_with("_time") && (figure.name.starts_with("first_") || figure.name.starts_with("peak_"));
}

/// Shares of what is rated, which other pages report in per cent.
bool is_loading(const FigureRow& figure) { return figure.name.ends_with("_loading"); }

/// Times of all GPUs together, which are no duration of anything.
std::string gpu_hours(double gpu_s) { return fmt::format("{:.4g} GPU h", gpu_s / 3600.0); }
bool is_gpu_time(const FigureRow& figure) { return figure.name.ends_with("gpu_time"); }

std::string figure_text(const FigureRow& figure, std::size_t file) {
  const std::optional<NamedValue>& value = figure.of[file];
  if (!value) return "not there";
  if (const auto* text = std::get_if<std::string>(&value->value)) return *text;
  const double number = figure.number(file);
  if (!std::isfinite(number)) return "n/a";
  if (is_loading(figure)) return fmt::format("{:.4g} %", 100.0 * number);
  if (is_gpu_time(figure)) return gpu_hours(number);
  return figure.unit.empty() || figure.unit == "1" ? fmt::format("{:.5g}", number)
                                                   : format_quantity(number, figure.unit);
}

std::string change_text(const FigureRow& figure) {
  const double by = figure.difference(1), ratio = figure.difference_ratio(1);
  if (figure.is_text() || !std::isfinite(by)) return "";
  if (is_loading(figure)) return fmt::format("{:+.4g} points", 100.0 * by);
  const std::string unit = figure.unit == "K" ? "delta_K" : figure.unit;
  std::string text = is_gpu_time(figure)           ? (by > 0.0 ? "+" : "") + gpu_hours(by)
                     : unit.empty() || unit == "1" ? fmt::format("{:+.4g}", by)
                                                   : (by > 0.0 ? "+" : "") + format_quantity(by, unit);
  constexpr double reports_nothing =
      10.0;  // of what was next to nothing, or of a moment: eight minutes later is not 770 % later
  if (std::isfinite(ratio) && std::abs(ratio) < reports_nothing && !is_moment(figure))
    text += ratio > 1.0 ? fmt::format(" ({:.3g} times)", 1.0 + ratio) : fmt::format(" ({:+.2f} %)", 100.0 * ratio);
  return text;
}

/// More than 0.1 %, of temperatures 0.1 K, or another text.
bool is_noticeable(const FigureRow& figure) {
  const double by = figure.difference(1), ratio = figure.difference_ratio(1);
  if (figure.is_text() || !std::isfinite(by)) return true;
  if (figure.unit == "K" || figure.unit == "delta_K") return std::abs(by) >= 0.1;
  return !std::isfinite(ratio) || std::abs(ratio) >= 1e-3;
}

std::string figures_table(const std::vector<FigureRow>& figures) {
  std::string rows, small;
  for (const FigureRow& figure : figures) {
    if (figure.is_equal() || figure.name == "wall_time" || figure.name == "energy_residual") continue;
    (is_noticeable(figure) ? rows : small) +=
        row({figure.name, figure_text(figure, 0), figure_text(figure, 1), change_text(figure)});
  }
  const auto table = [](const std::string& of) {
    return "<table><tr><th>figure</th><th>A</th><th>B</th><th>B less A</th></tr>\n" + of + "</table>\n";
  };
  std::string text = rows.empty() ? "<p>No figure differs by more than 0.1 % or 0.1 K.</p>\n" : table(rows);
  if (!small.empty()) text += "<details><summary>figures that differ by less</summary>" + table(small) + "</details>\n";
  return text;
}

std::string divergences_table(const SeriesComparison& series, const std::string& start) {
  if (series.divergences.empty()) return "<p>No recorded series differs by more than 0.1 % and 0.1 K.</p>\n";
  std::string rows;
  for (std::size_t k = 0; k < std::min<std::size_t>(series.divergences.size(), 15); ++k) {
    const Divergence& one = series.divergences[k];
    const std::string name = display_name(one.table) + ": " + display_name(one.column);
    rows +=
        row({instant_text(start, one.first.time_s), name, one.first.item.empty() ? "" : display_name(one.first.item),
             fmt::format("{} and {} at {}", format_quantity(one.most.a, one.unit),
                         format_quantity(one.most.b, one.unit), instant_text(start, one.most.time_s))});
  }
  return "<table><tr><th>from</th><th>series</th><th>first of</th><th>farthest apart: A and B</th></tr>\n" + rows +
         "</table>\n";
}

std::string events_table(const std::vector<EventDifference>& events, const ResultsReader& in_a,
                         const ResultsReader& in_b) {
  if (events.empty()) return "<p>The same happened in both.</p>\n";
  const auto said = [](const std::optional<EventRecord>& event, const std::string& start) {
    return event ? fmt::format("{}: {} {}", instant_text(start, event->time_s), event->kind, event->target)
                 : "not there";
  };
  std::string rows;
  for (std::size_t k = 0; k < std::min(events.size(), most_rows); ++k)
    rows += row({said(events[k].a, in_a.start_iso()), said(events[k].b, in_b.start_iso())});
  return "<table><tr><th>A</th><th>B</th></tr>\n" + rows + "</table>\n" + left_out(events.size());
}

/// Hottest die of each rack, B less A, at the record of A where they are farthest apart.
std::string plan_of_difference(const ResultsReader& a, const RackTemperatures& in_a, const RackTemperatures& in_b) {
  if (!in_a.is_recorded() || !in_b.is_recorded()) return {};
  if (in_a.names != in_b.names) return "<p>The halls have other racks.</p>\n";
  std::vector<float> most(in_a.names.size(), NAN);
  double farthest = -1.0, at_s = 0.0;
  for (std::size_t row = 0; row < in_a.times_s.size(); ++row) {
    const auto other = std::ranges::find(in_b.times_s, in_a.times_s[row]);
    if (other == in_b.times_s.end()) continue;
    const auto row_b = static_cast<std::size_t>(other - in_b.times_s.begin());
    std::vector<float> by(most.size());
    double apart = 0.0;
    for (std::size_t rack = 0; rack < most.size(); ++rack) {
      by[rack] = in_b.die_k[row_b * most.size() + rack] - in_a.die_k[row * most.size() + rack];
      if (std::isfinite(by[rack])) apart = std::max(apart, std::abs(static_cast<double>(by[rack])));
    }
    if (apart > farthest) farthest = apart, at_s = in_a.times_s[row], most = std::move(by);
  }
  if (farthest < 0.0) return "<p>No record of racks has the same time in both.</p>\n";
  return "<div class='alone'>" + difference_plan(a.layout(), in_a.names, most) + "</div>\n" + difference_scale() +
         fmt::format(
             "<p>Hottest die of each rack, B less A, in K, at {}, where they are farthest apart: {:.3g} K. Dark grey: "
             "switches, or not recorded.</p>\n",
             instant_text(a.start_iso(), at_s), farthest);
}

std::string title_of(const ComparedFile& file) {
  return file.title.empty() ? file.file.filename().string() : file.title;
}

}  // namespace

std::string difference_page(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Comparison comparison = compare_results({.files = {a, b}, .tolerances = {}, .limits = {}});
  const ComparedFile &one = comparison.files.at(0), &other = comparison.files.at(1);
  const ResultsReader in_a(a), in_b(b);
  LiveCharts charts(in_a.summary_number("simulated_time").value_or(0.0));
  const std::string curves = overlaid_charts(in_a, in_b, charts);
  const std::vector<EventSummaryLine> events_a = event_summary(in_a.events()), events_b = event_summary(in_b.events());
  std::string notes;
  for (const std::string& note : other.series.notes) notes += "<p>" + page_text(note) + "</p>\n";
  for (const std::string& note : other.notes) notes += "<p>" + page_text(note) + "</p>\n";
  return page_begin(difference_head, fmt::format("A: {}; B: {}", title_of(one), title_of(other)),
                    fmt::format("A is {}, B is {}", a.filename().string(), b.filename().string())) +
         "<h3>A</h3>" + verdict(in_a, events_a) + "<h3>B</h3>" + verdict(in_b, events_b) +
         section("What was changed", scenario_table(other.scenario)) +
         section("Figures that differ", figures_table(comparison.figures)) +
         section("The hall", plan_of_difference(in_a, RackTemperatures(in_a), RackTemperatures(in_b))) +
         section("Over time", curves.empty() ? "<p>No curve differs.</p>\n" : curves, "charts") +
         section("Where they part first", divergences_table(other.series, in_a.start_iso())) +
         section("Events that differ", events_table(other.events, in_a, in_b)) + notes + charts.script({}) + page_end();
}

}  // namespace wattloop::twin
