#include "twin/report/charts/run_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/heat_map.hpp"
#include "twin/drawings/diagrams/fabric_diagram.hpp"
#include "twin/drawings/diagrams/hall_diagrams.hpp"
#include "twin/drawings/diagrams/part_figures.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/results/reader/records_at.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array<std::string_view, 7> causes{"fail", "stick", "clog", "open", "trip", "tripped", "stop"};

/// Parts that failed until then, without the parts of theirs that did: "cdu_1" of "cdu_1.pump_a", "row_2.rack_7" of "row_2.rack_7.coolant".
std::set<std::string, std::less<>> failed_until(const ResultsReader& results, double time_s) {
  constexpr std::size_t most = 4;  // else all is alike again
  const Topology topology = results.topology();
  std::set<std::string, std::less<>> names;
  std::map<std::string, std::string> holder;  // of a pump the CDU, of all else itself
  for (const TopologyPart& part : topology.parts) holder[part.name] = part.name;
  for (const TopologyConnection& one : topology.connections)
    if (one.medium == "inside") holder[one.from] = one.to;
  for (const EventRecord& event : results.events()) {
    if (event.time_s > time_s || std::ranges::count(causes, event.kind) == 0) continue;
    std::string name = event.target;
    while (!holder.contains(name) && name.find('.') != std::string::npos) name.resize(name.rfind('.'));
    names.insert(holder.contains(name) ? holder[name] : name);
  }
  return names.size() <= most ? names : std::set<std::string, std::less<>>{};
}

std::string at(const ResultsReader& results, double time_s, const std::string& picture) {
  return picture.empty()
             ? picture
             : fmt::format("<p>At {}: {}.</p>\n<div class='wide'>{}</div>\n", instant_text(results.start_iso(), time_s),
                           page_text(span_words(results, time_s)), picture);
}

/// Does power take other ways from then on?
bool is_switch(const EventRecord& event) {
  static constexpr std::array<std::string_view, 16> kinds{"open",
                                                          "close",
                                                          "fail",
                                                          "restore",
                                                          "tripped",
                                                          "trip",
                                                          "transfer",
                                                          "battery_empty",
                                                          "power_back",
                                                          "held_up",
                                                          "on_battery",
                                                          "off_battery",
                                                          "generator_on_load",
                                                          "generator_off_load",
                                                          "lost_power",
                                                          "node_start"};
  return std::ranges::count(kinds, event.kind) > 0;
}

/// Which racks have no node that is up, in each record; empty where no GPU is down.
std::vector<std::uint8_t> racks_off(const ResultsReader& results, const std::vector<std::string>& names,
                                    const std::vector<float>& down_gpus) {
  if (std::ranges::none_of(down_gpus, [](float gpus) { return gpus > 0.0F; })) return {};
  std::map<std::string, float, std::less<>> gpus;
  for (const LayoutBox& box : results.layout())
    if (box.kind == "gpu") gpus[box.name.substr(0, box.name.find(".node_"))] += 1.0F;
  std::vector<float> of_rack;
  for (const std::string& name : names) {
    const auto known = gpus.find(name);
    of_rack.push_back(known == gpus.end() ? 1.0F : known->second);
  }
  std::vector<std::uint8_t> is_off;
  for (std::size_t cell = 0; cell < down_gpus.size(); ++cell)
    is_off.push_back(down_gpus[cell] > of_rack[cell % of_rack.size()] - 0.5F ? 1 : 0);
  return is_off;
}

struct HottestDie {
  std::string rack{};
  double die_k = -1.0;
  std::string when{};
};

}  // namespace

std::string span_words(const ResultsReader& results, double time_s) {
  constexpr double rounding_s = 1e-6;
  const MeanSpan span = common_span(results, time_s);
  if (!(span.length_s() > 0.0)) return "all of that time";
  std::string words = "powers, heats and flows are means ";
  words += std::abs(span.begin_s - time_s) < rounding_s
               ? fmt::format("over the {} after it", format_quantity(span.length_s(), "s"))
           : std::abs(span.end_s - time_s) < rounding_s
               ? fmt::format("over the {} before it", format_quantity(span.length_s(), "s"))
               : fmt::format("from {} to {}", instant_text(results.start_iso(), span.begin_s),
                             instant_text(results.start_iso(), span.end_s));
  if (results.has_table("branches")) words += ", voltages, currents and power factors are of the instant";
  std::vector<EventRecord> within;
  std::ranges::copy_if(results.events(), std::back_inserter(within), [&](const EventRecord& event) {
    return is_switch(event) && event.time_s > span.begin_s + rounding_s && event.time_s < span.end_s - rounding_s;
  });
  if (within.empty()) return words;
  const EventSummaryLine first = event_summary(within).front();
  const std::size_t more = within.size() - first.event_count;
  words += fmt::format("; within it, at {}: {}", instant_text(results.start_iso(), first.first_s), first.words);
  return words + (more > 0 ? fmt::format(", and {} more", more) : "");
}

