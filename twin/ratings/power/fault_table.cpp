#include "twin/ratings/power/fault_table.hpp"

#include <algorithm>

#include "electrical/tree_voltages.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_network.hpp"

namespace wattloop::twin {

std::vector<BusFaultLevels> fault_table(const electrical::PowerTree& tree) {
  const std::vector<double> nominal_v = electrical::nominal_voltages(tree);
  const BusCurrents largest = currents_of_buses(tree, FaultSize::largest);
  const BusCurrents smallest = currents_of_buses(tree, FaultSize::smallest_spared);
  const std::vector<double> generators_a =
      short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::largest, FaultReach::through_bypasses);
  const std::vector<double> peak_a = peak_currents_a(tree);
  std::vector<BusFaultLevels> table;
  for (std::size_t bus = 0; bus < nominal_v.size(); ++bus) {
    table.push_back({.bus = tree.bus_name[bus],
                     .nominal_v = nominal_v[bus],
                     .largest_a = largest.three_phase_a[bus],
                     .smallest_a = smallest.three_phase_a[bus],
                     .generators_a = generators_a[bus],
                     .largest_earth_a = largest.earth_a[bus],
                     .smallest_earth_a = smallest.earth_a[bus],
                     .peak_a = peak_a[bus],
                     .breaking_a = breaking_capacity_at_bus_a(tree, static_cast<int>(bus))});
  }
  return table;
}

}  // namespace wattloop::twin
