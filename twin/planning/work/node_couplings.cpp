#include "twin/planning/work/node_couplings.hpp"

#include "twin/scenario/specs/node_supplies.hpp"

namespace wattloop::twin {

NodeCoupling node_coupling(const NodeHardware& node) {
  NodeCoupling coupling{node.split,     node.protection,  node_supplies(node),  node.fan_w,
                        node.inlet_air, node.boot_time_s, node.airflow_kg_per_s};
  if (node.has_fan_control && node.fans.is_controlled) coupling.fans = node.fans;
  return coupling;
}

NodeCouplings node_couplings(const Scenario& scenario) {
  NodeCouplings nodes;
  for (const RacksSpec& racks : scenario.racks) {
    nodes.push_back(node_coupling(racks.hardware));
    nodes.back().do_fans_add = !contents_of(scenario, racks).fans;
  }
  return nodes;
}

}  // namespace wattloop::twin
