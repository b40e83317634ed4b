// What a hall consists of and how it is joined, before anything has its place in the vectors of a plant. Templates write it, one
// for each section of a scenario (twin/build/templates/templates.hpp); `assemble` makes the plant of it (twin/build/assembly/assembly.hpp).
//   junctions  hold heat: headers, manifolds, basins, the air of rooms; or a boundary, whose temperature is given
//   streams    carry it from junction to junction; their flows follow from laws
//   systems    two headers and the pumps between them, on which others hang by name
//   motors     turn on command while their load is served; a group shares the work
//   parts      have equations; the structs of their kinds say what each port is joined to
// A part is joined to *codes* in its structs: region and number, such as of the temperature of junction 7; assembly makes positions of them.
#pragma once

#include <any>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/parts/part.hpp"
#include "twin/build/assembly/loop_network.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/units/unit_classes.hpp"

namespace wattloop::twin {

/// What the number in a code counts.
enum class Region : std::size_t { state, temperature, heat, flow, input, load };

inline constexpr std::size_t region_shift = 40;
constexpr std::size_t code_of(Region region, std::size_t number) {
  return static_cast<std::size_t>(region) << region_shift | number;
}
constexpr Region region_of(std::size_t code) { return static_cast<Region>(code >> region_shift); }
constexpr std::size_t number_in_region(std::size_t code) { return code & ((std::size_t{1} << region_shift) - 1); }

/// A code as structs of parts hold it: exact, because it is below 2^53.
constexpr double as_number(std::size_t code) { return static_cast<double>(code); }

struct JunctionId {
  std::size_t number = 0;
  bool operator==(const JunctionId&) const = default;
};
struct FlowId {
  std::size_t number = 0;
};
struct InputId {
  std::size_t number = 0;
};
struct MotorId {
  std::size_t number = 0;
};

constexpr std::size_t code_of(FlowId flow) { return code_of(Region::flow, flow.number); }
constexpr std::size_t code_of(InputId input) { return code_of(Region::input, input.number); }
constexpr std::size_t temperature_of(JunctionId junction) { return code_of(Region::temperature, junction.number); }
constexpr std::size_t heat_of(JunctionId junction) { return code_of(Region::heat, junction.number); }

// The same as structs of parts hold them.
constexpr double number_of(FlowId flow) { return as_number(code_of(flow)); }
constexpr double number_of(InputId input) { return as_number(code_of(input)); }
constexpr double temperature_number(JunctionId junction) { return as_number(temperature_of(junction)); }
constexpr Body body(JunctionId junction) { return {temperature_number(junction)}; }
constexpr Heat heat_into(JunctionId junction) { return {as_number(heat_of(junction))}; }

struct DeclaredState {
  std::string component;
  StateInfo info;
  double capacity = 1.0;  ///< of junctions J/K, of batteries J, of other states 1
};

/// Holds heat; without capacity it is a boundary: an input gives its temperature, and its state meters the heat that leaves there.
struct Junction {
  std::string name;
  double heat_capacity_j_per_k = 0.0;
  std::size_t state = 0;
  InputId temperature_input = {};

  bool is_boundary() const { return heat_capacity_j_per_k == 0.0; }
};

struct Stream {
  std::string name;
  JunctionId from, to;
  std::size_t flow = 0;  ///< code of a flow, or of an input that holds it
  double specific_heat_j_per_kg_k = 0.0;
};

/// A fluid on its way through something: out of one junction, through another, into a third.
struct Passage {
  JunctionId from, inside, to;
  std::size_t flow = 0;  ///< code of a flow, or of an input that holds it
  double specific_heat_j_per_kg_k = 0.0;

