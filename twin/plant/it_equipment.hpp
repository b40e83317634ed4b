// IT equipment: racks of nodes and of switches, and where the loads of their units stand. `_input` counts in the inputs, `load`
// in the loads of the power tree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "network/switch_power.hpp"
#include "twin/plant/motors.hpp"

namespace wattloop::twin {

/// The fans of an active rear door, on the PDUs of their rack.
struct DoorFanPart {
  std::size_t load = no_part;     ///< of the power tree; none: a passive door
  std::size_t command_input = 0;  ///< 1 while there is power, else 0
};

/// A rack of nodes.
struct RackPart {
  std::string name;               ///< "row_1.rack_1"
  std::size_t airflow_input = 0;  ///< kg/s
  std::size_t load = 0;           ///< of the power tree
  DoorFanPart door_fans = {};
};

/// A rack of switches.
struct NetworkRackPart {
  std::string name;  ///< "network_rack_1"
  std::size_t airflow_input = 0;
  std::size_t power_input = 0;  ///< W that its switches draw
  double switches = 0.0;        ///< how many it holds, on average
  std::size_t load = 0;
  DoorFanPart door_fans = {};
};

/// Loads of units of one kind, node by node.
struct NodeLoads {
  std::size_t first_input = 0;
  std::size_t per_node = 0;
};

struct ItEquipment {
  std::vector<RackPart> racks;
  std::vector<NetworkRackPart> network_racks;
  std::size_t nodes_per_rack = 0;
  std::size_t gpus_per_node = 0;
  std::size_t node_use = 0;   ///< number in Plant::uses of what nodes draw
  std::size_t gpu_group = 0;  ///< index in Plant::groups
  NodeLoads gpu_loads;
  NodeLoads supply_loads;               ///< of the units that take what supplies lose and fans draw, if there are any
  std::vector<NodeLoads> rest_loads;    ///< of all other units of the nodes, which share what is left
  network::SwitchParams switches = {};  ///< of the fabric
  double job_traffic_fraction = 0.0;    ///< of the fabric's capacity, while all nodes are at work

  std::size_t node_count() const { return racks.size() * nodes_per_rack; }
  std::size_t gpu_count() const { return node_count() * gpus_per_node; }
};

/// "1 rack, 8 nodes, 64 GPUs".
std::string size_text(const ItEquipment& it);

}  // namespace wattloop::twin
