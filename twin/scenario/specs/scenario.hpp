// A scenario: what the user asked for, as plain values in SI units. Read by twin/scenario/scenario_reader, built into a Plant by
// twin/build/plant_builder. It is a value: copying it, changing a number and running it again is all a study does.
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/parts/field.hpp"
#include "core/text/problem.hpp"
#include "electrical/supplies/psu.hpp"
#include "network/fat_tree.hpp"
#include "network/switch_power.hpp"
#include "physics/weather/weather.hpp"
#include "twin/plant/state/initial_state.hpp"
#include "twin/scenario/specs/cooling_spec.hpp"
#include "twin/scenario/specs/economics_spec.hpp"
#include "twin/scenario/specs/fabric_spec.hpp"
#include "twin/scenario/specs/follow_spec.hpp"
#include "twin/scenario/specs/jobs_spec.hpp"
#include "twin/scenario/specs/power_spec.hpp"
#include "twin/scenario/specs/record_spec.hpp"
#include "twin/scenario/specs/storage_racks_spec.hpp"
#include "twin/units/unit_spread.hpp"
#include "workload/nodes/inlet_protection.hpp"
#include "workload/nodes/node_split.hpp"
#include "workload/nodes/protection.hpp"
#include "workload/nodes/server_fans.hpp"

namespace wattloop::twin {

/// Parameters of one unit kind of the catalog (twin/units/catalog.hpp): `params` holds that kind's Params.
struct UnitSpec {
  std::string kind;  ///< "cold_plate", "node_rest", ...
  std::any params;
};

/// Name of the unit that takes the loss of the power supplies and the watts of fans, which others take where there is none.
inline constexpr std::string_view supplies_name = "supplies";

/// Units of one sort in a node.
struct NodeUnits {
  std::string name;  ///< "gpu", "supplies", "rest": last part of component names
  int count = 1;
  double liquid_share_fraction = 0.0;  ///< of the node's coolant flow, all `count` together
  double air_share_fraction = 0.0;     ///< of the node's air flow, all `count` together
  UnitSpec spec;

  static constexpr auto fields() {
    using P = NodeUnits;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Number of units of this kind in a node."},
        Field<P>{&P::liquid_share_fraction, "liquid_share", "1", Range::fraction,
                 "Share of the node's coolant flow that passes all units of this kind together."},
        Field<P>{&P::air_share_fraction, "air_share", "1", Range::fraction,
                 "Share of the node's air flow that passes all units of this kind together."},
    };
  }
};

/// A node as the hardware library describes it.
struct NodeHardware {
  std::string name;
  double nameplate_w = required;
  double coolant_design_flow_kg_per_s = 0.0;  ///< 0: cooled by air alone
  double coolant_pressure_drop_pa = 0.0;      ///< of manifold, hoses, couplings and plates at design flow
  double airflow_kg_per_s = 0.0;              ///< 0: cooled by liquid alone
  double fan_w = 0.0;
  double rack_liquid_volume_per_node_m3 = 0.0;
  double boot_time_s = 300.0;
  std::vector<NodeUnits> units;  ///< exactly one is named "gpu"
  workload::NodeSplitParams split;
  electrical::PsuParams psu = {};
  workload::ProtectionParams protection;
  workload::InletParams inlet_air = {};
  bool has_fan_control = false;  ///< else fans run at full speed
  workload::ServerFanParams fans = {};

  bool takes_coolant() const { return coolant_design_flow_kg_per_s > 0.0; }

  static constexpr auto fields() {
    using P = NodeHardware;
    return std::array{
        Field<P>{&P::nameplate_w, "nameplate", "W", Range::positive,
                 "Nameplate power: largest power at the AC inlet that the maker states."},
        Field<P>{&P::coolant_design_flow_kg_per_s, "coolant_design_flow", "kg/s", Range::positive,
                 "Coolant flow of one node at its design point; if it is not given, the node has no coolant."},
        Field<P>{&P::coolant_pressure_drop_pa, "coolant_pressure_drop", "Pa", Range::positive,
                 "Pressure drop of manifold, hoses, couplings and plates at design flow."},
        Field<P>{&P::airflow_kg_per_s, "airflow", "kg/s", Range::positive, "Air flow of the fans of one node."},
        Field<P>{&P::fan_w, "fan_power", "W", Range::non_negative,
                 "Power of the fans at this flow, a part of the node's power; it heats the unit named `supplies`."},
        Field<P>{&P::rack_liquid_volume_per_node_m3, "liquid_volume", "m3", Range::positive,
                 "Coolant volume in hoses and manifold for each node; coolant inside plates is part of their heat "
                 "capacity."},
        Field<P>{&P::boot_time_s, "boot_time", "s", Range::non_negative,
                 "Boot time: from the return of the supply, or the permission to start, until the node works; GPUs are "
                 "idle during this time."},
    };
  }
};

