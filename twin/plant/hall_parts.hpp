// The parts of the hall that people know by name, with their numbers in the plant: for events, controls and records.
// `_node` counts in Plant::nodes, `_state` in the states, `_input` in the inputs, `flow` in the flows, `load` in the loads.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/switch_power.hpp"

namespace wattloop::twin {

/// Instead of a number where a hall has no such part.
inline constexpr std::size_t no_part = std::numeric_limits<std::size_t>::max();

/// Anything that turns: it has a speed, runs on command while its load is served, and may fail.
struct MotorPart {
  std::string name;  ///< "cdu_1.pump_a", "tower_3", "chiller_2", "crah_5", "facility.pump_b"
  std::size_t speed_state = 0;
  std::size_t command_input = 0;  ///< speed ordered, 0 to 1; 0 is off
  std::size_t load = 0;           ///< of the power tree
  double restart_delay_s = 0.0;   ///< from the return of power to the start
  bool is_on_ups = false;         ///< else it stands until power returns
};

/// Motors of which some run and others stand by.
struct MotorGroup {
  std::string name;  ///< "cdu_1", "facility", "towers"
  std::vector<std::size_t> motors;
  std::size_t duty = 0;               ///< how many run, if able
  std::size_t speed_input = no_part;  ///< speed ordered for those that run; none: full speed
};

/// The fans of an active rear door, on the PDUs of their rack.
struct DoorFanPart {
  std::size_t load = no_part;     ///< of the power tree; none: a passive door
  std::size_t command_input = 0;  ///< 1 while there is power, else 0
};

struct RackPart {
  std::string name;  ///< "row_1.rack_1"
  std::size_t loop = 0;
  std::size_t row = 0;
  std::size_t supply_node = 0;  ///< coolant at the inlets of the cold plates
  std::size_t return_node = 0;
  std::size_t exhaust_node = 0;  ///< air behind the nodes, before the door
  std::size_t door_water_node = 0;
  std::size_t airflow_input = 0;  ///< kg/s
  std::size_t load = 0;           ///< of the power tree
  DoorFanPart door_fans = {};
};

/// A rack of switches: air cooled, with a rear door.
struct NetworkRackPart {
  std::string name;  ///< "network_rack_1"
  std::size_t row = 0;
  std::size_t exhaust_node = 0;
  std::size_t door_water_node = 0;
  std::size_t airflow_input = 0;
  std::size_t power_input = 0;  ///< W that its switches draw
  double switches = 0.0;        ///< how many it holds, on average
  std::size_t load = 0;
  DoorFanPart door_fans = {};
};

/// A row of racks between its two aisles.
struct RowPart {
  std::string name;  ///< "row_1"
  std::size_t cold_node = 0;
  std::size_t hot_node = 0;
  std::size_t air_flow = 0;           ///< through all of its racks
  std::size_t recirculated_flow = 0;  ///< from the hot aisle to the cold one
  std::size_t to_room_flow = 0;       ///< from the hot aisle to the room
  std::size_t supplied_flow = 0;      ///< from the air handlers to the cold aisle
  std::size_t from_room_flow = 0;     ///< from the room to the cold aisle; negative: supply air passes the racks by
  std::vector<std::size_t> airflow_inputs;  ///< of its racks
};

struct PumpPart {
  std::string name;  ///< "cdu_1.pump_a"
  std::size_t cdu = 0;
  std::size_t motor = 0;
  std::size_t flow = 0;
};

struct CduPart {
  std::string name;  ///< "cdu_1"
  std::size_t loop = 0;
  std::size_t outlet_node = 0;        ///< technology side, behind the exchanger
  std::size_t facility_node = 0;      ///< facility side, behind the exchanger
  std::size_t first_valve_state = 0;  ///< of physics::CduValve
  std::size_t flow = 0;               ///< technology side
  std::size_t facility_flow = 0;
  std::vector<std::size_t> pumps;
};

struct LoopPart {
  std::string name;  ///< "loop_1"
  std::size_t supply_node = 0;
  std::size_t return_node = 0;
  std::size_t set_point_input = 0;
  std::size_t pump_speed_input = 0;  ///< highest speed of its running pumps
  std::size_t pressure_input = 0;    ///< that they hold between the headers, Pa; 0: none, they run at the highest speed
  std::size_t first_control_state = 0;  ///< of physics::LoopPressure
  std::size_t rack_flow = 0;            ///< through each of its racks
  std::vector<std::size_t> cdus;
  std::vector<std::size_t> racks;
  double specific_heat_j_per_kg_k = 0.0;
  double rack_resistance_pa_s2_per_kg2 = 0.0;  ///< of one rack
};

/// A water system with a supply and a return header: facility water, or the chilled water of doors and air handlers.
/// Without a plant of its own both headers are the same boundary, whose temperature is held.
struct WaterPart {
  std::string name;  ///< "facility", "chilled_water"
  std::size_t supply_node = 0;
  std::size_t return_node = 0;
  std::size_t set_point_input = 0;    ///< temperature; of a boundary the held one
  std::size_t load_flow = no_part;    ///< to everything that it cools
  std::size_t source_flow = no_part;  ///< through towers or chillers
  std::size_t bypass_flow = no_part;  ///< from supply to return header
  std::vector<std::size_t> pumps;     ///< motors; none: water moves while the run lasts
  std::size_t duty = 0;               ///< of them run
};

/// A cell of a wet cooling tower with its pump; one motor stands for both.
struct TowerPart {
  std::string name;           ///< "tower_1"
  std::size_t motor = 0;      ///< its speed is that of the pump
  std::size_t fan_state = 0;  ///< speed of the fan
  std::size_t basin_node = 0;
  std::size_t flow = 0;
  double rated_heat_w = 0.0;
};

/// A chiller with its chilled-water and condenser pumps; its motor's speed is that of the pumps.
struct ChillerPart {
  std::string name;  ///< "chiller_1"
  std::size_t motor = 0;
  std::size_t loading_state = 0;  ///< share of its rating that the compressor may take
  std::size_t evaporator_node = 0;
  std::size_t condenser_node = 0;
  std::size_t chilled_flow = 0;
  std::size_t condenser_flow = 0;
  double rated_heat_w = 0.0;
};

/// A computer-room air handler; its motor's speed is that of the fan.
struct CrahPart {
  std::string name;  ///< "crah_1"
  std::size_t room = 0;
  std::size_t motor = 0;
  std::size_t first_control_state = 0;  ///< of physics::FanControl
  std::size_t water_node = 0;
  std::size_t air_flow = 0;
  std::size_t water_flow = 0;
  double rated_heat_w = 0.0;
};

struct RoomPart {
  std::string name;                       ///< "room_1": the hall; "electrical_room_a"
  std::size_t node = 0;                   ///< bulk of the air
  std::size_t mass_node = no_part;        ///< racks, floor and walls; none: a room of air alone
  std::size_t supply_node = no_part;      ///< plenum of the air handlers; none: they blow into the bulk
  std::size_t set_point_input = no_part;  ///< of its air handlers
  std::vector<std::size_t> crahs = {};
};

/// A number that events may set, by name: "loop_1.supply_temperature".
struct SettingPart {
  std::string name;
  std::size_t input = 0;
  std::string_view unit;
};

/// Loads of units of one kind, node by node.
struct NodeLoads {
  std::size_t first_input = 0;
  std::size_t per_node = 0;
};

struct HallParts {
  std::vector<RackPart> racks;
  std::vector<NetworkRackPart> network_racks;
  std::vector<RowPart> rows;
  std::vector<PumpPart> pumps;
  std::vector<CduPart> cdus;
  std::vector<LoopPart> loops;
  WaterPart facility;
  WaterPart chilled_water;
  std::vector<TowerPart> towers;
  std::vector<ChillerPart> chillers;
  std::vector<CrahPart> crahs;
  std::vector<RoomPart> rooms;  ///< the hall first
  std::vector<MotorPart> motors;
  std::vector<MotorGroup> motor_groups;
  std::vector<SettingPart> settings;