RackTemperatures::RackTemperatures(const ResultsReader& results) {
  if (!results.has_table("racks") || !results.has_column("racks", "max_die_temperature")) return;
  start = results.start_iso();
  names = results.table("racks").items;
  times_s = results.times_s("racks");
  die_k = results.column("racks", "max_die_temperature");
  const std::string_view down = down_gpus_column(results, "racks");
  if (results.has_column("racks", down)) down_gpus = results.column("racks", down);
  if (!names.empty()) is_off = racks_off(results, names, down_gpus);
  if (results.has_column("racks", "throttled_gpus")) throttled_gpus = results.column("racks", "throttled_gpus");
}

std::string fabric_at(const ResultsReader& results, double time_s) {
  return at(results, time_s, fabric_diagram(results, time_s));
}

std::string one_line_at(const ResultsReader& results, double time_s) {
  return at(results, time_s, one_line_diagram(results, {time_s, failed_until(results, time_s)}));
}

std::string cooling_at(const ResultsReader& results, double time_s) {
  return at(results, time_s, cooling_schematic(results, {time_s, failed_until(results, time_s)}));
}

std::string temperatures_over_time(const RackTemperatures& racks) {
  const std::string map = heat_map(racks.times_s, racks.names, racks.die_k, racks.is_off, racks.start);
  if (map.empty()) return {};
  return "<p>Hottest die of each rack over the run, degC.</p>\n" + map + heat_scale() +
         "<p>Scale: hottest die, degC; marked: at 87 a GPU lowers its clock, at 89 it slows down hard, at 95 its node "
         "switches off. Light grey: not "
         "recorded." +
         (racks.is_off.empty()
              ? ""
              : " Dark grey: all nodes of the rack are off, because they are switched off, booting or without power.") +
         "</p>\n";
}

std::string hottest_racks(const ResultsReader& results, const RackTemperatures& racks) {
  if (!racks.is_recorded()) return {};
  std::vector<HottestDie> most;
  for (const std::string& name : racks.names) most.push_back({name});
  for (std::size_t i = 0; i < racks.die_k.size(); ++i) {
    HottestDie& rack = most[i % most.size()];
    if (racks.die_k[i] <= rack.die_k) continue;
    rack.die_k = static_cast<double>(racks.die_k[i]);
    rack.when = "recorded at " + instant_text(results.start_iso(), racks.times_s[i / most.size()]);
  }
  const std::vector<NamedValue> summary = results.summary();
  const std::string gpu = figure_text(summary, "peak_die_gpu");
  for (HottestDie& rack : most) {  // of one the run's own peak is known
    if (!gpu.starts_with(rack.rack + ".")) continue;
    rack.die_k = figure_number(summary, "peak_die_temperature");
    rack.when = "at " + instant_text(results.start_iso(), figure_number(summary, "peak_die_time"));
  }
  std::ranges::stable_sort(most, std::greater(), &HottestDie::die_k);
  constexpr std::size_t most_rows = 10;
  std::string rows;
  for (std::size_t k = 0, row = 0; row < most_rows && k < most.size() && most[k].die_k > 0.0; ++row) {
    const HottestDie& first = most[k];
    std::vector<std::string> alike;  // whose row would be the same
    const std::string hottest = format_quantity(first.die_k, "K");
    for (; k < most.size() && format_quantity(most[k].die_k, "K") == hottest && most[k].when == first.when; ++k)
      alike.push_back(most[k].rack);
    const std::string names =
        alike.size() == 1 ? display_name(first.rack) : fmt::format("{} ({} racks)", display_names(alike), alike.size());
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", page_text(names), hottest, first.when);
  }
  return rows.empty() ? rows : "<table><tr><th>rack</th><th>hottest die</th><th>when</th></tr>\n" + rows + "</table>";
}

}  // namespace wattloop::twin
