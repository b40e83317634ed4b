#include "twin/report/charts/diagrams.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/drawings/diagrams/box_diagram.hpp"
#include "twin/drawings/diagrams/fabric_diagram.hpp"
#include "twin/drawings/names/fitted_text.hpp"
#include "twin/report/charts/equipment_lanes.hpp"
#include "twin/report/charts/job_charts.hpp"
#include "twin/report/charts/power_sankey.hpp"
#include "twin/report/charts/power_shape.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/charts/step_section.hpp"
#include "twin/report/charts/weather_views.hpp"
#include "twin/report/events/run_verdict.hpp"

namespace wattloop::twin {

namespace {

struct Drawn {
  DiagramKind kind;
  std::function<std::string(const ResultsReader&, double time_s)> draw;
};

const std::vector<Drawn>& all() {
  static const std::vector<Drawn> drawn{
      {{"one-line", "power from feeds to racks, loading, open and failed parts, at one instant", "the topology", true},
       [](const ResultsReader& results, double time_s) { return one_line_at(results, time_s); }},
      {{"cooling", "heat, flows and temperatures from racks to the weather, at one instant", "the topology", true},
       [](const ResultsReader& results, double time_s) { return cooling_at(results, time_s); }},
      {{"fabric", "switches and loads of links by tiers and islands, at one instant", "a modelled fabric", true},
       [](const ResultsReader& results, double time_s) { return fabric_diagram(results, time_s); }},
      {{"power", "where the power goes, as bands as wide as their share", "a summary", false},
       [](const ResultsReader& results, double) { return sankey_diagram(power_sankey(results)); }},
      {{"states", "what equipment did over time", "equipment that changed its state", false},
       [](const ResultsReader& results, double) { return equipment_lanes_picture(results); }},
      {{"jobs", "what jobs did over time", "jobs of a queue", false},
       [](const ResultsReader& results, double) { return job_lanes_picture(results); }},
      {{"gpu-time", "where the time of GPUs goes, as bands as wide as their share", "jobs", false},
       [](const ResultsReader& results, double) { return sankey_diagram(gpu_time_sankey(results)); }},
      {{"step", "where the time of a training step goes, by parts", "a transformer job", false},
       [](const ResultsReader& results, double) { return step_bars(results); }},
      {{"load-duration", "for how long how much power is drawn", "the facility's power", false},
       [](const ResultsReader& results, double) { return load_duration_chart(results); }},
      {{"swings", "how much power swings at which pace", "64 even samples of the facility's power", false},
       [](const ResultsReader& results, double) { return power_swings_chart(results); }},
      {{"outside-air", "outside air on a psychrometric chart, by the modes of an economiser", "weather that changes",
        false},
       [](const ResultsReader& results, double) { return psychrometric_chart(results); }},
  };
  return drawn;
}

/// The four numbers of a view box, as they are written.
std::array<std::string, 4> view_box(const std::string& tag) {
  constexpr std::string_view name = "viewBox='";
  std::array<std::string, 4> numbers;
  std::istringstream in(tag.substr(tag.find(name) + name.size()));
  for (std::string& number : numbers) in >> number;
  numbers.back() = numbers.back().substr(0, numbers.back().find('\''));
  return numbers;
}

struct HeadingLine {
  FittedLine text{};
  double below = 0.0;  ///< the top of the picture
  const char* weight = "normal";
};

/// In as many lines as its width needs.
std::vector<HeadingLine> heading_lines(const PictureHeading& heading, double width) {
  constexpr double title_size = 15.0, words_size = 12.0, bold = 1.06;
  constexpr std::size_t most_lines = 3;
  std::vector<HeadingLine> lines;
  double below = 0.0;
  for (const FittedLine& line : fitted_lines(heading.title, width / (svg_letters * bold), title_size, most_lines))
    lines.push_back({line, below += 18.0, "bold"});
  for (const FittedLine& line : fitted_lines(heading.words, width / svg_letters, words_size, most_lines))
    lines.push_back({line, below += lines.back().text.size > words_size ? 17.0 : 15.0});
  return lines;
}

PictureHeading heading_of(const ResultsReader& results, const DiagramKind& kind, const ShownTime& moment) {
  PictureHeading heading{title_with_verdict(results, results.provenance_text("title").value_or("")), kind.words};
  constexpr std::string_view at = ", at one instant";
  if (const std::size_t cut = heading.words.find(at); cut != std::string::npos) heading.words.erase(cut, at.size());
  if (kind.is_of_moment)
    heading.words += fmt::format(", at {}{}{}; {}", instant_text(results.start_iso(), moment.time_s),
                                 moment.words.empty() ? "" : ", ", moment.words, span_words(results, moment.time_s));
  return heading;
}

}  // namespace

std::string standing_alone(const std::string& html, const PictureHeading& heading) {
  constexpr std::string_view open = "<svg", close = "</svg>";
  const std::size_t begin = html.find(open), end = html.find(close, begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::size_t inside = html.find('>', begin) + 1;
  std::string tag = html.substr(begin + open.size(), inside - begin - open.size());
  constexpr double margin = 6.0;
  const auto [left, old_top, wide, old_tall] = view_box(tag);
  const std::vector<HeadingLine> head = heading_lines(heading, std::stod(wide) - 2.0 * margin);
  const double height = head.back().below + 9.0;
  const double top = std::stod(old_top) - height, tall = std::stod(old_tall) + height;
  const std::string was = fmt::format("viewBox='{} {} {} {}'", left, old_top, wide, old_tall);
  tag.replace(tag.find("viewBox="), was.size(), fmt::format("viewBox='{} {} {} {}'", left, top, wide, tall));
  std::string words;
  for (const auto& [text, below, weight] : head)
    words += fmt::format(
        "<text x='{:.1f}' y='{:.1f}' style='text-anchor:start;font-size:{:.1f}px;font-weight:{};fill:#222'>{}</text>\n",
        std::stod(left) + margin, top + below, text.size, weight, page_text(text.text));
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg'{}\n<style>text{{font-family:Arial,Liberation Sans,DejaVu Sans "
      "Condensed,sans-serif}}.sankey{{font-size:13px}}{}</style>\n<rect x='{}' y='{}' width='{}' height='{}' "
      "fill='#fff'/>\n{}{}\n",
      tag, box_diagram_style(), left, top, wide, tall, words, html.substr(inside, end + close.size() - inside));
}

const std::vector<DiagramKind>& diagram_kinds() {
  static const std::vector<DiagramKind> kinds = [] {
    std::vector<DiagramKind> found;
    for (const Drawn& one : all()) found.push_back(one.kind);
    return found;
  }();
  return kinds;
}

std::string diagram_file(const ResultsReader& results, const std::string& kind, const ShownTime& moment) {
  const auto found = std::ranges::find(all(), kind, [](const Drawn& one) { return one.kind.name; });
  if (found == all().end()) throw std::out_of_range("no diagram '" + kind + "'");
  return standing_alone(found->draw(results, moment.time_s), heading_of(results, found->kind, moment));
}

}  // namespace wattloop::twin