  template <PortMedium fluid>
  Inlet<fluid> inlet() const {
    return {temperature_number(from), as_number(flow), specific_heat_j_per_kg_k};
  }
  Heat heat() const { return heat_into(inside); }
};

/// Headers to which other parts are connected by name, and the pumps that move their liquid.
struct FluidSystem {
  std::string name;
  std::string fluid = {}, fluids = {};  ///< as in SystemPart
  JunctionId supply, back;              ///< the same junction for water from outside
  double specific_heat_j_per_kg_k = 0.0;
  double heat_capacity_j_per_m3_k = 0.0;
  LiquidBesideWater beside_water = {};
  InputId set_point = {};
  std::string pumps = {};          ///< group of motors; empty: it comes moving
  bool is_from_pressures = false;  ///< flows through its users; else balanced
  /// Of a water system with a plant of its own: through its users by its own pumps, through what cools it, between the headers.
  FlowId load_flow = {}, source_flow = {}, bypass_flow = {};
  JunctionId users_back = {};  ///< with pumps: what users bring back, before pre-coolers, bypass and header
  bool is_own() const { return supply != back; }
};

/// What feeds an electrical load.
enum class SupplyPoint { rack_pdus, ups, low_voltage, drawn_bus };

struct DeclaredLoad {
  std::string name;
  std::size_t use = 0;  ///< number in `Diagram::uses`
  SupplyPoint at = SupplyPoint::low_voltage;
  std::size_t place = 0;  ///< its number among racks or among motors: numbers are shared out over PDUs in turn
  std::vector<std::string> blocks = {};  ///< of power that may feed it; none: any
  std::size_t room = 0;                  ///< of a rack: in `Diagram::rooms`
  double rated_w = 0.0;                  ///< of a rack: nameplate of what stands in it
  bool needs_both_cords = false;         ///< of a rack that has two
};

/// A motor that a template asks for.
struct MotorRequest {
  std::size_t use = 0;           ///< number in `Diagram::uses`
  double restart_delay_s = 0.0;  ///< from the return of power to the start
  bool is_on_ups = false;        ///< else it is off until power returns
};

/// Flow of a balanced system: its design flow at full speed of what moves it.
struct Drive {
  double design_kg_per_s = 1.0;
  std::optional<InputId> design_input = {};     ///< that multiplies the design flow
  std::optional<InputId> shutoff_input = {};    ///< 1: open, 0: shut, linear between
  std::optional<InputId> passage_input = {};    ///< what is left of a passage of which `design_input` says the flow
  std::optional<std::size_t> valve_state = {};  ///< position of an equal-percentage valve
  physics::CduParams valve = {};                ///< its authority counts where flows follow from pressures
  std::optional<MotorId> motor = {};            ///< its speed determines the flow
  std::string pumps = {};  ///< group of motors whose mean speed moves it; neither: always full speed
};

/// Pumps of a water system whose flows follow from pressures.
struct HeaderPumps {
  std::string system;
  physics::PumpCurve curve;
  double rated_pressure_pa = 0.0;
  double rated_flow_kg_per_s = 0.0;
  double header_pressure_drop_pa = 0.0;  ///< at design flows, to the last user
  std::size_t duty = 1;
  std::vector<std::pair<MotorId, FlowId>> each = {};
};

/// A water system that comes from outside, with a controlled pressure between its supply and its return.
struct ControlledPressure {
  std::string system;
  InputId pressure;
  double rated_pa = 0.0;  ///< at which its users take their design flows
};

/// A part with its equations; `seen`, `done` and `shown` hold codes, or values of what is given.
struct DiagramPart {
  std::string name;  ///< empty: the part is not in results
  std::size_t kind = 0;
  std::any params;
  std::vector<double> seen, done, shown;
};

/// Units of one sort in all racks: codes instead of positions in their stations.
struct DeclaredUnits {
  std::string name;  ///< "gpu"
  std::string kind;  ///< of the catalog of units
  std::any params;
  std::vector<std::string> unit_names;
  std::vector<Station> stations;
  UnitClasses classes = {};
};
struct DeclaredShare {
  FlowId part, whole;  ///< flows that no state moves
  double of_nothing;   ///< where the whole is nothing
};
struct DeclaredSum {
  FlowId flow;
  std::vector<std::pair<std::size_t, double>> terms;  ///< (code, coefficient)
  std::optional<DeclaredShare> share;
};

/// A room: heat of electrical equipment goes to its air, which air handlers take and bring to where they supply.
struct Room {
  std::string name;
  JunctionId air, supply;                    ///< the same where they blow into the bulk of it
  std::vector<JunctionId> coil_waters = {};  ///< come to the coils in it
  std::optional<InputId> set_point = {};
  std::vector<FlowId> handled = {};        ///< air through each of its air handlers
  bool has_adjustable_cooling = false;     ///< these alone cool it, with valves in their water
  std::optional<double> dew_point_k = {};  ///< of humidity control; none: that of the air outside
};

/// Water through each door of a sort.
struct DoorFlow {
  FlowId flow;
  std::string water;  ///< its system
};

/// A row of racks between its two aisles.
struct Row {
  std::string name;      ///< "row_1"
  std::size_t room = 0;  ///< in `Diagram::rooms`
  JunctionId cold_aisle, hot_aisle;
  FlowId air = {}, recirculated = {}, to_room = {};  ///< through its racks; from hot aisle to cold one, to the room
  FlowId supplied = {}, from_room = {};  ///< to the cold aisle from air handlers; from the room or past the racks
  std::vector<InputId> airflows = {};    ///< of its racks
};

/// A technology loop: a system by its name, with what its racks and pumps have in common.
struct CoolantLoop {
  std::string name;
  std::size_t spec = 0;                                               ///< in CoolingSpec::loops
  FlowId first_rack_flow = {};                                        ///< through a clean rack of the first kind
  std::map<std::size_t, FlowId> rack_flow = {};                       ///< [group of racks] through each of them
  std::map<std::pair<std::size_t, double>, FlowId> spread_flow = {};  ///< [group of racks, ratio to that]
  std::map<std::string, FlowId> clogged_rack_flow = {};               ///< [name of a rack] through those that clog
  InputId pump_speed, pressure;
  std::size_t control = 0;  ///< first state of its pressure control
};

/// What a rack of nodes is joined to.
struct RackPlace {
  JunctionId cold_aisle, exhaust;
  JunctionId supply, back;  ///< only where coolant comes to it
  FlowId coolant = {};
  double coolant_j_per_kg_k = 0.0;
};

class Diagram {
 public:
  // ---- what there is: each returns what others name it by
  std::size_t declare_state(const std::string& component, const StateInfo& info, double capacity = 1.0);
  /// The states of a part, one after the other, as its structs hold them.
  template <Part K>
  typename K::State declare_states(const std::string& part, const typename K::State& typical = typical_state<K>());
  std::size_t declare_meter(const std::string& name, std::string_view unit = "J");
  JunctionId declare_junction(const std::string& name, double heat_capacity_j_per_k, double typical_k);
  JunctionId declare_boundary(const std::string& name, InputId temperature_input);
  InputId declare_input(const std::string& name, double value);
  /// An input that events may set: "loop_1.supply_temperature".
  InputId declare_setting(const std::string& component, std::string_view name, std::string_view unit, double value);
  /// The same, as the kind of a part calls it.
  template <Part K>
  InputId declare_setting(const std::string& component, double K::Now::*member, double value) {
    const Setting<K> setting = setting_info<K>(member);
    return declare_setting(component, setting.name, setting.unit, value);
  }
  FlowId declare_flow() { return {flow_count++}; }
  /// Number of what loads are for; with a meter of its energy, when it is new.
  std::size_t use_number(const UseOfPower& use);
  std::size_t declare_load(DeclaredLoad load);
  MotorId declare_motor(const std::string& name, const MotorRequest& request, const StateInfo& speed);
  void declare_system(const FluidSystem& system);
  bool has_system(const std::string& name) const { return systems_.contains(name); }
  bool has_junction(const std::string& name) const { return junction_of_name_.contains(name); }
  // Throw std::out_of_range for a name that is not there.
  JunctionId junction(const std::string& name) const { return {junction_of_name_.at(name)}; }
  const FluidSystem& system(const std::string& name) const { return systems_.at(name); }
  const std::map<std::string, FluidSystem>& systems() const { return systems_; }
  /// In the order in which they were declared.
  const std::vector<std::string>& system_names() const { return system_names_; }
  const MotorGroup& motor_group(const std::string& name) const;
  // ---- how it is joined
  void stream(const std::string& name, JunctionId from, JunctionId to, std::size_t flow,
              double specific_heat_j_per_kg_k);
  /// Two streams.
  void pass(const Passage& way, const std::string& stream_in, const std::string& stream_out);
  template <Part K>
  requires(!HasColumns<K>) void add(const typename K::Params& params, const typename K::Now& seen,
                                    const typename K::Effect& done) {
    const auto from = numbers_in(seen);
    const auto to = numbers_in(done);
    add_part({}, K::kind, params, {from, to, {}});
  }
  /// A part of which something is reported, with what only that reads.
  template <Part K>
  requires HasColumns<K>
  void add(const std::string& name, const typename K::Params& params, const typename K::Now& seen,
           const typename K::Effect& done, const typename ShownOf<K>::type& shown = {}) {
    const auto from = numbers_in(seen);
    const auto to = numbers_in(done);
    const auto reported = numbers_in(shown);
    add_part(name, K::kind, params, {from, to, reported});
  }
  /// A part that is only reported, with the load that its power is.
  template <Part K>
  requires OnlyReported<K>
  void report(const std::string& name, const typename K::Now& seen, const typename K::Params& params = {},
              const typename EffectOf<K>::type& load = {}) {
    const auto from = numbers_in(seen);
    const auto drawn = numbers_in(load);
    add_part(name, K::kind, params, {from, drawn, {}});
  }
  /// What a motor is to people, by its own name.
  void add_named_motor(MotorId motor, std::string kind, std::vector<std::string> hangs_on) {
    const MotorPart& part = motors[motor.number];
    named.push_back({part.name, std::move(kind), std::move(hangs_on), part.load, {motor.number}});
  }
  void drive(FlowId flow, const Drive& by) { drives.emplace_back(flow, by); }
  /// An input that is always zero: flow of what does not flow.
  InputId nothing();
  /// A flow that is a sum of flows and inputs: (code, coefficient); or a share of it.
  void sum(FlowId flow, std::vector<std::pair<std::size_t, double>> terms, std::optional<DeclaredShare> share = {}) {
    sums.push_back({flow, std::move(terms), share});
  }

