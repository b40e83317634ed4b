#include "twin/report/charts/power_sankey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "twin/drawings/names/meaning_colours.hpp"
#include "twin/report/charts/heat_carriers.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* heat_colour_name = "#b2182b";

class Drawer {
 public:
  explicit Drawer(const ResultsReader& results) : results_(results) {
    const std::optional<double> time_s = results.summary_number("simulated_time");
    if (time_s && *time_s > 0.0) per_s_ = 1.0 / *time_s;
    sankey_.unit = "W";
  }

  Sankey draw() {
    const bool is_split = results_.summary_number("utility_energy").has_value();  // files of before have the sum
    const std::size_t utility = add(is_split ? "utility" : "utility and generators", meaning::facility_power, 0);
    const std::size_t generators = add("generators", meaning::facility_power, 0);
    const std::size_t battery = add("battery", meaning::battery, 0);
    const std::size_t it = add("IT power", meaning::it_power, 1), cooling = add("cooling", meaning::cooling_power, 1),
                      losses = add("electrical losses", meaning::electrical_loss, 1);
    heat_ = add("heat", heat_colour_name, 3);
    const std::size_t stored = add("stored", meaning::battery, 4);
    const double generators_w = mean_w("generator_energy"), battery_w = mean_w("battery_energy");
    const double utility_w = mean_w(is_split ? "utility_energy" : "facility_energy");
    const std::array<std::pair<std::size_t, double>, 3> sources{
        {{utility, utility_w}, {generators, generators_w}, {battery, std::max(0.0, -battery_w)}}};
    const double given_w = utility_w + generators_w + sources[2].second;
    const auto share_out = [&](std::size_t to, double requested_w, double of_w, std::size_t count) {
      for (const auto& [source, source_w] : std::span(sources).first(count))
        flow(source, to, of_w > 0.0 ? requested_w * source_w / of_w : 0.0);
    };
    for (const NamedValue& one : results_.summary()) {
      if (!one.name.starts_with("pue_") || one.name == "pue_battery") continue;
      const std::string use = one.name.substr(4);
      const bool is_loss = use.ends_with("_loss"), is_it = use == "node" || use == "fabric" || use == "storage";
      const std::size_t group = is_it ? it : is_loss ? losses : cooling;
      use_power(group, said(use, one.long_name), mean_w(use + "_energy"));
    }
    for (const std::size_t group : {it, cooling, losses}) share_out(group, out_of(group), given_w, sources.size());
    const std::size_t storage_in = add("from what was stored", meaning::battery, 2);
    const double stored_w = mean_w("stored_energy") - battery_w;  // of heat alone
    share_out(stored, std::max(0.0, battery_w), utility_w + generators_w, 2);
    const double kept_w = give_to_carriers(mean_w("rejected_energy"), stored);
    flow(storage_in, heat_, std::max(0.0, kept_w - stored_w));
    flow(heat_, stored, std::max(0.0, stored_w - kept_w));
    return std::move(sankey_);
  }

 private:
  double mean_w(const std::string& energy) const {
    const std::optional<double> joule = results_.summary_number(energy);
    return joule && std::isfinite(*joule) ? *joule * per_s_ : 0.0;
  }

  std::size_t add(const std::string& title, const char* colour, std::size_t column) {
    sankey_.nodes.push_back({title, colour, column});
    return sankey_.nodes.size() - 1;
  }

  void flow(std::size_t from, std::size_t to, double value_w) { sankey_.flows.push_back({from, to, value_w}); }