/// What racks of a group hang on, by names; empty: the one that there is.
struct RackHangsOn {
  std::string coolant = {};  ///< technology loops
  std::string door = {};     ///< "rear_doors", or those of a name; or "none"
  std::string room = {};     ///< of the hall
  NamesSpec power = {};      ///< blocks of power
  Mention coolant_mention = {}, door_mention = {}, room_mention = {};
};

/// The fabric: switches in racks of their own, air cooled through rear doors. Zero racks: not modelled.
struct NetworkSpec {
  bool is_given = false;
  RackHangsOn on = {};  ///< its door alone
  int racks = 1;
  double traffic_fraction = 0.5;
  double airflow_kg_per_s = 1.5;  ///< of each rack
  NamesSpec rooms = {};           ///< that they stand in, in equal runs; none: the only one
  network::FatTreeParams tree = {};
  network::SwitchParams switches = {};
  std::string switch_name = {};
  FabricSpec fabric = {};  ///< where it is more than a number of switches

  static constexpr auto fields() {
    using P = NetworkSpec;
    return std::array{
        Field<P>{&P::racks, "racks", Range::positive,
                 "Number of racks that hold the switches of the fabric, in a row of their own."},
        Field<P>{&P::traffic_fraction, "traffic", "1", Range::fraction,
                 "Mean traffic of all ports divided by their capacity while all nodes work; the traffic follows the "
                 "number of working nodes."},
        Field<P>{&P::airflow_kg_per_s, "airflow", "kg/s", Range::positive, "Air flow of the fans of one network rack."},
    };
  }
};

/// What it is like outside: a built-in design day, or a year from an EPW file.
struct WeatherSpec {
  std::string design_day = "mild";
  std::string file = {};  ///< as resolved; empty: the design day
  Place file_place;       ///< where it was named, for errors in it
  std::optional<physics::Weather> year =
      {};                    ///< of the file, where it is a good one: what is wrong is reported when the plant is built
  double offset_k = 0.0;     ///< of dry bulb and dew point
  double pressure_pa = 0.0;  ///< replaces the pressure of the weather file; 0: not replaced
  std::vector<FollowSpec> followed = {};  ///< measured dry bulb and wet bulb that replace those of the weather file
};

/// Racks alike: one group of them, in rows of their own.
struct RacksSpec {
  std::string name = {};  ///< empty: the hall has racks of one kind
  FilePath path = {"hall", "racks"};
  bool is_given = false;
  int count = 1;
  std::vector<int> rows = {1};  ///< how many rows share them evenly; several: racks in each row
  int nodes = 8;                ///< in each rack
  NodeHardware hardware = {};
  UnitSpread gpu_spread = {};
  RackHangsOn on = {};
  std::optional<WorkloadSpec> workload = {};  ///< none: that of the hall

  /// Racks in each row.
  std::vector<int> row_sizes() const;

  static constexpr auto fields() {
    using P = RacksSpec;
    return std::array{
        Field<P>{&P::count, "count", Range::positive, "Number of racks of this kind."},
        Field<P>{&P::nodes, "nodes", Range::positive, "Number of nodes in each rack."},
    };
  }
};

/// Something that happens at a given time.
struct EventSpec {
  enum class Kind { fail, restore, open, close, set, slow, drain, resume };
  double at_s = 0.0;
  std::string at_clock =
      {};  ///< "18:00" or "2026-07-15T18:00": local time, which `at_s` is made of when all has been read
  std::optional<double> every_s;  ///< happens again after that, to the end of the run
  Kind kind = Kind::fail;
  std::vector<std::string> targets;      ///< component names, or COMPONENT.setting for `set`; `*` matches within a name
  std::optional<double> to_si;           ///< set to this value
  std::optional<double> by_si;           ///< or change by this
  double over_s = 0.0;                   ///< in a ramp of this length
  std::optional<double> for_s;           ///< undo after this time
  Place place;                           ///< of the event
  std::string excerpt;                   ///< the line of the file at `place`, for problems found while building
  std::vector<Mention> target_mentions;  ///< where each target is written; empty for events made in code
  std::shared_ptr<const std::vector<double>> gpu_w = {};  ///< [gpu] of `gpus.power`: watts asked of them from then on
  std::shared_ptr<const std::vector<std::string>> gpu_names =
      {};  ///< [gpu] as the file of watts names them, if it does
};

