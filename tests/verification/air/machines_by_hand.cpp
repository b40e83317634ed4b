#include "tests/verification/air/machines_by_hand.hpp"
#include "tests/support/by_hand/fan_by_hand.hpp"

#include <algorithm>
#include <any>
#include <cmath>

#include <fmt/format.h>

#include "physics/fluids/fluid.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/units/node_rest.hpp"
#include "tests/support/by_hand/chiller_by_hand.hpp"
#include "tests/support/by_hand/power_by_hand.hpp"
#include "tests/support/by_hand/pump_by_hand.hpp"
#include "tests/verification/water/exchange_by_hand.hpp"

namespace wattloop::tests {

namespace {

constexpr double water_kg_per_m3 = 998.0;

double plate_w(double ua, double kg_per_s, double specific_heat, double rise_k) {
  const double rate = kg_per_s * specific_heat;
  return rate * (1.0 - std::exp(-ua / rate)) * rise_k;
}

/// Water per kg of dry air in saturated air of that enthalpy, by bisection.
double saturated_ratio(double enthalpy_j_per_kg, double pressure_pa) {
  double low_c = -20.0, high_c = 70.0, ratio = 0.0;
  for (int step = 0; step < 80; ++step) {
    const double t = 0.5 * (low_c + high_c);
    const double vapour_pa = 611.2 * std::exp(17.62 * t / (243.12 + t));
    ratio = 0.622 * vapour_pa / (pressure_pa - vapour_pa);
    const bool is_too_warm = 1.006e3 * t + ratio * (2.501e6 + 1.86e3 * t) > enthalpy_j_per_kg;
    (is_too_warm ? high_c : low_c) = t;
  }
  return ratio;
}

double clamp01(double value) { return std::clamp(value, 0.0, 1.0); }

template <class Params>
const Params& params_of(const twin::Scenario& scenario) {
  for (const twin::NodeUnits& units : scenario.racks.front().hardware.units) {
    if (const auto* params = std::any_cast<Params>(&units.spec.params)) return *params;
  }
  throw std::logic_error("no such unit in the node");
}

}  // namespace

/// A pump on a balanced system: pressure with the square of its speed. Returns what it draws.
double MachinesByHand::water_pump(const std::string& motor, const physics::WaterPumpParams& pump, double kg_per_s,
                                  const std::string& node) {
  if (command(motor) <= 0.0) return 0.0;
  const double hydraulic_w = pump.pressure_pa * std::pow(speed(motor), 2) * kg_per_s / water_kg_per_m3;
  const double electric_w = hydraulic_w / pump.efficiency_fraction;
  given.heat_w[node] += hydraulic_w;
  return electric_w;
}

/// Cold plates of 64 GPUs, and the liquid and the air part of eight rests.
void MachinesByHand::racks(const std::string& rack) {
  const auto& gpu = params_of<physics::ColdPlate::Params>(scenario_);
  const auto& rest = params_of<physics::NodeRest::Params>(scenario_);
  const double coolant_kg_per_s = now_.kg_per_s(rack + ".cold_plates") / 8.0;  // of a node
  const double air_kg_per_s = now_.kg_per_s(rack + ".intake") / 8.0;
  const double supply_k = now_.k(rack + ".supply");
  const double inlet_k = now_.k((rack.substr(0, rack.find('.'))) + ".cold_aisle");
  const double gpu_kg_per_s = 0.75 * coolant_kg_per_s / 8.0, rest_kg_per_s = 0.25 * coolant_kg_per_s;
  const double gpu_ua = gpu.design_conductance_w_per_k * std::pow(gpu_kg_per_s / gpu.design_flow_kg_per_s, 0.6);
  const double liquid_ua =
      rest.liquid_conductance_w_per_k * std::pow(rest_kg_per_s / rest.liquid_design_flow_kg_per_s, 0.6);
  const double air_ua = rest.air_conductance_w_per_k * std::pow(air_kg_per_s / rest.air_design_flow_kg_per_s, 0.5);
  double& load_w = given.load_w[rack];
  for (int n = 1; n <= 8; ++n) {
    const std::string node = fmt::format("{}.node_{}", rack, n);
    for (int g = 1; g <= 8; ++g) {
      const std::string name = fmt::format("{}.gpu_{}", node, g);
      const double asked_w = now_.input(name + ".load");
      if (asked_w > 0.0)
        load_w += asked_w + gpu.leakage_w_per_k * (now_.state_of(name + ".die_temperature") - gpu.leakage_reference_k);
      given.heat_w[rack + ".return"] +=
          plate_w(gpu_ua, gpu_kg_per_s, coolant_, now_.state_of(name + ".plate_temperature") - supply_k);
    }
    load_w += now_.input(node + ".rest_1.load");
    given.heat_w[rack + ".return"] +=
        plate_w(liquid_ua, rest_kg_per_s, coolant_, now_.state_of(node + ".rest_1.liquid_part_temperature") - supply_k);
    given.heat_w[rack + ".exhaust"] +=
        plate_w(air_ua, air_kg_per_s, air_, now_.state_of(node + ".rest_1.air_part_temperature") - inlet_k);
  }
}

/// The coil of a rear door and its fans, behind it.
void MachinesByHand::door(const std::string& rack) {
  const physics::RearDoorParams& sheet = scenario_.cooling.doors.front().door;
  const std::string row = rack.starts_with("network") ? "network_row" : rack.substr(0, rack.find('.'));
  const double air_kg_per_s = now_.kg_per_s(rack + ".door_air");
  const double water_kg_per_s = now_.kg_per_s(rack + ".door_supply");
  const double ua = two_films(sheet.design_conductance_w_per_k, 0.8, air_kg_per_s / sheet.air_design_flow_kg_per_s, 0.5,
                              water_kg_per_s / sheet.water_design_flow_kg_per_s, 0.8);
  const double heat_w = crossflow(air_kg_per_s * air_, water_kg_per_s * water_, ua) *
                        (now_.k(rack + ".exhaust") - now_.k("chilled_water.supply"));
  const double fans_w = now_.input(rack + ".door_fans.command") * sheet.fan_power_w *
                        std::pow(clamp01(air_kg_per_s / sheet.air_design_flow_kg_per_s), sheet.fan_exponent);
  given.heat_w[rack + ".door"] += heat_w;
  given.heat_w[row + ".hot_aisle"] += fans_w - heat_w;
  given.load_w[rack + ".door_fans"] = fans_w;
}

/// The exchanger of a CDU and its two pumps, of which one runs and drives all of its flow.
void MachinesByHand::cdu(const std::string& cdu, const std::string& loop) {
  const physics::CduParams& sheet = scenario_.cooling.loops.front().cdu;
  const physics::PumpParams& pump = scenario_.cooling.loops.front().pump;
  const double flow = now_.kg_per_s(cdu + ".suction"), facility = now_.kg_per_s(cdu + ".facility_supply");
  const double ua = two_films(sheet.design_conductance_w_per_k, 0.5, flow / sheet.technology_design_flow_kg_per_s, 0.8,
                              facility / sheet.facility_design_flow_kg_per_s, 0.8);
  const double heat_w =
      counterflow(flow * coolant_, facility * water_, ua) * (now_.k(loop + ".return") - now_.k("facility.supply"));
  given.heat_w[cdu + ".facility"] += heat_w;
  given.heat_w[cdu + ".outlet"] -= heat_w;
  for (const std::string& motor : {cdu + ".pump_a", cdu + ".pump_b"}) {
    given.load_w[motor] = 0.0;
    if (command(motor) <= 0.0) continue;
    const double density = physics::find_fluid("pg25").density_kg_per_m3(scenario_.cooling.loops.front().supply_k);
    const double n = speed(motor), m3_per_s = flow / density;
    const double pressure_pa = n * n * pump.shutoff_pressure_pa + pump.quadratic_pa_s2_per_m6 * m3_per_s * m3_per_s;
    const double electric_w = pump.idle_power_w * n * n * n + pressure_pa * m3_per_s / pump.efficiency_fraction;
    given.load_w[motor] = electric_w;
    given.heat_w[cdu + ".outlet"] += pressure_pa * m3_per_s;
    given.heat_w["room_1"] += electric_w - pressure_pa * m3_per_s;
  }
}

/// A cell, whose fan and pump are one load.
void MachinesByHand::tower(const std::string& tower) {
  const twin::TowersSpec& spec = scenario_.cooling.water.front().towers;
  const double flow = now_.kg_per_s(tower + ".return"), fan = now_.state_of(tower + ".fan_speed");
  const double draught = spec.tower.natural_draught_ratio, thin = thin_air_by_hand(now_.input("weather.pressure"));
  const double air = thin * (fan >= 2.0 * draught ? fan : draught + fan * fan / (4.0 * draught));
  const double l = spec.tower.liquid_to_air_ratio * flow / spec.tower.water_design_flow_kg_per_s / air;
  const double wet_k = now_.input("weather.wet_bulb"), driving_k = now_.k("facility.return") - wet_k;
  double heat_w = 0.0;
  if (flow > 0.0) heat_w = flow * water_ * york_range_k(1.0, driving_k, wet_k - 273.15, l);
  const double pump_w = water_pump(tower, spec.pump, flow, tower + ".basin");
  const double fan_w =
      command(tower) > 0.0 ? spec.tower.fan_power_w * driven_fan_by_hand(fan, spec.tower.fan_exponent, thin) : 0.0;
  given.heat_w[tower + ".basin"] -= heat_w;
  given.load_w[tower] = pump_w + fan_w;
  given.sky_w[tower] = heat_w + fan_w + (1.0 - spec.pump.efficiency_fraction) * pump_w;
  const double
      wetted_kg_per_s =  // by York's reference: 1.2 kg of water a kg of dry air at L = 1, and no air beyond L = 0.75
      std::min(spec.tower.water_design_flow_kg_per_s / (1.2 * spec.tower.liquid_to_air_ratio) * air,
               flow / (0.75 * 1.2));
  const double ratio = now_.input("weather.humidity_ratio"), dry_c = now_.input("weather.dry_bulb") - 273.15;
  const double enthalpy = 1.006e3 * dry_c + ratio * (2.501e6 + 1.86e3 * dry_c) + heat_w / wetted_kg_per_s;
  const double evaporated = wetted_kg_per_s * (saturated_ratio(enthalpy, now_.input("weather.pressure")) - ratio);
  given.make_up_kg_per_s[tower] = flow > 0.0 ? evaporated * 4.0 / 3.0 : 0.0;  // four cycles of concentration
}

/// A machine within its range: it cools to the set-point; and its two pumps.
void MachinesByHand::chiller(const std::string& chiller) {
  const twin::ChillersSpec& spec = scenario_.cooling.chilled_water.front().chillers;
  const double chilled = now_.kg_per_s(chiller + ".chilled_return") * water_;
  const double condenser = now_.kg_per_s(chiller + ".condenser_supply") * water_;
  double heat_w = 0.0, compressor_w = 0.0;
  if (command(chiller) > 0.0) {
    heat_w = chilled * (now_.k("chilled_water.return") - now_.input("rear_doors.supply_temperature"));
    const double cold_k = now_.k("chilled_water.return") - heat_w / chilled - spec.chiller.evaporator_pinch_k;
    for (int step = 0; step < 60; ++step) {
      const double hot_k =
          now_.k("facility.supply") + (heat_w + compressor_w) / condenser + spec.chiller.condenser_pinch_k;
      compressor_w =
          heat_w * std::max(hot_k - cold_k, spec.chiller.minimum_lift_k) / (spec.chiller.carnot_fraction * cold_k);
      compressor_w *= part_load_by_hand(spec.chiller.has_variable_speed, heat_w / spec.chiller.rated_heat_w);
    }
  }
  const double pumps_w = water_pump(chiller, spec.chilled_pump, chilled / water_, chiller + ".evaporator") +
                         water_pump(chiller, spec.condenser_pump, condenser / water_, chiller + ".condenser");
  given.heat_w[chiller + ".evaporator"] -= heat_w;
  given.heat_w[chiller + ".condenser"] += heat_w + compressor_w;
  given.load_w[chiller] = compressor_w + pumps_w;
  given.outdoors_w[chiller] = (1.0 - spec.chilled_pump.efficiency_fraction) * pumps_w;  // both pumps are as good
}

/// Coil and fan of an air handler, which blows into a plenum or back into its room.
void MachinesByHand::crah(const std::string& crah, const std::string& room, const std::string& into,
                          const twin::CrahsSpec& spec) {
  const physics::CrahParams& sheet = spec.crah;
  const double fan = speed(crah), water_kg_per_s = now_.kg_per_s(crah + ".supply");
  const double ua = two_films(sheet.design_conductance_w_per_k, 0.8, fan, 0.5,
                              water_kg_per_s / sheet.water_design_flow_kg_per_s, 0.8);
  const double heat_w = crossflow(fan * sheet.air_design_flow_kg_per_s * air_, water_kg_per_s * water_, ua) *
                        (now_.k(room) - now_.k("chilled_water.supply"));
  const double fan_w = command(crah) > 0.0 ? sheet.fan_power_w * std::pow(fan, sheet.fan_exponent) : 0.0;
  given.heat_w[crah + ".water"] += heat_w;
  given.heat_w[into] += fan_w - heat_w;
  given.load_w[crah] = fan_w;
}

/// Pumps of a system share what they drive as their curves let them; they stand outdoors.
void MachinesByHand::system_pumps(const std::string& system, const twin::WaterPumpsSpec& spec, double kg_per_s) {
  const PumpByHand pump{spec.pump.rated_flow_kg_per_s, spec.pump.pressure_pa};
  std::vector<double> most_speeds;
  for (int p = 0; p < spec.count; ++p)
    most_speeds.push_back(speed(fmt::format("{}.pump_{}", system, static_cast<char>('a' + p))));
  const std::vector<double> shares = shares_kg_per_s(pump, most_speeds, kg_per_s);
  for (std::size_t p = 0; p < shares.size(); ++p) {
    const std::string motor = fmt::format("{}.pump_{}", system, "abcdef"[p]);
    const double on = command(motor) > 0.0 ? 1.0 : 0.0, turning = pump.turning(most_speeds[p], shares[p]);
    const double rated_w = pump.rated_pa * pump.rated_kg_per_s / water_kg_per_m3 / spec.pump.efficiency_fraction;
    const double hydraulic_w = on * pump.pressure_pa(turning, shares[p]) * shares[p] / water_kg_per_m3;
    given.load_w[motor] = on * rated_w * PumpByHand::power_ratio(turning, shares[p] / pump.rated_kg_per_s);
    given.heat_w[system + ".supply"] += hydraulic_w;
    given.outdoors_w[motor] = given.load_w[motor] - hydraulic_w;
  }
}

void MachinesByHand::room(const std::string& room, const twin::RoomSpec& spec) {
  constexpr double lag_s = 1400.0;
  const double to_mass_w = spec.mass_heat_capacity_j_per_k / lag_s * (now_.k(room) - now_.k(room + ".mass"));
  given.heat_w[room] -= to_mass_w;
  given.heat_w[room + ".mass"] += to_mass_w;
}

MachinesByHand::MachinesByHand(const twin::Scenario& scenario, const Instant& now)
    : scenario_(scenario),
      now_(now),
      water_(physics::find_fluid("water").specific_heat_j_per_kg_k(293.15)),
      coolant_(physics::find_fluid("pg25").specific_heat_j_per_kg_k(scenario.cooling.loops.front().supply_k)),
      air_(1006.0) {
  const twin::CoolingSpec& cooling = scenario.cooling;
  double facility_kg_per_s = 0.0, chilled_kg_per_s = 0.0;
  for (const auto& [name, number] : now.names.links) {
    const std::string owner = name.substr(0, name.rfind('.'));
    const double kg_per_s = now.kg_per_s(name);
    if (name.ends_with(".facility_supply")) facility_kg_per_s += kg_per_s;
    if (name.ends_with(".door_supply") || (name.starts_with("crah_") && name.ends_with(".return")))
      chilled_kg_per_s += kg_per_s;
    if (name.ends_with(".cold_plates")) racks(owner);
    if (name.ends_with(".door_supply")) door(owner);
    if (name.ends_with(".suction")) cdu(owner, owner <= "cdu_2" ? "loop_1" : "loop_2");
    if (name.starts_with("tower_") && name.ends_with(".return")) tower(owner);
    if (name.ends_with(".chilled_return")) chiller(owner);
  }
  for (int r = 1; r <= scenario.network.racks; ++r) {
    const std::string rack = fmt::format("network_rack_{}", r);
    given.load_w[rack] = now.input(rack + ".power");
    given.heat_w[rack + ".exhaust"] += given.load_w[rack];
  }
  system_pumps("facility", cooling.water.front().pumps, facility_kg_per_s);
  system_pumps("chilled_water", cooling.chilled_water.front().pumps, chilled_kg_per_s);
  int number = 1;
  for (int c = 0; c < cooling.crahs.front().count; ++c)
    crah(fmt::format("crah_{}", number++), "room_1", "room_1.plenum", cooling.crahs.front());
  room("room_1", cooling.rooms.front());
  const PowerByHand power(scenario.power);
  given.heat_w["room_1"] += power.losses_w(now, "pdu_");
  for (const std::string side : {"a", "b"}) {
    const std::string name = "electrical_room_" + side;
    for (int c = 0; c < scenario.power.rooms.crahs.count; ++c)
      crah(fmt::format("crah_{}", number++), name, name, scenario.power.rooms.crahs);
    room(name, scenario.power.rooms.room);
    given.heat_w[name] += power.losses_w(now, "ups_" + side);
    for (const std::string& branch : {"substation_" + side, "transformer_" + side})
      given.outdoors_w[branch] = power.branch(now, branch).loss_w;
  }
}

}  // namespace wattloop::tests
