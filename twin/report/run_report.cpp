#include "twin/report/run_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/units.hpp"
#include "twin/report/event_story.hpp"
#include "twin/report/hall_plan.hpp"
#include "twin/report/page_text.hpp"
#include "twin/report/series_chart.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* style =
    "<meta charset='utf-8'><style>body{font:15px sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #ddd}"
    "svg{width:100%;display:block}.chart{border:1px solid #999}.plan{max-height:420px;background:#f4f4f4}"
    ".scale{max-width:700px;font-size:12px}.verdict{font-size:20px}pre{white-space:pre-wrap}figure{margin:1em "
    "0}</style>\n";

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<h2>{}</h2>\n{}\n", title, body.empty() ? "<p>Not recorded in this file.</p>" : body);
}

std::string value_text(const NamedValue& named) {
  if (const auto* text = std::get_if<std::string>(&named.value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&named.value)) return fmt::format("{}", *count);
  const double value = std::get<double>(named.value);
  if (!std::isfinite(value)) return named.reason.empty() ? "n/a" : "n/a: " + named.reason;
  return named.unit.empty() || named.unit == "1" ? fmt::format("{:.4g}", value) : format_quantity(value, named.unit);
}

std::string verdict(const ResultsReader& results, const std::vector<StoryLine>& story) {
  std::string said = story.empty()
                         ? "Nothing happened in this run."
                         : fmt::format("At {} {}.", format_quantity(story.front().first_s, "s"), story.front().words);
  static constexpr std::array<std::array<std::string_view, 2>, 4> lost{{{"shut_down_gpus", "GPUs off"},
                                                                        {"racks_without_power", "racks without power"},
                                                                        {"loops_without_flow", "loops without flow"},
                                                                        {"rooms_without_air", "rooms without air"}}};
  std::string losses;
  bool is_known = false;
  for (const auto& [name, words] : lost) {
    const std::optional<double> count = results.summary_number(name);
    is_known = is_known || count.has_value();
    if (count && *count > 0) losses += fmt::format("{}{:.0f} {}", losses.empty() ? " " : ", ", *count, words);
  }
  if (is_known) said += losses.empty() ? " At the end nothing is off." : " At the end:" + losses + ".";
  return "<p class='verdict'>" + page_text(said) + "</p>\n";
}

std::string events_table(const std::vector<StoryLine>& story) {
  if (story.empty()) return "<p>Nothing happened.</p>";
  std::string rows;
  for (const StoryLine& line : story) {
    std::string time = format_quantity(line.first_s, "s");
    if (line.last_s > line.first_s) time += " to " + format_quantity(line.last_s, "s");
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", time, line.event_count, page_text(line.words));
  }
  return "<table><tr><th>time</th><th>events</th><th>what</th></tr>\n" + rows + "</table>";
}

struct Racks {
  std::vector<std::string> names;
  std::vector<double> times_s;
  std::vector<float> die_k;  ///< row after row

  std::span<const float> at(std::size_t row) const {
    return std::span(die_k).subspan(row * names.size(), names.size());
  }
};

Racks racks_of(const ResultsReader& results) {
  if (!results.has_table("racks") || !results.has_column("racks", "max_die_temperature")) return {};
  return {results.table("racks").items, results.times_s("racks"), results.column("racks", "max_die_temperature")};
}

/// Row with the hottest die of all.
std::size_t worst_row(const Racks& racks) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < racks.die_k.size(); ++i) {
    const float now = racks.die_k[i], most = racks.die_k[worst];
    if (std::isfinite(now) && (!std::isfinite(most) || now > most)) worst = i;
  }
  return worst / racks.names.size();
}

std::string plans(const ResultsReader& results, const Racks& racks, const std::vector<EventRecord>& events) {
  if (racks.die_k.empty() || racks.names.empty()) return {};
  const std::vector<LayoutBox> layout = results.layout();
  std::size_t before = 0;
  while (!events.empty() && before + 1 < racks.times_s.size() && racks.times_s[before + 1] < events.front().time_s)
    ++before;
  const std::array<std::pair<const char*, std::size_t>, 3> moments{
      {{"Before", before}, {"At worst", worst_row(racks)}, {"At the end", racks.times_s.size() - 1}}};
  std::string text;
  for (const auto& [name, row] : moments) {
    const std::string plan = hall_plan(layout, racks.names, racks.at(row));
    if (plan.empty()) return {};
    text += fmt::format("<h3>{}: {}</h3>\n{}", name, format_quantity(racks.times_s[row], "s"), plan);
  }
  return text + "<p>Hottest die of each rack, degC; throttling from 87, slowdown at 89, shutdown at 95:</p>" +
         heat_scale();
}

