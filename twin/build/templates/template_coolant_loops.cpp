// Technology loops: two headers between racks and CDUs, the pressure that their pumps hold, and the CDUs themselves: pumps with
// check valves in parallel, an exchanger, and a valve for the facility water.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/text/letter_name.hpp"
#include "physics/fluids/flow_branch.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/water/cdu_exchanger.hpp"
#include "physics/water/cdu_valve.hpp"
#include "physics/water/coolant_pump.hpp"
#include "physics/water/loop_pressure.hpp"
#include "twin/build/templates/templates.hpp"

namespace wattloop::twin {

namespace {

using physics::CduExchanger;
using physics::CduParams;
using physics::CduValve;
using physics::CoolantPump;
using physics::LoopPressure;

const physics::Fluid& coolant_of(const LoopsSpec& spec) { return physics::find_fluid(spec.coolant); }

double coolant_heat_capacity_j_per_k(const LoopsSpec& spec, double volume_m3) {
  const physics::Fluid& coolant = coolant_of(spec);
  return volume_m3 * (coolant.density_kg_per_m3(spec.supply_k) * coolant.specific_heat_j_per_kg_k(spec.supply_k));
}

double rack_resistance(const RacksSpec& racks, double exponent) {
  return physics::resistance_of_exponent(racks.hardware.coolant_pressure_drop_pa,
                                         racks.hardware.coolant_design_flow_kg_per_s * racks.nodes, exponent);
}

/// The racks of a loop, kind by kind: those of a group are in parallel, each with its share of the mean flow.
struct RacksOfLoop {
  struct Kind {
    std::size_t group = 0;
    double count = 0.0;                     ///< so many racks of the mean flow
    double resistance_pa_s2_per_kg2 = 0.0;  ///< of one
  };
  double exponent = 2.0;
  std::vector<Kind> kinds;
  struct Clogged {
    std::string name;
    double resistance_pa_s2_per_kg2 = 0.0;  ///< while clean
  };
  std::vector<Clogged> clogged = {};  ///< not among the others

