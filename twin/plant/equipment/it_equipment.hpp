// IT equipment: racks of nodes and of switches, and where the loads of their units stand. `_input` counts in the inputs, `load`
// in the loads of the power tree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "network/switch_power.hpp"
#include "twin/plant/equipment/motors.hpp"
#include "workload/checkpoints/storage_appliance.hpp"

namespace wattloop::twin {

/// The fans of an active rear door, on the PDUs of their rack.
struct DoorFanPart {
  std::size_t load = no_part;     ///< of the power tree; none: a passive door
  std::size_t command_input = 0;  ///< 1 while there is power, else 0
};

/// A rack of nodes.
struct RackPart {
  std::string name;               ///< "row_1.rack_1"
  std::size_t group = 0;          ///< in `ItEquipment::groups`
  std::size_t first_node = 0;     ///< counted through the hall
  std::size_t first_gpu = 0;      ///< the same
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

/// A rack of appliances of the storage that jobs share.
struct StorageRackPart {
  std::string name;  ///< "storage_rack_1"
  std::size_t airflow_input = 0;
  std::size_t power_input = 0;  ///< W that its appliances draw
  double appliances = 0.0;      ///< how many it holds
  std::size_t load = 0;
  DoorFanPart door_fans = {};
};

/// Loads of units of one kind, node by node.
struct NodeLoads {
  std::size_t first_input = 0;
  std::size_t per_node = 0;
};

/// Racks with the same kind and number of nodes. Numbers of their racks, nodes and GPUs follow one another.
struct RackGroup {
  std::string name;  ///< empty where the hall has but one
  std::size_t first_rack = 0, rack_count = 0;
  std::size_t nodes_per_rack = 0, gpus_per_node = 0;
  std::size_t first_node = 0, first_gpu = 0;  ///< counted through the hall
  std::size_t gpu_units = 0;                  ///< index in Plant::groups
  NodeLoads gpu_loads;                        ///< like the other loads, from the first node of the group on
  NodeLoads supply_loads;  ///< of units that receive the losses of supplies and the power of fans, if there are any
  std::vector<NodeLoads> rest_loads;  ///< of all other units of the nodes, which share the rest of the power
  std::size_t gpu_limit_input = 0;    ///< highest power of a GPU, W
  double fan_w = 0.0;                 ///< of the fans of a node at full speed
  bool has_fan_control = false;       ///< they follow temperatures
  double hold_up_s = 0.0;             ///< of the power supplies of a node, at rated output

  std::size_t node_count() const { return rack_count * nodes_per_rack; }
  std::size_t gpu_count() const { return node_count() * gpus_per_node; }
  std::size_t gpus_per_rack() const { return nodes_per_rack * gpus_per_node; }
  /// Of a GPU of its own, counted through the hall, among its units.
  std::size_t unit_of(std::size_t gpu) const { return gpu - first_gpu; }
};

struct ItEquipment {
  std::vector<RackPart> racks;  ///< group by group
  std::vector<RackGroup> groups;
  std::vector<NetworkRackPart> network_racks;
  std::vector<StorageRackPart> storage_racks;
  std::size_t node_use = 0;                  ///< number in Plant::uses of what nodes draw
  network::SwitchParams switches = {};       ///< of the fabric
  double job_traffic_fraction = 0.0;         ///< of the fabric's capacity, while all nodes are at work
  workload::ApplianceParams appliance = {};  ///< of all storage racks

  const RackGroup& group_of(std::size_t rack) const { return groups[racks[rack].group]; }
  std::size_t nodes_in(std::size_t rack) const { return group_of(rack).nodes_per_rack; }
  std::size_t gpus_in(std::size_t rack) const { return group_of(rack).gpus_per_rack(); }
  std::size_t node_count() const { return groups.empty() ? 0 : groups.back().first_node + groups.back().node_count(); }
  std::size_t gpu_count() const { return groups.empty() ? 0 : groups.back().first_gpu + groups.back().gpu_count(); }
};

/// Whether the units of Plant::groups[units] are GPUs.
bool is_gpu_units(const ItEquipment& it, std::size_t units);

/// "1 rack, 8 nodes, 64 GPUs".
std::string size_text(const ItEquipment& it);

}  // namespace wattloop::twin