std::string hottest(const Racks& racks) {
  if (racks.die_k.empty() || racks.names.empty()) return {};
  std::vector<float> most(racks.names.size(), -1.0F);
  for (std::size_t i = 0; i < racks.die_k.size(); ++i) {
    float& rack = most[i % most.size()];
    if (racks.die_k[i] > rack) rack = racks.die_k[i];
  }
  std::vector<std::size_t> order(most.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return most[a] > most[b]; });
  std::string rows;
  for (std::size_t k = 0; k < std::min<std::size_t>(10, order.size()); ++k) {
    if (most[order[k]] < 0) break;
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", page_text(racks.names[order[k]]),
                        format_quantity(static_cast<double>(most[order[k]]), "K"));
  }
  return rows.empty() ? rows : "<table><tr><th>rack</th><th>hottest die</th></tr>\n" + rows + "</table>";
}

std::string chart_of(const ResultsReader& results, const std::string& group, const std::string& column) {
  constexpr std::size_t most_lines = 8;
  if (!results.has_table(group) || !results.has_column(group, column)) return {};
  const TableSpec table = results.table(group);
  const auto spec = std::ranges::find(table.columns, column, &ColumnSpec::name);
  const std::size_t count = table.item_count();
  std::vector<ChartLine> lines;
  for (std::size_t i = 0; i < std::min(count, most_lines); ++i) {
    lines.push_back({table.items.empty() ? column : table.items[i], results.series(group, column, i)});
  }
  std::string title = group + ": " + column;
  std::ranges::replace(title, '_', ' ');
  if (count > most_lines) title += fmt::format(" (the first {} of {})", most_lines, count);
  return series_chart(title, spec->unit, results.times_s(group), lines);
}

std::string charts(const ResultsReader& results) {
  static const std::array<std::array<const char*, 2>, 13> wanted{{{"facility", "power"},
                                                                  {"facility", "it_power"},
                                                                  {"facility", "max_die_temperature"},
                                                                  {"facility", "throttled_gpus"},
                                                                  {"facility", "shut_down_gpus"},
                                                                  {"loops", "supply_temperature"},
                                                                  {"loops", "return_temperature"},
                                                                  {"loops", "flow"},
                                                                  {"cdus", "loading"},
                                                                  {"pumps", "speed"},
                                                                  {"ups", "battery_power"},
                                                                  {"ups", "state_of_charge"},
                                                                  {"generators", "power"}}};
  std::string text;
  for (const auto& [group, column] : wanted) text += chart_of(results, group, column);
  return text;
}

std::string limits_table(const std::vector<LimitRecord>& limits) {
  if (limits.empty()) return "<p>No limit of a part was exceeded.</p>";
  std::string rows;
  for (const LimitRecord& one : limits) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{} at {}</td><td>{}</td></tr>\n", page_text(one.part),
                    page_text(one.quantity), format_quantity(one.limit, one.unit), format_quantity(one.worst, one.unit),
                    format_quantity(one.worst_time_s, "s"), format_quantity(one.duration_s, "s"));
  }
  return "<table><tr><th>part</th><th>quantity</th><th>limit</th><th>worst</th><th>beyond for</th></tr>\n" + rows +
         "</table>";
}

std::string figures(const std::vector<NamedValue>& summary) {
  std::string rows;
  for (const NamedValue& one : summary) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", page_text(one.name), page_text(value_text(one)),
                        page_text(one.long_name));
  }
  return rows.empty() ? rows : "<table>" + rows + "</table>";
}

std::string provenance(const std::vector<NamedValue>& values, const std::string& file_name) {
  std::string text = fmt::format("<p>Run it again: <code>wattloop run {}</code></p>\n", page_text(file_name));
  for (const NamedValue& one : values) {
    text += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", page_text(one.name),
                        page_text(value_text(one)));
  }
  return text;
}

}  // namespace

std::string run_report(const ResultsReader& results, const std::string& file_name) {
  const std::vector<EventRecord> events = results.events();
  const std::vector<StoryLine> story = event_story(events);
  const Racks racks = racks_of(results);
  return fmt::format("{}\n<html lang='en'><head><title>{}</title>{}</head><body>\n<h1>{}</h1>\n", report_head,
                     page_text(file_name), style, page_text(file_name)) +
         verdict(results, story) + section("What happened", events_table(story)) +
         section("The hall", plans(results, racks, events)) + section("Ten hottest racks", hottest(racks)) +
         section("Limits exceeded", limits_table(results.limits())) + section("Over time", charts(results)) +
         section("Figures", figures(results.summary())) +
         section("Provenance", provenance(results.provenance(), file_name)) + "</body></html>\n";
}

}  // namespace wattloop::twin
