// The parts of the hall that people know by name, with their numbers in the plant: for events, controls and records.
// `_node` counts in Plant::nodes, `_state` in the states, `_input` in the inputs, `flow` in the flows, `load` in the loads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

struct RackPart {
  std::string name;  ///< "row_1.rack_1"
  std::size_t loop = 0;
  std::size_t supply_node = 0;      ///< coolant at the inlets of the cold plates
  std::size_t return_node = 0;
  std::size_t exhaust_node = 0;     ///< air behind the nodes, before the door
  std::size_t door_water_node = 0;
  std::size_t airflow_input = 0;    ///< kg/s
  std::size_t load = 0;             ///< of the power tree
};

struct PumpPart {
  std::string name;  ///< "cdu_1.pump_a"
  std::size_t cdu = 0;
  std::size_t speed_state = 0;
  std::size_t command_input = 0;
  std::size_t flow = 0;
  std::size_t load = 0;
};

struct CduPart {
  std::string name;  ///< "cdu_1"
  std::size_t loop = 0;
  std::size_t outlet_node = 0;    ///< technology side, behind the exchanger
  std::size_t facility_node = 0;  ///< facility side, behind the exchanger
  std::size_t first_control_state = 0;  ///< sensor, integral, valve position follow one another
  std::size_t flow = 0;           ///< technology side
  std::size_t facility_flow = 0;
  std::vector<std::size_t> pumps;
  double rated_heat_w = 0.0;
};

struct LoopPart {
  std::string name;  ///< "loop_1"
  std::size_t supply_node = 0;
  std::size_t return_node = 0;
  std::size_t set_point_input = 0;
  std::size_t pump_speed_input = 0;  ///< commanded speed of its running pumps
  std::size_t rack_flow = 0;         ///< through each of its racks
  std::vector<std::size_t> cdus;
  std::vector<std::size_t> racks;
  double specific_heat_j_per_kg_k = 0.0;
};

struct RoomPart {
  std::string name;  ///< "room_1"
  std::size_t node = 0;
};

/// A number that events may set, by name: "loop_1.supply_temperature".
struct SettingPart {
  std::string name;
  std::size_t input = 0;
  std::string_view unit;
};

struct HallParts {
  std::vector<RackPart> racks;
  std::vector<PumpPart> pumps;
  std::vector<CduPart> cdus;
  std::vector<LoopPart> loops;
  std::vector<RoomPart> rooms;
  std::vector<SettingPart> settings;

  std::size_t nodes_per_rack = 0;
  std::size_t gpus_per_node = 0;
  std::size_t gpu_group = 0;                ///< index in Plant::groups
  std::vector<std::size_t> rest_groups;     ///< all other groups of the nodes, which share what GPUs do not use
  std::size_t facility_supply_input = 0;    ///< temperature
  std::size_t door_supply_input = 0;        ///< temperature
  std::size_t door_flow_input = 0;          ///< of each door, kg/s
  std::size_t facility_boundary_node = 0;   ///< its heat sink meters what leaves the hall there
  std::size_t door_boundary_node = 0;
  double air_specific_heat_j_per_kg_k = 0.0;
  double water_specific_heat_j_per_kg_k = 0.0;

  std::size_t node_count() const { return racks.size() * nodes_per_rack; }
  std::size_t gpu_count() const { return node_count() * gpus_per_node; }
};

/// "1 rack, 8 nodes, 64 GPUs".
std::string size_text(const HallParts& hall);

}  // namespace wattloop::twin
