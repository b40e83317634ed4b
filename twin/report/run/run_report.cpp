#include "twin/report/run/run_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/charts/drawing_width.hpp"
#include "twin/drawings/charts/live_charts.hpp"
#include "twin/report/charts/equipment_lanes.hpp"
#include "twin/report/charts/job_charts.hpp"
#include "twin/report/charts/job_plans.hpp"
#include "twin/report/charts/power_sankey.hpp"
#include "twin/report/charts/power_shape.hpp"
#include "twin/report/charts/run_charts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/charts/step_section.hpp"
#include "twin/report/charts/weather_views.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/events/first_throttles.hpp"
#include "twin/report/events/most_important.hpp"
#include "twin/report/events/shown_time.hpp"
#include "twin/report/run/page_frame.hpp"
#include "twin/report/run/run_tables.hpp"
#include "twin/report/run/value_sources.hpp"

namespace wattloop::twin {

namespace {

std::string sankey_in_both_widths(const Sankey& sankey) {
  return in_both_widths([&](DrawingWidth width) {
    return width == DrawingWidth::wide ? sankey_diagram(sankey)
                                       : sankey_bars(sankey) +
                                             "<p>Dashed lines separate what flows from one group to "
                                             "the next; shares are of the longest bar.</p>\n";
  });
}

/// How well energies close, for those who do not read exponents.
std::string balance_words(double residual) {
  constexpr double billionth = 1e-9, percent = 100.0;
  if (residual <= billionth)
    return "Energy in equals energy out and stored, to better than one part in a billion of the energy drawn.";
  return fmt::format("Energy in differs from energy out and stored by {:.2g} % of the energy drawn.",
                     percent * residual);
}

std::string sankey_section(const ResultsReader& results) {
  const std::string picture = sankey_in_both_widths(power_sankey(results));
  const std::optional<double> residual = results.summary_number("energy_residual");
  if (picture.empty() || !residual) return picture;
  return picture + "<p>Means over the run. " + balance_words(std::abs(*residual)) + "</p>\n";
}

std::string gpu_time_section(const ResultsReader& results) {
  const std::string picture = sankey_in_both_widths(gpu_time_sankey(results));
  if (picture.empty()) return picture;
  const bool is_delayed = results.summary_number("job_slowed_time").value_or(0.0) > 0.0;
  return picture + "<p>Over the run, of all GPUs. Lost nodes count as down also while their job has yet to notice it." +
         (is_delayed ? " Delayed by slow GPUs: all GPUs of a job wait for its slowest GPU. The GPU hours slowed in the "
                       "first lines of this page count only the GPUs that are below full clock."
                     : "") +
         "</p>\n";
}

std::string jobs_section(const ResultsReader& results, LiveCharts& charts) {
  const std::string lanes = job_lanes_picture(results);
  return lanes.empty() ? lanes : lanes + "<div class='charts'>" + queue_chart(results, charts) + "</div>\n";
}

/// Of what most runs have not.
std::string section_if_any(const std::string& title, const std::string& body) {
  return body.empty() ? body : section(title, body);
}

}  // namespace

std::string run_report(const ResultsReader& results, const std::string& file_name) {
  const std::vector<EventSummaryLine> event_lines = event_summary(results.events());
  const RackTemperatures racks(results);
  const double worst_s = worst_time(results).time_s;
  LiveCharts charts(results.summary_number("simulated_time").value_or(0.0));
  const std::string curves = run_charts(results, charts);
  std::vector<ChartMark> marks;
  for (const EventSummaryLine& line : most_important(event_lines, 8)) {
    if (line.weight == Weight::cause || line.weight == Weight::loss)
      marks.push_back({line.first_s, line.words, instant_text(results.start_iso(), line.first_s)});
  }
  constexpr double half_a_day_s = 43200.0;
  const bool is_long = results.summary_number("simulated_time").value_or(0.0) >= half_a_day_s;
  const std::string given_title = results.provenance_text("title").value_or("");
  const std::string title = given_title.empty() ? file_name : given_title;
  const std::string sections =
      section("Key figures", key_figures(results)) +
      section("What happened", events_table(results, event_lines, charts)) +
      section_if_any("Jobs over time", jobs_section(results, charts)) +
      section_if_any("Jobs by place", job_plans(results, racks, worst_s)) +
      section_if_any("Where the time of GPUs goes", gpu_time_section(results)) +
      section_if_any("Where the time of a step goes", step_section(results)) +
      section_if_any("Equipment over time", equipment_lanes_picture(results)) +
      section("The hall", plans(results, racks, worst_s)) +
      section("Every rack over time", temperatures_over_time(racks)) +
      section("Hottest racks", hottest_racks(results, racks)) +
      section("Over time", curves.empty() ? curves : charts.list_of(marks) + curves, "charts") +
      section("One-line diagram", one_line_at(results, worst_s)) + section("Cooling", cooling_at(results, worst_s)) +
      section_if_any("Fabric", fabric_at(results, worst_s)) + section("Where the power goes", sankey_section(results)) +
      section_if_any("By month", months_table(results)) +
      section_if_any("Outside air", is_long ? psychrometric_chart(results) : std::string()) +
      section_if_any("Load duration", load_duration_chart(results)) +
      section_if_any("How fast power swings", power_swings_chart(results)) +
      section("Highest loadings", loadings_table(results)) +
      section_if_any("When GPUs were slowed", first_throttles_table(results.throttles(), results.start_iso())) +
      section("Limits exceeded", limits_table(results)) +
      section("All figures", "<details><summary>show</summary>" + figures_table(results.summary()) + "</details>") +
      section("Assumptions and their sources", sources_list(results)) +
      section("Provenance", provenance_list(results, file_name));
  const std::string below =
      fmt::format("{}, from {}; {} simulated", file_name, results.start_iso(),
                  format_quantity(results.summary_number("simulated_time").value_or(std::nan("")), "s"));
  return page_begin(report_head, title, below) + verdict(results, event_lines) + contents_of(sections) + sections +
         charts.script(marks) + page_end();
}

}  // namespace wattloop::twin
