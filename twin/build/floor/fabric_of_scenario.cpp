#include "twin/build/floor/fabric_of_scenario.hpp"

namespace wattloop::twin {

HallFabric hall_fabric(const Scenario& scenario) {
  const NetworkSpec& spec = scenario.network;
  const network::FabricParams params = fabric_params(scenario);
  HallFabric hall{.fabric = network::build_fabric(params),
                  .rule = routing_rule(spec.fabric),
                  .links = sound_links(spec.fabric, params),
                  .efficiency_fraction = spec.fabric.efficiency_fraction,
                  .reroute_s = spec.fabric.reroute_s,
                  .typical_fraction = spec.fabric.is_full ? 1.0 : spec.switches.typical_traffic_fraction,
                  .counted_w = (spec.fabric.management.sum_w() + spec.fabric.storage.sum_w()) / spec.racks,
                  .adapter_w = spec.fabric.adapter_w,
                  .first_switch = {},
                  .blocks = {},
                  .block_of_switch = {}};
  const std::size_t racks = static_cast<std::size_t>(spec.racks), switches = hall.fabric.switch_count();
  for (std::size_t rack = 0; rack <= racks; ++rack)
    hall.first_switch.push_back(static_cast<std::uint32_t>(rack * switches / racks));
  divide_in_blocks(hall);
  return hall;
}

}  // namespace wattloop::twin
