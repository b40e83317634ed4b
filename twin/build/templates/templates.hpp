// Templates: what the sections of a scenario mean, in junctions, systems and parts. Each adds what one section says; those of
// systems go first, since others hang on them by name.
#pragma once

#include "electrical/one_line.hpp"
#include "twin/build/assembly/diagram.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Meters of energy (twin/build/templates/template_site.cpp).
void add_site(Diagram& diagram);

/// Systems "facility" and others by name, and "chilled_water" or those of other names, or "rear_doors" where their water comes from
/// outside (twin/build/templates/template_water_systems.cpp).
void add_water_systems(Diagram& diagram, const CoolingSpec& cooling);

/// Rooms and the aisles of rows; `join_rows` when all racks stand in them (twin/build/templates/template_rooms.cpp).
void add_rooms(Diagram& diagram, const Scenario& scenario, const RackPlan& plan);
void join_rows(Diagram& diagram, const CoolingSpec& cooling);

/// Systems "loop_1", ... with the control of their pressure, and their CDUs (twin/build/templates/template_coolant_loops.cpp).
void add_coolant_loops(Diagram& diagram, const Scenario& scenario, const RackPlan& plan);
void add_cdus(Diagram& diagram, const CoolingSpec& cooling, const RackPlan& plan);

/// Racks of nodes, and of switches, with their doors (twin/build/templates/template_racks.cpp).
void add_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan);
void add_network_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan);

/// Racks of the storage that jobs share (twin/build/templates/template_storage.cpp).
void add_storage_racks(Diagram& diagram, const Scenario& scenario, const RackPlan& plan);

/// Units in the racks of nodes (twin/build/templates/template_units.cpp).
void add_units(Diagram& diagram, const Scenario& scenario);

/// Pumps and towers of the facility water (twin/build/templates/template_towers.cpp), pumps and chillers of the chilled water
/// (twin/build/templates/template_chillers.cpp); those that parts replace are left out.
void add_towers(Diagram& diagram, const Scenario& scenario);
void add_chillers(Diagram& diagram, const Scenario& scenario);

/// Air handlers of all rooms (twin/build/templates/template_air_handlers.cpp).
void add_air_handlers(Diagram& diagram, const Scenario& scenario);

/// Parts that the scenario names itself, joined by the names of what is there; what does not fit is added to `problems`
/// (twin/build/templates/template_parts.cpp).
void add_parts(Diagram& diagram, const Scenario& scenario, Problems& problems);

/// Control sequences, on settings that are there (twin/build/templates/template_sequences.cpp).
void add_sequences(Diagram& diagram, const Scenario& scenario, Problems& problems);

/// One of modes, on parts that are there (twin/build/templates/template_economisers.cpp).
void add_economiser(Diagram& diagram, const Scenario& scenario, const SequenceSpec& spec, Problems& problems);

/// The one-line diagram of all loads declared so far, and what is made of it (twin/build/templates/template_power.cpp).
electrical::OneLineDiagram one_line_of(const Diagram& diagram, const PowerSpec& power);
/// Electronics and batteries of all UPS, in the air of their rooms.
void declare_ups_heat(Diagram& diagram, const Scenario& scenario);
void add_power(Diagram& diagram, const Scenario& scenario, Problems& problems);

/// Motors hang on the blocks that `power.cords` names, and nowhere else; names that do not exist, and more than two blocks, are added to
/// `problems` (twin/build/templates/template_motor_cords.cpp).
void lay_motors(Diagram& diagram, const PowerSpec& power, Problems& problems);

// ---- what several of them need

/// Heat capacity of water in a system of that volume, J/K; the density is that at 20 degC.
double water_heat_capacity_j_per_k(double volume_m3);
double water_specific_heat_j_per_kg_k();
double air_heat_capacity_j_per_k(double volume_m3);

/// Notes that coils in a room have that water: whether they drip is reported (twin/actions/weather/condensation.hpp).
void note_coil(const Diagram& diagram, const std::string& water, Room& room);

/// Inputs of the weather that rooms have (twin/actions/weather/outdoors.hpp names them), before any other.
void declare_room_weather(Diagram& diagram);
/// Inputs of the weather and the meter of what the sky takes; once, whoever asks first.
void declare_weather(Diagram& diagram, double typical_k);
/// The air outside, where weather has been declared.
WetAir outside_air(const Diagram& diagram);
/// Humidity of the air of rooms: the dew point that its control holds or, without, that of the air outside; one pressure for all.
/// What condenses on coils in a room comes from outside with make-up air, which keeps its humidity: its heat is counted by a meter of
/// what leaves, from which it is taken (twin/build/templates/template_rooms.cpp).
struct RoomHumidity {
  InputId dew_point, pressure;
  Heat vapour;
};
RoomHumidity humidity_in(const Diagram& diagram, const std::string& room);
/// Meter of make-up water; once, whoever asks first.
std::size_t make_up_meter(Diagram& diagram);
/// What is left of a passage, 1 where it is clean; `clog` names the passage (core/parts/fault_setting.hpp).
InputId declare_passage(Diagram& diagram, const std::string& name);

/// What pumps of water systems are for.
inline constexpr UseOfPower facility_pumps_use{"facility_pump", "facility-water pumps", "facility pumps"};
inline constexpr UseOfPower chilled_water_pumps_use{"chilled_water_pump", "chilled-water pumps", "chilled pumps"};

/// The system of the water that those which name it hang on; empty: the only one.
const FluidSystem& water_named(const Diagram& diagram, const CoolingSpec& cooling, const std::string& name);

/// Pumps "facility.pump_a", ... of a water system, as the group that it names.
void add_system_pumps(Diagram& diagram, const FluidSystem& water, const WaterPumpsSpec& pumps, const UseOfPower& use);

}  // namespace wattloop::twin
