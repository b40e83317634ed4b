#include "twin/run/recording/rack_limits.hpp"

#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/planning/work/node_couplings.hpp"
#include "twin/plant/state/limited_quantities.hpp"
#include "twin/results/reader/rack_margins.hpp"

namespace wattloop::twin {

namespace {

constexpr float no_limit = std::numeric_limits<float>::quiet_NaN();

float limit_if(bool is_enabled, double limit_k) { return is_enabled ? static_cast<float>(limit_k) : no_limit; }

/// Of coolant that leaves racks, by the order of racks; what has none has no number.
std::vector<float> coolant_limits_k(const Plant& plant) {
  std::vector<float> limits_k(plant.it.racks.size(), no_limit);
  const std::string_view column = text_of(RackLimit::coolant).column;
  for (const LimitedQuantity& quantity : limited_quantities(plant)) {
    if (quantity.part_kind != "rack" || quantity.name != column || quantity.side != Side::above) continue;
    const auto names = quantity.parts->names();
    std::unordered_map<std::string_view, double> by_name_k;
    for (std::size_t part = 0; part < names.size(); ++part) by_name_k.emplace(names[part], quantity.limit[part]);
    for (std::size_t rack = 0; rack < limits_k.size(); ++rack) {
      const auto known = by_name_k.find(plant.it.racks[rack].name);
      if (known != by_name_k.end() && std::isfinite(known->second)) limits_k[rack] = static_cast<float>(known->second);
    }
  }
  return limits_k;
}

}  // namespace

void write_rack_limits(const Scenario& scenario, const Plant& plant, ResultsWriter& writer) {
  TableSpec table{.group = std::string(rack_limits_group), .item_dimension = "rack"};
  for (const RackPart& rack : plant.it.racks) table.items.push_back(rack.name);
  if (table.items.empty()) return;
  table.columns = {{"max_die_temperature", "K", "die temperature from which firmware lowers clocks"},
                   {"inlet_air_temperature", "K", "inlet air from which firmware lowers clocks"},
                   {"return_temperature", "K", "highest coolant temperature at which its properties are known"}};
  const NodeCouplings nodes = node_couplings(scenario);
  std::vector<float> die_k, inlet_k, all_k;
  for (const RackPart& rack : plant.it.racks) {
    const NodeCoupling& node = nodes.at(rack.group);
    die_k.push_back(limit_if(node.protection.is_enabled, node.protection.throttle_k));
    inlet_k.push_back(limit_if(node.inlet_air.is_enabled, node.inlet_air.slowdown_k));
  }
  for (const std::vector<float>& of : {die_k, inlet_k, coolant_limits_k(plant)})
    all_k.insert(all_k.end(), of.begin(), of.end());
  writer.append(writer.add_table(table), 0.0, all_k);
}

}  // namespace wattloop::twin
