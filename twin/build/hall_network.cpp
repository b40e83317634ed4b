// The racks of switches: how many switches the fabric needs, and the air that cools them. What they draw follows the nodes
// (twin/actions/fabric_load.cpp).

#include <fmt/format.h>

#include "network/fat_tree.hpp"
#include "network/switch_heat.hpp"
#include "twin/plant/plant_draft.hpp"

namespace wattloop::twin {

void declare_network(PlantDraft& draft) {
  const NetworkSpec& spec = draft.scenario.network;
  if (!spec.is_given) return;
  HallParts& hall = draft.plant.hall;
  const network::FatTree tree = network::fat_tree(spec.tree, static_cast<int>(hall.node_count()));
  hall.switches = spec.switches;
  hall.job_traffic_fraction = spec.traffic_fraction;
  for (int r = 0; r < spec.racks; ++r) {
    NetworkRackPart rack;
    rack.name = fmt::format("network_rack_{}", r + 1);
    rack.row = hall.rows.size() - 1;
    rack.switches = static_cast<double>(tree.all_switches()) / spec.racks;
    rack.exhaust_node =
        draft.declare_node(rack.name + ".exhaust", rack_exhaust_j_per_k(hall), draft.scenario.cooling.room.initial_k);
    rack.door_water_node =
        draft.declare_node(rack.name + ".door", door_water_j_per_k(draft), draft.scenario.cooling.doors.supply_k);
    rack.airflow_input = draft.declare_input(rack.name + ".airflow", spec.airflow_kg_per_s);
    rack.power_input = draft.declare_input(rack.name + ".power", 0.0);
    rack.load = draft.declare_load(LoadUse::fabric);
    rack.door_fans = draft.declare_door_fans(rack.name);
    hall.rows[rack.row].airflow_inputs.push_back(rack.airflow_input);
    hall.network_racks.push_back(std::move(rack));
  }
}

void wire_network(PlantDraft& draft) {
  const Plant& plant = draft.plant;
  for (const NetworkRackPart& rack : plant.hall.network_racks) {
    wire_rack_air(draft, {rack.name, plant.hall.rows[rack.row], rack.exhaust_node, rack.door_water_node,
                          rack.airflow_input, rack.door_fans});
    draft.add<network::SwitchHeat>(
        {}, {.power_w = as_number(plant.map.input(rack.power_input))},
        {.supply = {as_number(plant.map.load(rack.load))}, .air = draft.heat_into(rack.exhaust_node)});
  }
}

}  // namespace wattloop::twin
