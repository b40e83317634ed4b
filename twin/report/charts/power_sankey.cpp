#include "twin/report/charts/power_sankey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "twin/drawings/names/meaning_colours.hpp"

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
    const std::size_t sky = add("to the sky", heat_colour_name, 4), stored = add("stored", meaning::battery, 4);
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
      const bool is_loss = use.ends_with("_loss"), is_it = use == "node" || use == "fabric";
      const std::size_t group = is_it ? it : is_loss ? losses : cooling;
      use_power(group, said(use, one.long_name), mean_w(use + "_energy"));
    }
    for (const std::size_t group : {it, cooling, losses}) share_out(group, out_of(group), given_w, sources.size());
    const std::size_t storage_in = add("from what was stored", meaning::battery, 2);
    const double stored_w = mean_w("stored_energy") - battery_w;  // of heat alone
    share_out(stored, std::max(0.0, battery_w), utility_w + generators_w, 2);
    flow(storage_in, heat_, std::max(0.0, -stored_w));
    flow(heat_, sky, mean_w("rejected_energy"));
    flow(heat_, stored, std::max(0.0, stored_w));
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

  /// "part of pue: loss in UPS" without what stands before the colon.
  static std::string said(const std::string& use, const std::string& long_name) {
    const std::size_t colon = long_name.find(": ");
    return colon == std::string::npos ? use : long_name.substr(colon + 2);
  }

  void use_power(std::size_t group, const std::string& title, double value_w) {
    const std::size_t use = add(title, sankey_.nodes[group].colour.c_str(), 2);
    flow(group, use, value_w);
    flow(use, heat_, value_w);
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