  /// From `heat` through what takes it up to the sky. Returns what of it stays: where they took up more than left, water has the rest.
  double give_to_carriers(double rejected_w, std::size_t stored) {
    const HeatCarriers by = heat_carriers(results_);
    const double taken_w = by.sum_w(), kept_w = std::max(0.0, taken_w - rejected_w);
    const std::size_t loops = add("coolant loops", heat_colour_name, 4), doors = add("rear doors", heat_colour_name, 4),
                      air = add("air handlers", heat_colour_name, 4), rest = add("other equipment", "#8c510a", 4);
    const double rest_w = std::max(0.0, rejected_w - taken_w);
    const std::array<std::tuple<std::size_t, double, bool>, 3> carriers{
        {{loops, by.loops.heat_w, by.loops.is_chilled},
         {doors, by.doors.heat_w, by.doors.is_chilled},
         {air, by.air_handlers.heat_w, by.air_handlers.is_chilled}}};
    double chillable_w = 0.0;
    for (const auto& [node, heat_w, is_chilled] : carriers) chillable_w += is_chilled ? heat_w : 0.0;
    const double left_ratio = taken_w > 0.0 ? (taken_w - kept_w) / taken_w : 0.0;  // of what they took up
    const double chilled_ratio = chillable_w > 0.0 ? std::min(1.0, by.chillers_w / (chillable_w * left_ratio)) : 0.0;
    const double rest_chilled_w = std::clamp(by.chillers_w - chillable_w * left_ratio, 0.0, rest_w);
    const bool has_chillers = by.chillers_w > 0.0;
    const std::size_t sky_column = taken_w > 0.0 ? (has_chillers ? 6 : 5) : 4;
    const std::size_t without = add("without chillers", heat_colour_name, 5),
                      chillers = add("through chillers", meaning::cooling_power, 5);
    const std::size_t sky = add("to the sky", heat_colour_name, sky_column), past = has_chillers ? without : sky;
    for (const auto& [node, heat_w, is_chilled] : carriers) {
      const double left_w = heat_w * left_ratio, chilled_w = is_chilled ? left_w * chilled_ratio : 0.0;
      flow(heat_, node, heat_w);
      flow(node, chillers, chilled_w);
      flow(node, past, left_w - chilled_w);
      flow(node, stored, heat_w - left_w);
    }
    flow(heat_, taken_w > 0.0 ? rest : sky, rest_w);
    if (taken_w > 0.0) {
      flow(rest, chillers, rest_chilled_w);
      flow(rest, past, rest_w - rest_chilled_w);
    }
    flow(without, sky, into(without));
    flow(chillers, sky, into(chillers));
    split_sky(sky, by.towers_w, rejected_w);
    sankey_.nodes[stored].column = kept_w > 0.0 ? 5 : 4;
    return kept_w;
  }

  /// Towers and all other ways, where there are towers.
  void split_sky(std::size_t sky, double towers_w, double rejected_w) {
    if (towers_w <= 0.0) return;
    const std::size_t column = sankey_.nodes[sky].column + 1;
    const std::size_t towers = add("towers", meaning::cooling_power, column),
                      others = add("other ways", heat_colour_name, column);
    flow(sky, towers, std::min(towers_w, rejected_w));
    flow(sky, others, rejected_w - std::min(towers_w, rejected_w));
  }

  /// "part of pue: nodes at their AC inlets" without what stands before the colon, and without the rest of the sentence.
  static std::string said(const std::string& use, const std::string& long_name) {
    const std::size_t colon = long_name.find(": ");
    std::string words = colon == std::string::npos ? use : long_name.substr(colon + 2);
    for (const char* rest : {" at their ", ", with "}) words = words.substr(0, words.find(rest));
    return words;
  }

  void use_power(std::size_t group, const std::string& title, double value_w) {
    const std::size_t use = add(title, sankey_.nodes[group].colour.c_str(), 2);
    flow(group, use, value_w);
    flow(use, heat_, value_w);
  }

  double into(std::size_t node) const {
    double sum_w = 0.0;
    for (const SankeyFlow& one : sankey_.flows) sum_w += one.to == node ? one.value : 0.0;
    return sum_w;
  }

  double out_of(std::size_t node) const {
    double sum_w = 0.0;
    for (const SankeyFlow& one : sankey_.flows) sum_w += one.from == node ? one.value : 0.0;
    return sum_w;
  }

  const ResultsReader& results_;
  double per_s_ = 0.0;
  std::size_t heat_ = 0;
  Sankey sankey_;
};

}  // namespace

Sankey power_sankey(const ResultsReader& results) { return Drawer(results).draw(); }

}  // namespace wattloop::twin
