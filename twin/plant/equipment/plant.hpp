// The plant: everything that does not change during a run, as flat arrays. Built once from a Scenario, then const.
//
// Nodes hold heat, links carry it, units use power. All of them read *signals* and add to *sinks*:
//
//   signals   [ states | flows | inputs | power ]   flows follow from states and inputs (pumps, valves); inputs are constant;
//                                                   power is what switching and the power tree say of buses and loads
//   sinks     [ states | loads ]                    heat into nodes (W), rates of other states (1/s), power of loads (W)
//
// Meters are states too: they integrate energy at the feed and at the sky with the same method as everything else.
#pragma once

#include <any>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/port.hpp"
#include "electrical/power_tree.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/parts/part_set.hpp"
#include "twin/plant/equipment/economiser_parts.hpp"
#include "twin/plant/equipment/flow_model.hpp"
#include "twin/plant/equipment/fluid_systems.hpp"
#include "twin/plant/equipment/hall_fabric.hpp"
#include "twin/plant/equipment/it_equipment.hpp"
#include "twin/plant/equipment/motors.hpp"
#include "twin/plant/equipment/power_parts.hpp"
#include "twin/plant/equipment/state_layout.hpp"
#include "twin/units/unit_group.hpp"

namespace wattloop::twin {

/// Positions of the regions of signals and sinks.
struct SignalMap {
  std::size_t state_count = 0;
  std::size_t flow_count = 0;
  std::size_t input_count = 0;
  std::size_t load_count = 0;
  std::size_t bus_count = 0;         ///< of the power tree
  std::size_t first_unit_state = 0;  ///< states of units come after all others
  std::size_t first_unit_input = 0;  ///< loads of units after all other inputs

  std::size_t flow(std::size_t index) const { return state_count + index; }
  std::size_t input(std::size_t index) const { return state_count + flow_count + index; }
  std::size_t load(std::size_t index) const { return state_count + index; }  ///< a sink
  std::size_t power(std::size_t index) const { return input(input_count) + index; }
  std::size_t bus_live(std::size_t bus) const { return power(bus); }
  std::size_t bus_voltage(std::size_t bus) const { return power(bus_count + bus); }
  std::size_t bus_power(std::size_t bus) const { return power(2 * bus_count + bus); }
  std::size_t load_served(std::size_t index) const { return power(3 * bus_count + index); }
  std::size_t power_count() const { return 3 * bus_count + load_count; }
  std::size_t signal_count() const { return power(power_count()); }
  std::size_t sink_count() const { return state_count + load_count; }
};

/// A body of coolant, water or air of one temperature; without capacity it is a boundary whose temperature is given.
struct ThermalNode {
  std::string name;
  double heat_capacity_j_per_k = 0.0;
  std::size_t temperature_signal = 0;
  std::size_t heat_sink = 0;  ///< its state, or for a boundary the meter of the heat that leaves the plant there

  bool is_boundary() const { return heat_capacity_j_per_k == 0.0; }
};

/// A stream from node to node.
struct Link {
  std::string name;
  std::size_t from_node = 0;
  std::size_t to_node = 0;
  std::size_t flow_signal = 0;
  double specific_heat_j_per_kg_k = 0.0;
};

/// What is lost in equipment of the power tree of one kind, and of those that are metered with it.
struct LossMeter {
  std::string_view kind;  ///< "ups"
  std::size_t meter = 0;
};

/// Energy meters, state slots in J, all zero at the start.
struct Meters {
  std::size_t feed = 0;                 ///< drawn from utility and generators
  std::size_t outdoors = 0;             ///< losses of outdoor equipment, straight to the sky
  std::vector<std::size_t> energy;      ///< [use of the loads]; of nodes at their AC inlets
  std::size_t electrical_loss = 0;      ///< of all equipment of the power tree
  std::vector<LossMeter> loss;          ///< the same by kind of equipment
  std::vector<std::size_t> boundaries;  ///< heat that left through each boundary node
  std::size_t sky = no_part;            ///< one of them: heat that left with the air outside
  std::size_t make_up_water = no_part;  ///< kg, of towers
};

/// What people know by name, besides equipment of the power tree.
struct NamedPart {
  std::string name;
  std::string kind;                      ///< in a list of parts: "CDU", "air handler", "dry_cooler"
  std::vector<std::string> hangs_on;     ///< names of parts, systems, rooms
  std::size_t load = no_part;            ///< of the power tree
  std::vector<std::size_t> motors = {};  ///< that fail when it fails
  bool may_clog = false;                 ///< has a passage of its own where an event of the scenario clogs it
};

/// A control sequence, with its numbers in the plant.
struct PlannedSequence {
  std::string name, setting;
  std::size_t kind = 0;  ///< of the catalog of sequences
  std::any params;
  std::size_t input = 0;
  std::string_view unit;
  double every_s = 0.0;
  double deadband = 0.0;
};

struct Plant {
  StateLayout layout;
  SignalMap map;
  std::vector<std::string> input_names;
  std::vector<double> initial_inputs;  ///< [input_count]

