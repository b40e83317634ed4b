// Air handlers of the hall and of electrical rooms: from the air of their room to its plenum where it has one, with a coil on
// the chilled water; one controller for each room, which follows its air, leads their fans and the valves of their water.

#include <algorithm>

#include <fmt/format.h>

#include "core/parts/fault_setting.hpp"
#include "physics/air/crah_unit.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/water/fan_control.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

using physics::CrahUnit;
using physics::CrahValve;
using physics::FanControl;

/// An air handler among those of its room.
struct Place {
  const CrahsSpec& spec;
  const FluidSystem& water;
  Room& room;
  double water_k;                  ///< at the start
  FanControl::State control = {};  ///< of the room: one for all, because nothing would share the work among several

  /// In the water of its coil; its curve and gain are those of CDUs unless said.
  physics::CduParams valve() const {
    physics::CduParams valve;
    valve.smallest_flow_fraction = spec.has_water_valve ? spec.smallest_flow_fraction : 1.0;
    return physics::with_usual_authority(valve, water.is_from_pressures);
  }
  physics::CrahSequence sequence() const {
    const physics::CduParams of = valve();
    return physics::crah_sequence({spec.fan_gain_per_k, spec.fan_integral_time_s, spec.lowest_speed_fraction, 1.0},
                                  spec.valve_gain_per_k,
                                  physics::valve_position_fraction(of, of.smallest_flow_fraction));
  }
};

FanControl::State add_control(Diagram& diagram, const Place& place) {
  auto typical = typical_state<FanControl>();
  typical.sensor_k = place.spec.air_k;
  const auto control = diagram.declare_states<FanControl>(place.room.name, typical);
  diagram.add<FanControl>({place.sequence().pi, place.spec.sensor_lag_s},
                          {.measured_k = temperature_number(place.room.air),
                           .set_point_k = number_of(*place.room.set_point),
                           .state = control},
                          {.rate = control});
  return control;
}

/// Its position among the states.
std::size_t add_valve(Diagram& diagram, const std::string& name, const Place& place) {
  const auto valve = diagram.declare_states<CrahValve>(name);
  diagram.add<CrahValve>({place.sequence(), place.spec.valve_lag_s},
                         {.sensor_k = place.control.sensor_k,
                          .integral_fraction = place.control.integral_fraction,
                          .set_point_k = number_of(*place.room.set_point),
                          .state = valve,
                          .stuck_fraction = number_of(
                              diagram.declare_setting<CrahValve>(name, &CrahValve::Now::stuck_fraction, moves_freely))},
                         {.rate = valve});
  return static_cast<std::size_t>(valve.valve_fraction);
}

void add_air_handler(Diagram& diagram, const std::string& name, const Place& place) {
  const CrahsSpec& spec = place.spec;
  const JunctionId from = place.room.air, to = place.room.supply;
  const MotorId motor =
      diagram.declare_motor(name, {.use = diagram.use_number(CrahUnit::use), .restart_delay_s = spec.restart_delay_s},
                            state_info<CrahUnit>(&CrahUnit::State::fan_fraction));
  const std::optional<std::size_t> valve =
      spec.has_water_valve ? std::optional(add_valve(diagram, name, place)) : std::nullopt;
  const JunctionId inside =
      diagram.declare_junction(name + ".water", water_heat_capacity_j_per_k(spec.crah.water_volume_m3), place.water_k);
  const FlowId air = diagram.declare_flow(), water = diagram.declare_flow();
  const InputId filter =
      diagram.declare_setting<CrahUnit>(name, &CrahUnit::Now::filter_fraction, clogged_passage.sound);
  diagram.drive(air, {.design_kg_per_s = spec.crah.air_design_flow_kg_per_s, .design_input = filter, .motor = motor});
  diagram.drive(water, {.design_kg_per_s = spec.crah.water_design_flow_kg_per_s,
                        .design_input = declare_passage(diagram, name + ".water"),
                        .valve_state = valve,
                        .valve = place.valve(),
                        .pumps = place.water.pumps});
  const Passage way{place.water.supply, inside, place.water.back, code_of(water), place.water.specific_heat_j_per_kg_k};
  if (to != from) diagram.stream(name + ".air", from, to, code_of(air), physics::air_specific_heat_j_per_kg_k);
  diagram.pass(way, name + ".supply", name + ".return");
  const RoomHumidity humidity = humidity_in(diagram, place.room.name);
  const CrahUnit::State speed{diagram.speed_number(motor)};
  const double position = valve ? static_cast<double>(*valve) : number_of(diagram.declare_input(name + ".open", 1.0));
  diagram.add<CrahUnit>(name,
                        {spec.crah, place.sequence(), physics::valve_curve(place.valve()), spec.fan_lag_s,
                         physics::air_specific_heat_j_per_kg_k},
                        {.air = body(from),
                         .water = way.inlet<PortMedium::liquid>(),
                         .state = speed,
                         .motor = diagram.order_of(motor),
                         .sensor_k = place.control.sensor_k,
                         .integral_fraction = place.control.integral_fraction,
                         .set_point_k = number_of(*place.room.set_point),
                         .valve_fraction = position,
                         .filter_fraction = number_of(filter),
                         .dew_point_k = number_of(humidity.dew_point),
                         .pressure_pa = number_of(humidity.pressure)},
                        {.rate = speed,
                         .motor = diagram.power_of(motor),
                         .air = heat_into(to),
                         .water = way.heat(),
                         .vapour = humidity.vapour},
                        {.leaving_k = temperature_number(inside), .air_kg_per_s = number_of(air)});
  diagram.motor_groups.push_back({.name = name, .motors = {motor.number}, .duty = 1});
  diagram.add_named_motor(motor, "air handler", {place.room.name, place.water.name});
  place.room.handled.push_back(air);
}

/// Air of a room that they cool may be colder than its air handlers make it.
bool has_rear_doors(const Scenario& scenario, std::size_t room) {
  const auto are_in_it = [&](const auto& hangs_on) {
    return room_number(scenario.cooling, hangs_on.room).value_or(0) == room &&
           find_doors(scenario.cooling, hangs_on.door) != nullptr;
  };
  return std::ranges::any_of(scenario.racks, are_in_it, &RacksSpec::on) ||
         (scenario.network.is_given && are_in_it(scenario.network.on));
}

}  // namespace

void add_air_handlers(Diagram& diagram, const Scenario& scenario) {
  int count = 0;
  for (std::size_t number = 0; number < diagram.rooms.size(); ++number) {
    Room& room = diagram.rooms[number];
    const bool is_of_hall = number < scenario.cooling.rooms.size();
    const CrahsSpec* given = is_of_hall ? crahs_of(scenario.cooling, number) : &scenario.power.rooms.crahs;
    if (given == nullptr || !given->is_given) continue;
    const CrahsSpec& spec = *given;
    const CoilWater coil = *coil_water_of(scenario.cooling, spec);
    const FluidSystem& water = diagram.system(coil.name);
    note_coil(diagram, coil.name, room);
    room.has_adjustable_cooling = spec.has_water_valve && !(is_of_hall && has_rear_doors(scenario, number));
    room.set_point = diagram.declare_setting<CrahUnit>(room.name, &CrahUnit::Now::set_point_k, spec.air_k);
    Place place{spec, water, room, coil.supply_k};
    place.control = add_control(diagram, place);
    for (int c = 0; c < spec.count; ++c) add_air_handler(diagram, fmt::format("crah_{}", ++count), place);
  }
}

}  // namespace wattloop::twin