/// What a port of a part is joined to, by names.
struct PortSpec {
  std::string port;
  std::string from;  ///< of a passage; of a body or a reading where it is
  std::string to;    ///< of a passage
  Mention mention;
};

/// A part that a scenario names itself.
struct PartSpec {
  std::string name;
  std::string kind;                                      ///< of the catalog of parts
  std::any params;                                       ///< of that kind
  std::vector<std::pair<std::string, double>> settings;  ///< name, value at the start
  std::vector<PortSpec> ports;
  Mention mention;
  std::vector<FollowSpec> followed = {};  ///< settings that follow a file, while the scenario is being read
  std::string at = {};                    ///< row or room where it stands; empty: where its kind says
  Mention at_mention = {};
};

/// What a sequence names: "exchanger", "economiser".
struct SequenceReference {
  std::string key, name;
  Mention mention = {};  ///< where it is written; of the sequence, where it is not
  bool is_said = true;
};

/// A setting that follows the weather, or parts that change their mode with it.
struct SequenceSpec {
  std::string name;
  std::string kind;                                ///< of the catalog of sequences
  std::any params;                                 ///< of that kind
  std::string setting = {};                        ///< of a kind that sets one
  std::vector<SequenceReference> references = {};  ///< of others
  double every_s = 300.0;
  double deadband = 0.2;  ///< in the unit of the setting
  Mention mention = {};   ///< where the setting is named; of others, the sequence
};

/// A file that a scenario was read from, or that a run reads.
struct InputFile {
  std::string role;  ///< "scenario", "base", "library", "trace", "weather", "followed"
  std::string path;
  std::string name;  ///< without folders, and without the value of a variable
};

/// A checkpoint from which a run continues, instead of an initial state of its own.
struct BeginAt {
  std::string file;
  double at_s = 0.0;
  Mention mention = {};
};

struct Scenario {
  std::string name;  ///< stem of the file
  std::string file;  ///< as the user gave it; empty for scenarios made in code
  std::string title;
  std::string start = "2026-01-01T00:00:00";  ///< local standard time
  double duration_s = required;
  std::string trips = "on";
  InitialState initial = InitialState::settled;
  std::optional<double> warm_up_s;  ///< of `settled`; none: as long as the slowest water takes
  std::optional<BeginAt> begin_at;  ///< `initial: { from: FILE, at: T }`
  std::uint64_t seed = 1;
  WorkloadSpec workload;
  std::optional<JobsSpec> jobs = {};                   ///< in the place of `workload`
  std::optional<StorageRacksSpec> storage_racks = {};  ///< of the storage that jobs share; none: it draws no watts
  WeatherSpec weather;
  std::vector<RacksSpec> racks = std::vector<RacksSpec>(1);  ///< groups, in the order of their rows
  NetworkSpec network;
  CoolingSpec cooling;
  PowerSpec power;
  std::vector<PartSpec> parts;
  std::vector<SequenceSpec> sequences;
  std::vector<FollowSpec> followed;       ///< settings that follow a file
  std::vector<std::string> follow_notes;  ///< what the user should know of these files
  std::vector<EventSpec> events;
  EconomicsSpec economics;
  RecordSpec record;
  std::vector<InputFile> input_files;  ///< all that it was read from
  std::vector<std::string> variables;  ///< of the environment, that it names
  std::string resolved_text;           ///< YAML after extends, library and overrides: running it again is the same run

  /// Of the top of the file, besides those that are read through ScenarioDraft.
  static constexpr auto fields() {
    using P = Scenario;
    return std::array{
        Field<P>{&P::title, "title", "", "Title of the scenario in one line."},
        Field<P>{&P::start, "start", "", "Start time, local standard time: YYYY-MM-DDThh:mm:ss."},
        Field<P>{&P::duration_s, "duration", "s", Range::positive, "Duration of the simulated time."},
        Field<P>{&P::trips, "trips", "on|off",
                 "Whether overloaded equipment trips; off: the overload is reported, and the equipment carries it."},
    };
  }
};

/// The work of a group of racks.
inline const WorkloadSpec& workload_of(const Scenario& scenario, const RacksSpec& racks) {
  return racks.workload ? *racks.workload : scenario.workload;
}

/// What the watts of all nodes of these racks contain; where jobs come and go, what those of all programs do.
workload::WattsContain contents_of(const Scenario& scenario, const RacksSpec& racks);

}  // namespace wattloop::twin