  std::vector<ThermalNode> nodes;
  std::vector<Link> links;
  std::vector<std::unique_ptr<UnitGroup>> groups;
  std::vector<std::unique_ptr<PartSet>> components;  ///< [kind of the catalog] all that is not a unit
  FlowModel flows;
  std::vector<double> rate_per_sink;  ///< [state_count] 1/(J/K) for nodes, 1 for other states

  electrical::PowerTree power_tree;
  std::vector<BatteryPart> batteries;
  std::vector<StandbyPart> standby;
  SwitchRules switch_rules;
  std::vector<SiteLoadPart> site_loads;  ///< the last of all loads
  std::optional<electrical::VoltageModel>
      voltages;                           ///< of `power.flow: radial`; none: nominal voltages, unity power factor
  std::vector<BlockPart> blocks;          ///< of which one may be out: none where loads hang on one only
  std::vector<std::string> without_ups;   ///< blocks whose PDUs hang on the low voltage
  std::vector<Guard> guards;              ///< states that stop the integrator where they fall through a level
  std::vector<RoomPart> rooms;            ///< those of the hall first; rooms of the power tree
  std::vector<LossBody> loss_bodies;      ///< of UPS whose electronics store heat
  std::vector<UseOfPower> uses;           ///< what loads are for
  std::vector<std::size_t> load_use;      ///< [load_count] number in `uses`
  std::vector<std::size_t> branch_meter;  ///< [branch] of the power tree: number in `meters.loss`
  Meters meters;
  std::vector<NamedPart> named;
  std::vector<MotorPart> motors;
  std::vector<MotorGroup> motor_groups;
  std::vector<SettingPart> settings;
  std::vector<PlannedSequence> sequences;
  std::vector<PlannedEconomiser> economisers;
  ItEquipment it;
  std::optional<HallFabric> fabric;  ///< none: its switches are counted
  std::vector<SystemPart> systems;
  std::vector<DoorPart> doors;  ///< of racks of nodes, then of racks of switches
  OutsideInputs outside;
  std::vector<std::string> waters_from_outside;  ///< water that comes from outside, in words: "facility water"
};

/// Number of a use in `Plant::uses`, of a system in `Plant::systems`, by name. Throw std::out_of_range for one that is not there.
std::size_t use_number(const Plant& plant, std::string_view name);
/// Signal of the temperature of the air around a branch of the power tree; `no_part` outdoors.
std::size_t air_around(const Plant& plant, std::size_t branch) noexcept;
const SystemPart& system_named(const Plant& plant, std::string_view name);

/// The group of racks of a GPU, its name, and the place of its die in the states.
/// gpu: counted through the hall.
const RackGroup& group_of_gpu(const Plant& plant, std::size_t gpu);
const std::string& gpu_name(const Plant& plant, std::size_t gpu);
/// "row_1.rack_3.node_2"; node: counted through the hall.
std::string node_name(const Plant& plant, std::size_t node);
std::size_t die_slot(const Plant& plant, std::size_t gpu);

}  // namespace wattloop::twin