  Motor order_of(MotorId motor) const {
    return {as_number(code_of(Region::input, motors[motor.number].command_input))};
  }
  Power power_of(MotorId motor) const { return {as_number(code_of(Region::load, motors[motor.number].load))}; }
  double speed_number(MotorId motor) const { return as_number(motors[motor.number].speed_state); }

  std::vector<DeclaredState> states;
  std::vector<Junction> junctions;
  std::vector<Stream> streams;
  std::vector<std::pair<std::string, double>> inputs;  ///< name, value at the start
  std::vector<UseOfPower> uses;
  std::vector<DeclaredLoad> loads;
  std::vector<DiagramPart> parts;
  std::vector<NamedPart> named;
  std::vector<PlannedSequence> sequences;
  std::vector<PlannedEconomiser> economisers;  ///< with codes instead of flows
  std::vector<DeclaredUnits> units;
  std::vector<LoopFlows> loops;  ///< with codes instead of signals
  std::vector<HeaderPumps> header_pumps;
  std::vector<ControlledPressure> controlled_pressures;
  std::vector<NetworkFlows> networks;  ///< others besides those of loops; the same
  std::vector<std::pair<FlowId, Drive>> drives;
  std::vector<DeclaredSum> sums;
  std::size_t flow_count = 0;
  Meters meters;
  electrical::PowerTree power_tree;  ///< of the loads, in their order
  std::vector<BatteryPart> batteries;
  std::vector<StandbyPart> standby;
  std::vector<SiteLoadPart> site_loads;
  SwitchRules switch_rules;
  std::optional<electrical::VoltageModel> voltages;
  std::vector<BlockPart> blocks;
  std::vector<std::string> without_ups;
  std::vector<Guard> guards;
  std::vector<std::size_t> branch_meter;
  std::vector<Room> rooms;                                      ///< those of the hall first, in the order of its spec
  std::vector<std::pair<std::size_t, JunctionId>> loss_bodies;  ///< room, and what a UPS in it warms first
  std::vector<Row> rows;
  std::vector<CoolantLoop> coolant_loops;
  std::vector<RackPlace> rack_places;          ///< [rack of nodes]
  std::map<std::string, DoorFlow> door_flows;  ///< by the name of their sort
  std::vector<MotorPart> motors;
  std::vector<MotorGroup> motor_groups;
  std::vector<SettingPart> settings;
  ItEquipment it;
  std::optional<HallFabric> fabric;
  std::vector<DoorPart> doors;
  OutsideInputs outside;
  std::vector<std::string> waters_from_outside;
  std::vector<std::string> coil_waters;  ///< systems whose water comes to doors and air handlers

 private:
  struct Joined {
    std::span<const double> seen, done, shown;
  };
  void add_part(const std::string& name, std::string_view kind, std::any params, const Joined& joined);
  std::map<std::string, FluidSystem> systems_;
  std::vector<std::string> system_names_;
  std::optional<InputId> nothing_;
  std::unordered_map<std::string, std::size_t> junction_of_name_;
};

template <Part K>
typename K::State Diagram::declare_states(const std::string& part, const typename K::State& typical) {
  const std::size_t first = states.size();
  const auto values = numbers_in(typical);
  for (std::size_t number = 0; number < values.size(); ++number) {
    for (StateOf<K> state : K::states()) {
      state.info.typical = values[number];
      if (state.number == number) declare_state(part, state.info);
    }
  }
  return numbered<typename K::State>(first);
}

}  // namespace wattloop::twin