  std::size_t nodes_per_rack = 0;
  std::size_t gpus_per_node = 0;
  std::size_t gpu_group = 0;  ///< index in Plant::groups
  NodeLoads gpu_loads;
  network::SwitchParams switches = {};  ///< of the fabric
  double job_traffic_fraction = 0.0;    ///< of the fabric's capacity, while all nodes are at work
  NodeLoads supply_loads;               ///< of the units that take what supplies lose and fans draw, if there are any
  std::vector<NodeLoads> rest_loads;    ///< of all other units of the nodes, which share what is left
  std::size_t door_flow = 0;            ///< water through each door
  std::size_t door_flow_input = 0;      ///< of each door at full pump speed, kg/s
  std::size_t first_tower_control_state = no_part;  ///< of physics::FanControl
  std::size_t sky_meter = no_part;                  ///< state: heat that left with the air of the towers
  std::size_t water_meter = no_part;                ///< state: make-up water of the towers, kg
  std::size_t dry_bulb_input = no_part;
  std::size_t wet_bulb_input = no_part;
  std::size_t outside_humidity_input = no_part;  ///< water per kg of dry air
  std::size_t outside_pressure_input = no_part;
  double air_specific_heat_j_per_kg_k = 0.0;
  double water_specific_heat_j_per_kg_k = 0.0;

  std::size_t node_count() const { return racks.size() * nodes_per_rack; }
  std::size_t gpu_count() const { return node_count() * gpus_per_node; }
};

/// "1 rack, 8 nodes, 64 GPUs".
std::string size_text(const HallParts& hall);

}  // namespace wattloop::twin
