// A scenario: what the user asked for, as plain values in SI units. Read by twin/scenario_reader, built into a Plant by
// twin/plant_builder. It is a value: copying it, changing a number and running it again is all a study does.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "electrical/equipment.hpp"
#include "physics/cdu.hpp"
#include "physics/pump.hpp"
#include "physics/rear_door.hpp"
#include "workload/node_split.hpp"
#include "workload/parameters.hpp"
#include "workload/protection.hpp"

namespace wattloop::twin {

/// Parameters of one unit kind of the catalog (twin/catalog.hpp): `params` holds that kind's Params.
struct UnitSpec {
  std::string kind;  ///< "cold_plate", "node_rest", ...
  std::any params;
};

/// Units of one sort in a node.
struct NodeUnits {
  std::string name;  ///< "gpu", "rest": last part of component names
  int count = 1;
  double liquid_share_fraction = 0.0;  ///< of the node's coolant flow, all `count` together
  double air_share_fraction = 0.0;     ///< of the node's air flow, all `count` together
  UnitSpec spec;
};

/// A node as the hardware library describes it.
struct NodeHardware {
  std::string name;
  double nameplate_w = required;
  double coolant_design_flow_kg_per_s = required;
  double coolant_pressure_drop_pa = required;  ///< of manifold, hoses, couplings and plates at design flow
  double airflow_kg_per_s = required;
  double rack_liquid_volume_per_node_m3 = required;
  std::vector<NodeUnits> units;  ///< exactly one is named "gpu"
  workload::NodeSplitParams split;
  electrical::PsuParams psu;
  workload::ProtectionParams protection;
};

struct RacksSpec {
  int count = 1;
  int rows = 1;
  int nodes = 8;  ///< in each rack
  NodeHardware hardware;
};

/// One technology loop and what serves it; all loops are alike.
struct LoopsSpec {
  int count = 1;
  int cdus = 1;  ///< in each loop
  std::string coolant = "pg25";
  double supply_k = required;
  double volume_m3 = required;           ///< coolant in pipes and manifolds of one loop, half supply, half return
  double pump_speed_fraction = 1.0;      ///< commanded speed of running pumps
  int pumps_per_cdu = required_count;    ///< defaults to the hardware's
  physics::CduParams cdu;
  physics::PumpParams pump;
  std::string cdu_name;
};

struct DoorsSpec {
  double supply_k = required;
  physics::RearDoorParams door;
  std::string door_name;
};

struct RoomSpec {
  double volume_m3 = required;             ///< of air
  double mass_heat_capacity_j_per_k = 0.0; ///< racks, floor and walls that follow the air
  double initial_k = 297.15;
};

struct CoolingSpec {
  LoopsSpec loops;
  DoorsSpec doors;
  RoomSpec room;
  double facility_supply_k = required;  ///< held temperature of the water that cools the CDUs
};

struct PowerSpec {
  int transformers = 1;
  int ups_modules = 1;
  int pdus = 1;
  electrical::TransformerParams transformer;
  electrical::UpsParams ups;
  electrical::PduParams pdu;
  std::string transformer_name, ups_name, pdu_name;
};

struct WorkloadSpec {
  enum class Kind { replay, training };
  Kind kind = Kind::training;
  workload::ReplayParams replay;
  workload::TrainingParams training;
  bool replay_leakage = false;  ///< measured watts already contain leakage
  Place trace_place;            ///< where the trace was named, for errors in it
};

/// Something that happens at a given time.
struct EventSpec {
  enum class Kind { fail, restore, set };
  double at_s = 0.0;
  Kind kind = Kind::fail;
  std::vector<std::string> targets;  ///< component names, or COMPONENT.setting for `set`; `*` matches within a name
  std::optional<double> to_si;       ///< set to this value
  std::optional<double> by_si;       ///< or change by this
  double over_s = 0.0;               ///< in a ramp of this length
  std::optional<double> for_s;       ///< undo after this time
  Place place;
};

struct RecordSpec {
  double facility_s = 1.0;  ///< facility, electrical, loops, CDUs, rooms
  double racks_s = 15.0;
  double gpus_s = 60.0;
  std::vector<std::string> gpu_fields{"die_temperature", "power", "clock_fraction"};
};

enum class InitialState { steady, cold };

struct Scenario {
  std::string name;   ///< stem of the file
  std::string title;
  std::string start = "2026-01-01T00:00:00";  ///< local standard time
  double duration_s = required;
  InitialState initial = InitialState::steady;
  std::uint64_t seed = 1;
  WorkloadSpec workload;
  RacksSpec racks;
  CoolingSpec cooling;
  PowerSpec power;
  std::vector<EventSpec> events;
  RecordSpec record;
  std::string resolved_text;  ///< YAML after extends, library and overrides: running it again is the same run
};

}  // namespace wattloop::twin
