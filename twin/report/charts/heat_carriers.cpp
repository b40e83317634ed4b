#include "twin/report/charts/heat_carriers.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wattloop::twin {

namespace {

/// Of all items of a column of means, over the run.
double mean_of_all_w(const ResultsReader& results, std::string_view group, std::string_view column) {
  if (!results.has_table(group) || !results.has_column(group, column)) return 0.0;
  const std::vector<double> times_s = results.times_s(group);
  const std::vector<float> all_w = results.column(group, column);
  if (times_s.size() < 2 || all_w.size() % times_s.size() != 0) return 0.0;
  const std::size_t items = all_w.size() / times_s.size();
  double energy_j = 0.0;
  for (std::size_t row = 1; row < times_s.size(); ++row) {
    for (std::size_t item = 0; item < items; ++item) {
      const auto heat_w = static_cast<double>(all_w[row * items + item]);
      if (std::isfinite(heat_w)) energy_j += heat_w * (times_s[row] - times_s[row - 1]);
    }
  }
  return energy_j / (times_s.back() - times_s.front());
}

/// Kinds of parts, and which of them give heat to what.
class HeatPaths {
 public:
  explicit HeatPaths(const Topology& topology) : topology_(topology) {
    for (const TopologyPart& part : topology_.parts) kinds_.emplace(part.name, part.kind);
    for (const TopologyConnection& one : topology_.connections)
      if (one.medium == "heat" && kind(one.to) == "chiller") chilled_.insert(one.from);
  }

  /// Whether any part of that kind gives heat to a body of that kind.
  bool lead(std::string_view from, std::string_view to) const {
    return std::ranges::any_of(topology_.connections, [&](const TopologyConnection& one) {
      return one.medium == "heat" && kind(one.from) == from && kind(one.to) == to;
    });
  }

  bool lead_to_chillers(std::string_view from) const {
    return std::ranges::any_of(topology_.connections, [&](const TopologyConnection& one) {
      return one.medium == "heat" && kind(one.from) == from && chilled_.contains(one.to);
    });
  }

 private:
  std::string_view kind(const std::string& name) const {
    const auto known = kinds_.find(name);
    return known == kinds_.end() ? std::string_view{} : known->second;
  }

  const Topology& topology_;
  std::unordered_map<std::string_view, std::string_view> kinds_;
  std::set<std::string, std::less<>> chilled_;  ///< bodies of water
};

}  // namespace

HeatCarriers heat_carriers(const ResultsReader& results) {
  const auto mean_w = [&](const char* group, const char* column) { return mean_of_all_w(results, group, column); };
  const Topology topology = results.topology();
  const HeatPaths paths(topology);
  HeatCarriers found;
  found.doors = {mean_w("racks", "door_heat") + mean_w("network", "door_heat"),
                 paths.lead_to_chillers("rack") || paths.lead_to_chillers("network rack")};
  const bool have_own_water = paths.lead("rack", "water system") || paths.lead("network rack", "water system");
  found.loops = {mean_w("loops", "heat") - (have_own_water ? 0.0 : found.doors.heat_w), paths.lead_to_chillers("CDU")};
  found.air_handlers = {mean_w("crahs", "heat") - mean_w("crahs", "latent_heat"),
                        paths.lead_to_chillers("air handler")};
  for (HeatCarrier* one : {&found.loops, &found.doors, &found.air_handlers}) one->heat_w = std::max(0.0, one->heat_w);
  found.chillers_w = std::max(0.0, mean_w("chillers", "heat"));
  found.towers_w = std::max(0.0, mean_w("towers", "heat"));
  return found;
}

}  // namespace wattloop::twin
