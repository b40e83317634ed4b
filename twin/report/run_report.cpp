#include "twin/report/run_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"
#include "twin/drawings/box_diagram.hpp"
#include "twin/drawings/live_charts.hpp"
#include "twin/drawings/page_text.hpp"
#include "twin/report/event_story.hpp"
#include "twin/report/power_sankey.hpp"
#include "twin/report/run_charts.hpp"
#include "twin/report/run_pictures.hpp"
#include "twin/report/run_tables.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* style =
    "body{font:15px/1.4 sans-serif;max-width:1100px;margin:1.5em auto;padding:0 1em;color:#222}"
    "h1{margin-bottom:0}.file{color:#666;margin-top:0}h2{border-bottom:2px solid #ddd;margin-top:1.6em}"
    "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;border-bottom:1px solid "
    "#ddd;vertical-align:top}"
    ".cause td{font-weight:bold}.loss td{color:#b2182b}.routine td{color:#777}"
    "svg{width:100%;display:block}.verdict{font-size:19px;background:#f4f4f4;padding:.6em .8em;border-left:5px solid "
    "#444}"
    ".plans{display:flex;gap:1em}.plans div{flex:1}.plans h3{margin:.3em 0;font-size:15px}.plan{background:#f4f4f4}"
    ".scale{max-width:640px;font-size:12px}.sankey{font-size:13px}.chart{width:100%;height:190px}"
    "figure{margin:.8em 0}figcaption{font-weight:bold}.legend{font-weight:normal;font-size:13px}"
    "#heat_map{width:100%;height:320px;image-rendering:pixelated}pre{white-space:pre-wrap}"
    ".dygraph-axis-label{font-size:11px}@media(max-width:800px){.plans{display:block}}";

std::string section(const std::string& title, const std::string& body, const std::string& id = "") {
  return fmt::format("<h2{}>{}</h2>\n{}\n", id.empty() ? id : fmt::format(" id='{}'", id), title,
                     body.empty() ? "<p>Not recorded in this file.</p>" : body);
}

std::string sankey_section(const ResultsReader& results) {
  const std::string picture = sankey_diagram(power_sankey(results));
  const std::optional<double> residual = results.summary_number("energy_residual");
  if (picture.empty() || !residual) return picture;
  return picture + fmt::format("<p>Means over the run. The energy balance closes to {:.1e} of the energy drawn.</p>\n",
                               std::abs(*residual));
}

}  // namespace

std::string run_report(const ResultsReader& results, const std::string& file_name) {
  const std::vector<StoryLine> story = event_story(results.events());
  const RackTemperatures racks(results);
  const double worst_s = worst_time_s(results, racks);
  LiveCharts charts(results.summary_number("simulated_time").value_or(0.0));
  const std::string curves = run_charts(results, charts);
  std::vector<ChartMark> marks;
  for (const StoryLine& line : most_telling(story, 8)) {
    if (line.weight == Weight::cause || line.weight == Weight::loss) marks.push_back({line.first_s, line.words});
  }
  const std::string given_title = results.provenance_text("title").value_or("");
  const std::string title = given_title.empty() ? file_name : given_title;
  return fmt::format(
             "{}\n<html lang='en'><head><meta charset='utf-8'><title>{}</title><style>{}{}</style></head><body>\n"
             "<h1>{}</h1>\n<p class='file'>{}, from {}; {} simulated</p>\n",
             report_head, page_text(title), style, box_diagram_style(), page_text(title), page_text(file_name),
             page_text(results.start_iso()),
             format_quantity(results.summary_number("simulated_time").value_or(std::nan("")), "s")) +
         verdict(results, story) + section("Key figures", key_figures(results)) +
         section("What happened", events_table(story, charts)) + section("The hall", plans(results, racks, worst_s)) +
         section("Every rack over time", temperatures_over_time(racks)) +
         section("Ten hottest racks", hottest_racks(racks)) + section("Over time", curves, "charts") +
         section("One-line diagram", one_line_at(results, worst_s)) + section("Cooling", cooling_at(results, worst_s)) +
         section("Where the power goes", sankey_section(results)) +
         section("Highest loadings", loadings_table(results)) +
         section("Limits exceeded", limits_table(results.limits())) +
         section("All figures", "<details><summary>show</summary>" + figures_table(results.summary()) + "</details>") +
         section("Assumptions and their sources", sources_list(results)) +
         section("Provenance", provenance_list(results, file_name)) + charts.script(marks) + "</body></html>\n";
}

}  // namespace wattloop::twin
