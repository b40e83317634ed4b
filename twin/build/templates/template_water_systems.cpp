// The water systems of the hall: facility water between CDUs, condensers and towers; chilled water between chillers, rear
// doors and air handlers. Where a scenario has no towers or no chillers that water comes from outside, at a given temperature.
//
//   supply header -> users -> return header -> towers or chillers -> supply header,   and a bypass between the headers
//
// Users have pumps of their own system, towers and chillers theirs; the bypass takes the difference, either way.

#include <algorithm>

#include <fmt/format.h>

#include "core/text/letter_name.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/header_pump.hpp"
#include "physics/water/system_pump.hpp"
#include "physics/water/tower_cell.hpp"
#include "physics/water/water_system.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

using Names = std::vector<std::string>;

/// Of the return header before the bypass joins it: the pipe at which users' water is measured, [engineering_estimate].
constexpr double before_bypass_ratio = 0.1;

/// Headers with pumps, a source and a bypass between them.
void add_headers(Diagram& diagram, FluidSystem system, const physics::Fluid& fluid, double volume_m3, double supply_k) {
  const double half_j_per_k = 0.5 * volume_m3 * system.heat_capacity_j_per_m3_k;
  system.supply = diagram.declare_junction(system.name + ".supply", half_j_per_k, supply_k);
  system.users_back =
      diagram.declare_junction(system.name + ".users_return", before_bypass_ratio * half_j_per_k, supply_k);
  system.back = diagram.declare_junction(system.name + ".return", (1.0 - before_bypass_ratio) * half_j_per_k, supply_k);
  system.pumps = system.name + ".pumps";
  system.load_flow = diagram.declare_flow();
  system.source_flow = diagram.declare_flow();
  system.bypass_flow = diagram.declare_flow();
  diagram.stream(system.name + ".bypass", system.supply, system.back, code_of(system.bypass_flow),
                 system.specific_heat_j_per_kg_k);
  diagram.report<physics::WaterSystem>(system.name,
                                       {.supply_k = temperature_number(system.supply),
                                        .return_k = temperature_number(system.users_back),
                                        .source_return_k = temperature_number(system.back),
                                        .set_point_k = number_of(system.set_point),
                                        .source_kg_per_s = number_of(system.source_flow),
                                        .bypass_kg_per_s = number_of(system.bypass_flow)},
                                       {.liquid = physics::range_of(fluid)});
  diagram.declare_system(system);
}

/// What flows in a system: water as it is at its reference, another liquid as it is at the set-point.
void fill(FluidSystem& system, const physics::Fluid& fluid, double supply_k) {
  system.specific_heat_j_per_kg_k = water_specific_heat_j_per_kg_k();
  system.heat_capacity_j_per_m3_k = water_heat_capacity_j_per_k(1.0);
  if (fluid.name == "water") return;
  const double density_kg_per_m3 = fluid.density_kg_per_m3(supply_k);
  system.specific_heat_j_per_kg_k = fluid.specific_heat_j_per_kg_k(supply_k);
  system.heat_capacity_j_per_m3_k = density_kg_per_m3 * system.specific_heat_j_per_kg_k;
  system.beside_water = {.film_ratio = physics::film_over_water_ratio(fluid, supply_k),
                         .density_ratio = density_kg_per_m3 / physics::find_fluid("water").density_kg_per_m3(supply_k)};
}

/// Water that comes from outside.
void add_boundary(Diagram& diagram, FluidSystem system, const std::string& users_water) {
  diagram.waters_from_outside.push_back(users_water);
  diagram.named.push_back({system.name, "water system", {"given temperature"}});
  system.supply = system.back = diagram.declare_boundary(system.name, system.set_point);
  diagram.declare_system(system);
}

}  // namespace

namespace {

/// Facility water, or a system by a name of its own.
void add_facility(Diagram& diagram, const FacilitySpec& spec) {
  const bool is_facility = spec.name == "facility";
  const std::string words = is_facility ? "facility water" : "water of " + spec.name;
  FluidSystem water{.name = spec.name, .fluid = words, .fluids = words, .supply = {}, .back = {}};
  const physics::Fluid& fluid = physics::find_fluid(spec.coolant);
  fill(water, fluid, spec.supply_k);
  water.set_point =
      diagram.declare_setting<physics::TowerCell>(water.name, &physics::TowerCell::Now::set_point_k, spec.supply_k);
  water.is_from_pressures = spec.pumps.is_given ? spec.pumps.are_on_curves() : spec.differential_pressure_pa > 0.0;
  if (!spec.pumps.is_given) {
    if (spec.differential_pressure_pa > 0.0) {
      const InputId pressure =
          diagram.declare_setting(water.name, "differential_pressure", "Pa", spec.differential_pressure_pa);
      diagram.controlled_pressures.push_back({water.name, pressure, spec.differential_pressure_pa});
    }
    return add_boundary(diagram, water, words);
  }
  const std::string towers = is_facility ? "towers" : spec.name + ".towers";
  diagram.named.push_back({water.name, "water system", spec.towers.is_given ? Names{towers} : Names{}});
  add_headers(diagram, water, fluid, spec.volume_m3, spec.supply_k);
}

/// Chilled water, or water that comes to doors from outside.
void add_coil_water(Diagram& diagram, const CoolingSpec& cooling, const CoilWater& water) {
  const bool are_named = water.plant == nullptr && water.name != "rear_doors";
  const std::string of_doors = are_named ? "water of " + water.name : "door water";
  const std::string words = water.plant != nullptr ? words_for(*water.plant) : of_doors;
  FluidSystem chilled{.name = water.name, .fluid = words, .fluids = words, .supply = {}, .back = {}};
  const physics::Fluid& fluid = physics::find_fluid("water");
  fill(chilled, fluid, water.supply_k);
  chilled.set_point = diagram.declare_setting<physics::ChillerMachine>(
      water.said_by, &physics::ChillerMachine::Now::set_point_k, water.supply_k);
  diagram.coil_waters.push_back(water.name);
  if (water.plant == nullptr) return add_boundary(diagram, chilled, of_doors);
  chilled.is_from_pressures = water.plant->pumps.are_on_curves();
  diagram.named.push_back(
      {water.name, "water system", water.plant->chillers.is_given ? Names{chillers_of(water.name)} : Names{}});
  for (const DoorsSpec& doors : cooling.doors) {
    if (coil_water_of(cooling, doors)->name == water.name)
      diagram.named.push_back({doors.name, "rear doors", {water.name}});
  }
  add_headers(diagram, chilled, fluid, water.plant->volume_m3, water.supply_k);
}

}  // namespace