  double first_resistance() const { return kinds.empty() ? 0.0 : kinds.front().resistance_pa_s2_per_kg2; }
  /// So many racks of the first kind would take what all take: the flow of each goes by the root of its resistance.
  double count_of_first() const {
    double count = 0.0;
    for (const Kind& kind : kinds) {
      const double ratio = first_resistance() / kind.resistance_pa_s2_per_kg2;
      count += kind.count * (exponent == 2.0 ? std::sqrt(ratio) : std::pow(ratio, 1.0 / exponent));
    }
    return count;
  }
};

RacksOfLoop racks_of_loop(const Scenario& scenario, const RackPlan& plan, std::size_t loop) {
  RacksOfLoop racks{.exponent = scenario.cooling.loops[plan.loops[loop].spec].rack_pressure_exponent, .kinds = {}};
  for (const PlannedRack& rack : plan.racks) {
    if (rack.loop != loop) continue;
    const double resistance = rack_resistance(scenario.racks[rack.group], racks.exponent);
    if (racks.kinds.empty() || racks.kinds.back().group != rack.group)
      racks.kinds.push_back({rack.group, 0.0, resistance});
    if (rack.is_clogged) {
      racks.clogged.push_back({rack.name, resistance * std::pow(rack.flow_ratio, -racks.exponent)});
    } else {
      racks.kinds.back().count += rack.flow_ratio;
    }
  }
  return racks;
}

/// Where all racks of the first kind clog: the line of the pressure sensor between the headers, as a share of one. What it
/// carries is near round-off; the controller reads from it what a clean rack would carry.
constexpr double sensor_line_racks = 1e-9;

/// What flows through racks of each kind.
void add_rack_flows(Diagram& diagram, const RacksOfLoop& racks, LoopFlows& flows, CoolantLoop& loop) {
  for (const RacksOfLoop::Kind& kind : racks.kinds) {
    const bool is_first = loop.rack_flow.empty();
    const FlowId flow = is_first ? loop.first_rack_flow : diagram.declare_flow();
    loop.rack_flow[kind.group] = flow;
    flows.racks.push_back({.count = is_first ? std::max(kind.count, sensor_line_racks) : kind.count,
                           .resistance_pa_s2_per_kg2 = kind.resistance_pa_s2_per_kg2,
                           .flow_signal = code_of(flow)});
  }
}

/// What flows through racks that clog, each by itself, and its sum.
FlowId add_clogged_racks(Diagram& diagram, const RacksOfLoop& racks, LoopFlows& flows, CoolantLoop& loop) {
  std::vector<std::pair<std::size_t, double>> terms;
  for (const RacksOfLoop::Clogged& rack : racks.clogged) {
    const FlowId flow = diagram.declare_flow();
    flows.racks.push_back({.count = 1.0,
                           .resistance_pa_s2_per_kg2 = rack.resistance_pa_s2_per_kg2,
                           .flow_signal = code_of(flow),
                           .passage_signal = code_of(declare_passage(diagram, coolant_passage(rack.name)))});
    loop.clogged_rack_flow[rack.name] = flow;
    terms.emplace_back(code_of(flow), 1.0);
  }
  const FlowId sum = diagram.declare_flow();
  diagram.sum(sum, std::move(terms));
  return sum;
}

/// A loop without racks and CDUs.
LoopFlows pumps_of_loop(const LoopsSpec& spec, double rack_exponent) {
  LoopFlows flows{.racks = {},
                  .rack_exponent = rack_exponent,
                  .cdu_exponent = spec.cdu.internal_pressure_exponent,
                  .pump = physics::pump_curve(spec.pump, coolant_of(spec).density_kg_per_m3(spec.supply_k)),
                  .cdus = {}};
  flows.cdu_resistance_pa_s2_per_kg2 = physics::resistance_of_exponent(
      spec.cdu.internal_pressure_drop_pa, spec.cdu.technology_design_flow_kg_per_s, flows.cdu_exponent);
  return flows;
}

void add_loop(Diagram& diagram, const std::string& name, const LoopsSpec& spec, const std::string& water,
              const RacksOfLoop& racks) {
  const double header_j_per_k = coolant_heat_capacity_j_per_k(spec, 0.5 * spec.volume_m3);
  FluidSystem system{
      .name = name, .fluid = "coolant of " + name, .fluids = "coolant of loops", .supply = {}, .back = {}};
  system.supply = diagram.declare_junction(name + ".supply", header_j_per_k, spec.supply_k);
  system.back = diagram.declare_junction(name + ".return", header_j_per_k, spec.supply_k);
  system.specific_heat_j_per_kg_k = coolant_of(spec).specific_heat_j_per_kg_k(spec.supply_k);
  system.heat_capacity_j_per_m3_k = coolant_heat_capacity_j_per_k(spec, 1.0);
  system.set_point = diagram.declare_setting<CduValve>(name, &CduValve::Now::set_point_k, spec.supply_k);
  const InputId speed =
      diagram.declare_setting<LoopPressure>(name, &LoopPressure::Now::highest_speed_fraction, spec.pump_speed_fraction);
  const InputId pressure =
      diagram.declare_setting<LoopPressure>(name, &LoopPressure::Now::set_point_pa, spec.differential_pressure_pa);
  auto typical = typical_state<LoopPressure>();
  typical.sensor_pa = spec.differential_pressure_pa;
  const auto control = diagram.declare_states<LoopPressure>(name, typical);
  CoolantLoop loop{.name = name,
                   .first_rack_flow = diagram.declare_flow(),
                   .pump_speed = speed,
                   .pressure = pressure,
                   .control = static_cast<std::size_t>(control.sensor_pa)};
  LoopFlows flows = pumps_of_loop(spec, racks.exponent);
  add_rack_flows(diagram, racks, flows, loop);
  const bool has_clogged = !racks.clogged.empty();
  const FlowId clogged = has_clogged ? add_clogged_racks(diagram, racks, flows, loop) : loop.first_rack_flow;
  diagram.add<LoopPressure>(name,
                            {.control = spec.pressure_control,
                             .rack_resistance_pa_s2_per_kg2 = racks.first_resistance(),
                             .rack_exponent = racks.exponent,
                             .racks = racks.count_of_first(),
                             .specific_heat_j_per_kg_k = system.specific_heat_j_per_kg_k,
                             .rated_heat_w = spec.cdus * spec.cdu.rated_heat_w,
                             .liquid = physics::range_of(coolant_of(spec)),
                             .has_others = has_clogged},
                            {.rack_kg_per_s = number_of(loop.first_rack_flow),
                             .set_point_pa = number_of(pressure),
                             .highest_speed_fraction = number_of(speed),
                             .state = control},
                            {.rate = control},
                            {.supply_k = temperature_number(system.supply),
                             .return_k = temperature_number(system.back),
                             .supply_set_point_k = number_of(system.set_point),
                             .others_kg_per_s = number_of(clogged)});
  diagram.loops.push_back(std::move(flows));
  diagram.declare_system(system);
  diagram.coolant_loops.push_back(std::move(loop));
  diagram.named.push_back({name, "coolant loop", {water}});
}

/// Where the pumps of a CDU stand.
struct PumpPlace {
  std::string cdu, water;
  std::size_t loop_number;
  JunctionId outlet;
  FlowId flow;
  std::size_t room;
};

/// A pump of a CDU; heat of its motor goes to the room.
MotorId add_pump(Diagram& diagram, const std::string& name, const LoopsSpec& spec, const PumpPlace& place,
                 FlowId flow) {
  const CoolantLoop& loop = diagram.coolant_loops[place.loop_number];
  const MotorId motor = diagram.declare_motor(name, {.use = diagram.use_number(CoolantPump::use), .is_on_ups = true},
                                              state_info<CoolantPump>(&CoolantPump::State::speed_fraction));
  const CoolantPump::State speed{diagram.speed_number(motor)};
  const auto control = numbered<LoopPressure::State>(loop.control);
  const double density_kg_per_m3 = coolant_of(spec).density_kg_per_m3(spec.supply_k);
  diagram.add<CoolantPump>(name, {spec.pump, spec.pressure_control, density_kg_per_m3},
                           {.state = speed,
                            .motor = diagram.order_of(motor),
                            .coolant = {number_of(flow)},
                            .set_point_pa = number_of(loop.pressure),
                            .sensor_pa = control.sensor_pa,
                            .integral_fraction = control.integral_fraction},
                           {.rate = speed,
                            .motor = diagram.power_of(motor),
                            .coolant = heat_into(place.outlet),
                            .room = heat_into(diagram.rooms[place.room].air)});
  return motor;
}

CduValve::State add_valve(Diagram& diagram, const std::string& name, const CduParams& cdu, JunctionId outlet,
                          InputId set_point) {
  const auto valve = diagram.declare_states<CduValve>(name);
  diagram.add<CduValve>(cdu,
                        {.supply_k = temperature_number(outlet),
                         .set_point_k = number_of(set_point),
                         .state = valve,
                         .stuck_fraction = number_of(
                             diagram.declare_setting<CduValve>(name, &CduValve::Now::stuck_fraction, moves_freely))},
                        {.rate = valve});
  return valve;
}

void add_pumps(Diagram& diagram, const LoopsSpec& spec, const PumpPlace& place) {
  const CoolantLoop& loop = diagram.coolant_loops[place.loop_number];
  CduFlows flows{.pump_speed_states = {},
                 .pump_flow_signals = {},
                 .flow_signal = code_of(place.flow),
                 .passage_signal = code_of(declare_passage(diagram, place.cdu + ".technology"))};
  MotorGroup group{.name = place.cdu, .motors = {}, .duty = 0, .speed_input = loop.pump_speed.number};
  const int count = spec.pumps_per_cdu == required_count ? spec.cdu.pump_count : spec.pumps_per_cdu;
  for (int p = 0; p < count; ++p) {
    const std::string name = fmt::format("{}.pump_{}", place.cdu, letter_name(static_cast<std::size_t>(p)));
    const FlowId flow = diagram.declare_flow();
    const MotorId motor = add_pump(diagram, name, spec, place, flow);
    flows.pump_speed_states.push_back(diagram.motors[motor.number].speed_state);
    flows.pump_flow_signals.push_back(code_of(flow));
    group.motors.push_back(motor.number);
  }
  group.duty = group.motors.size() > 1 ? group.motors.size() - 1 : group.motors.size();
  diagram.named.push_back({place.cdu, "CDU", {loop.name, place.water}, no_part, group.motors});
  for (const std::size_t motor : group.motors) diagram.add_named_motor({motor}, "pump", {place.cdu});
  diagram.motor_groups.push_back(std::move(group));
  diagram.loops[place.loop_number].cdus.push_back(std::move(flows));
}

/// Where a CDU stands.
struct CduPlace {
  std::size_t loop, room;
};

void add_cdu(Diagram& diagram, const std::string& name, const CoolingSpec& cooling, const LoopsSpec& spec,
             const CduPlace& place) {
  const FluidSystem& loop = diagram.system(diagram.coolant_loops[place.loop].name);
  const FluidSystem& facility = water_named(diagram, cooling, spec.on);
  const JunctionId outlet = diagram.declare_junction(
      name + ".outlet", coolant_heat_capacity_j_per_k(spec, spec.cdu.technology_volume_m3), spec.supply_k);
  const JunctionId inside =
      diagram.declare_junction(name + ".facility", spec.cdu.facility_volume_m3 * facility.heat_capacity_j_per_m3_k,
                               find_water(cooling, spec.on)->supply_k);
  const FlowId flow = diagram.declare_flow(), facility_flow = diagram.declare_flow();
  const Passage technology{loop.back, outlet, loop.supply, code_of(flow), loop.specific_heat_j_per_kg_k};
  const Passage water{facility.supply, inside, facility.back, code_of(facility_flow),
                      facility.specific_heat_j_per_kg_k};
  diagram.pass(technology, name + ".suction", name + ".discharge");
  diagram.pass(water, name + ".facility_supply", name + ".facility_return");
  const CduParams cdu = physics::with_usual_authority(spec.cdu, facility.is_from_pressures);
  const CduValve::State valve = add_valve(diagram, name, cdu, outlet, loop.set_point);
  diagram.add<CduExchanger>(
      name,
      facility.beside_water.film_ratio == 1.0 ? spec.cdu
                                              : physics::with_facility_film(spec.cdu, facility.beside_water.film_ratio),
      {.technology = technology.inlet<PortMedium::liquid>(), .facility = water.inlet<PortMedium::liquid>()},
      {.technology = technology.heat(), .facility = water.heat()},
      {.technology_leaving_k = temperature_number(outlet),
       .facility_leaving_k = temperature_number(inside),
       .valve_fraction = valve.valve_fraction,
       .set_point_k = number_of(loop.set_point)});
  const auto position = static_cast<std::size_t>(valve.valve_fraction);
  diagram.drive(facility_flow, {.design_kg_per_s = spec.cdu.facility_design_flow_kg_per_s,
                                .design_input = declare_passage(diagram, name + ".facility"),
                                .valve_state = position,
                                .valve = cdu,
                                .pumps = facility.pumps});
  add_pumps(diagram, spec, {name, facility.name, place.loop, outlet, flow, place.room});
}

}  // namespace

void add_coolant_loops(Diagram& diagram, const Scenario& scenario, const RackPlan& plan) {
  for (std::size_t l = 0; l < plan.loops.size(); ++l) {
    const LoopsSpec& spec = scenario.cooling.loops[plan.loops[l].spec];
    const std::string water = find_water(scenario.cooling, spec.on)->name;
    add_loop(diagram, plan.loops[l].name, spec, water, racks_of_loop(scenario, plan, l));
    diagram.coolant_loops.back().spec = plan.loops[l].spec;
  }
}

void add_cdus(Diagram& diagram, const CoolingSpec& cooling, const RackPlan& plan) {
  int count = 0;
  for (std::size_t l = 0; l < plan.loops.size(); ++l) {
    const LoopsSpec& spec = cooling.loops[plan.loops[l].spec];
    const std::vector<std::size_t> rows = plan.rows_of(l);
    for (std::size_t c = 0; c < static_cast<std::size_t>(spec.cdus); ++c) {
      const std::size_t room = plan.rows[rows[c % rows.size()]].room;
      add_cdu(diagram, fmt::format("cdu_{}", ++count), cooling, spec, {l, room});
    }
  }
}

}  // namespace wattloop::twin