void add_water_systems(Diagram& diagram, const CoolingSpec& cooling) {
  for (const FacilitySpec& water : cooling.water) add_facility(diagram, water);
  for (const CoilWater& water : coil_waters(cooling)) add_coil_water(diagram, cooling, water);
}

void note_coil(const Diagram& diagram, const std::string& water, Room& room) {
  const JunctionId supply = diagram.system(water).supply;
  if (std::ranges::find(room.coil_waters, supply) == room.coil_waters.end()) room.coil_waters.push_back(supply);
}

const FluidSystem& water_named(const Diagram& diagram, const CoolingSpec& cooling, const std::string& name) {
  return diagram.system(find_water(cooling, name)->name);
}

namespace {

/// A pump that takes its share of what the pumps of a balanced system move.
void add_balanced(Diagram& diagram, const std::string& name, MotorId motor, const FluidSystem& water,
                  const WaterPumpsSpec& pumps) {
  using physics::SystemPump;
  const SystemPump::State speed{diagram.speed_number(motor)};
  diagram.add<SystemPump>(name, {pumps.pump, static_cast<double>(pumps.duty)},
                          {.state = speed, .motor = diagram.order_of(motor), .system = {number_of(water.load_flow)}},
                          {.rate = speed,
                           .motor = diagram.power_of(motor),
                           .system = heat_into(water.supply),
                           .surroundings = {as_number(diagram.meters.outdoors)}});
}

/// A pump on its curve. Returns the flow through it.
FlowId add_on_curve(Diagram& diagram, const std::string& name, MotorId motor, const FluidSystem& water,
                    const physics::HeaderPump::Params& params) {
  using physics::HeaderPump;
  const HeaderPump::State speed{diagram.speed_number(motor)};
  const FlowId flow = diagram.declare_flow();
  diagram.add<HeaderPump>(name, params, {.state = speed, .motor = diagram.order_of(motor), .water = {number_of(flow)}},
                          {.rate = speed,
                           .motor = diagram.power_of(motor),
                           .water = heat_into(water.supply),
                           .surroundings = {as_number(diagram.meters.outdoors)}});
  return flow;
}

}  // namespace

void add_system_pumps(Diagram& diagram, const FluidSystem& water, const WaterPumpsSpec& given, const UseOfPower& use) {
  WaterPumpsSpec pumps = given;
  pumps.pump.density_kg_per_m3 *= water.beside_water.density_ratio;
  MotorGroup group{.name = water.pumps, .motors = {}, .duty = static_cast<std::size_t>(pumps.duty)};
  const physics::HeaderPump::Params on_curve{{pumps.pump, pumps.curve}, pumps.hold_pressure()};
  HeaderPumps header{.system = water.name,
                     .curve = physics::curve_of(on_curve),
                     .rated_pressure_pa = pumps.pump.pressure_pa,
                     .rated_flow_kg_per_s = pumps.pump.rated_flow_kg_per_s,
                     .header_pressure_drop_pa = pumps.header_pressure_drop_pa,
                     .duty = group.duty};
  for (int p = 0; p < pumps.count; ++p) {
    const std::string name = fmt::format("{}.pump_{}", water.name, letter_name(static_cast<std::size_t>(p)));
    const MotorId motor =
        diagram.declare_motor(name, {.use = diagram.use_number(use)},
                              state_info<physics::SystemPump>(&physics::SystemPump::State::speed_fraction));
    group.motors.push_back(motor.number);
    diagram.add_named_motor(motor, "pump", {water.name});
    if (pumps.are_on_curves()) {
      header.each.emplace_back(motor, add_on_curve(diagram, name, motor, water, on_curve));
    } else {
      add_balanced(diagram, name, motor, water, pumps);
    }
  }
  if (pumps.are_on_curves()) diagram.header_pumps.push_back(std::move(header));
  diagram.motor_groups.push_back(std::move(group));
}

}  // namespace wattloop::twin
