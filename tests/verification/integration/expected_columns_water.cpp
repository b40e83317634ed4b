// Columns of the technology loops, their CDUs and pumps, of the water systems, towers and chillers.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tests/support/by_hand/fan_by_hand.hpp"
#include "tests/support/by_hand/pump_by_hand.hpp"
#include "tests/verification/integration/expected_columns.hpp"
#include "tests/verification/water/exchange_by_hand.hpp"

namespace wattloop::tests {

namespace {

using Item = const std::string&;

Expected node_k(const std::string& suffix) {
  return [suffix](const Instant& now, Item item) { return now.k(item + suffix); };
}
Expected link_kg_per_s(const std::string& suffix) {
  return [suffix](const Instant& now, Item item) { return now.kg_per_s(item + suffix); };
}
Expected state_of(const std::string& suffix) {
  return [suffix](const Instant& now, Item item) { return now.state_of(item + suffix); };
}
const Expected own_load_w = [](const Instant& now, Item item) { return now.load_w(item); };

/// Of all links whose name begins and ends so.
double links_kg_per_s(const Instant& now, const std::string& prefix, const std::string& suffix) {
  double sum = 0.0;
  for (const auto& [name, number] : now.names.links) {
    if (name.starts_with(prefix) && name.ends_with(suffix)) sum += now.kg_per_s(name);
  }
  return sum;
}

double loop_kg_per_s(const HallByName& hall, const Instant& now, Item loop) {
  double sum = 0.0;
  for (const std::string& rack : hall.racks_of_loop(loop)) sum += now.kg_per_s(rack + ".cold_plates");
  return sum;
}

void expect_loops(const HallByName& hall, ExpectedColumns& columns) {
  const twin::NodeHardware& node = hall.scenario.racks.front().hardware;
  const double design_kg_per_s = node.coolant_design_flow_kg_per_s * hall.scenario.racks.front().nodes;
  const double design_pa = node.coolant_pressure_drop_pa;
  columns["loops/supply_temperature"] = node_k(".supply");
  columns["loops/return_temperature"] = node_k(".return");
  columns["loops/supply_set_point"] = [](const Instant& now, Item loop) {
    return now.input(loop + ".supply_temperature");
  };
  columns["loops/flow"] = [hall](const Instant& now, Item loop) { return loop_kg_per_s(hall, now, loop); };
  columns["facility/lowest_loop_flow"] = [hall](const Instant& now, Item) {
    return std::min(loop_kg_per_s(hall, now, "loop_1"), loop_kg_per_s(hall, now, "loop_2"));
  };
  columns["loops/differential_pressure"] = [=](const Instant& now, Item loop) {
    const double one_kg_per_s = now.kg_per_s(hall.racks_of_loop(loop).front() + ".cold_plates");
    return design_pa * std::pow(one_kg_per_s / design_kg_per_s, 2);
  };
  columns["loops/heat"] = [hall](const Instant& now, Item loop) {
    return loop_kg_per_s(hall, now, loop) * hall.coolant_j_per_kg_k *
           (now.k(loop + ".return") - now.k(loop + ".supply"));
  };
}

void expect_cdus(const HallByName& hall, ExpectedColumns& columns) {
  const Expected heat_w = [hall](const Instant& now, Item cdu) {
    return now.kg_per_s(cdu + ".facility_return") * hall.water_j_per_kg_k *
           (now.k(cdu + ".facility") - now.k("facility.supply"));
  };
  const double rated_w = hall.scenario.cooling.loops.front().cdu.rated_heat_w;
  columns["cdus/supply_temperature"] = node_k(".outlet");
  columns["cdus/return_temperature"] = [hall](const Instant& now, Item cdu) {
    return now.k(hall.loop_of_cdu(cdu) + ".return");
  };
  columns["cdus/facility_return_temperature"] = node_k(".facility");
  columns["cdus/flow"] = link_kg_per_s(".suction");
  columns["cdus/facility_flow"] = link_kg_per_s(".facility_supply");
  columns["cdus/heat"] = heat_w;
  columns["cdus/loading"] = [=](const Instant& now, Item cdu) { return heat_w(now, cdu) / rated_w; };
  columns["cdus/valve_position"] = state_of(".valve_position");
}

/// Two parallel pumps of a CDU behind check valves, on one curve, each with a fifth of the unit's resistance r in its own branch:
/// n^2 a + c Q^2 - r m^2 / 5 is the same for both, whoever runs, and nothing flows back.
double cdu_pump_kg_per_s(const HallByName& hall, const Instant& now, Item pump) {
  const twin::LoopsSpec& loops = hall.scenario.cooling.loops.front();
  const std::string cdu = pump.substr(0, pump.find('.'));
  const double both_kg_per_s = now.kg_per_s(cdu + ".suction");
  const double own = now.state_of(pump + ".speed");
  const double other = now.state_of(cdu + (pump.ends_with("a") ? ".pump_b" : ".pump_a") + ".speed");
  const double density = 1014.8;  // PG25 at 32 degC; it cancels but for the share of pump curve and resistance
  const double square =
      -loops.pump.quadratic_pa_s2_per_m6 / (density * density) +
      0.2 * loops.cdu.internal_pressure_drop_pa / std::pow(loops.cdu.technology_design_flow_kg_per_s, 2);
  const double lead = loops.pump.shutoff_pressure_pa * (own * own - other * other) / square;  // m_own^2 - m_other^2
  if (std::abs(lead) >= both_kg_per_s * both_kg_per_s) return lead > 0.0 ? both_kg_per_s : 0.0;
  return 0.5 * (both_kg_per_s + lead / both_kg_per_s);
}

double all_users_kg_per_s(const Instant& now, const std::string& system) {
  if (system == "facility")
    return links_kg_per_s(now, "cdu_", ".facility_supply") + links_kg_per_s(now, "chiller_", ".condenser_supply");
  return links_kg_per_s(now, "", ".door_supply") + links_kg_per_s(now, "crah_", ".return");
}

PumpByHand pump_of(const HallByName& hall, Item pump) {
  const twin::CoolingSpec& cooling = hall.scenario.cooling;
  const twin::WaterPumpsSpec& spec =
      pump.starts_with("facility") ? cooling.water.front().pumps : cooling.chilled_water.front().pumps;
  return {spec.pump.rated_flow_kg_per_s, spec.pump.pressure_pa};
}

/// What the pumps of a system drive: condensers have their own. They share it as their curves let them.
double system_pump_kg_per_s(const HallByName& hall, const Instant& now, Item pump) {
  const std::string system = pump.substr(0, pump.find('.'));
  const double all_kg_per_s =
      system == "facility" ? links_kg_per_s(now, "cdu_", ".facility_supply") : all_users_kg_per_s(now, system);
  std::vector<double> speeds;
  std::size_t own = 0;
  for (const auto& [name, number] : now.names.states) {
    if (!name.starts_with(system + ".pump_") || !name.ends_with(".speed")) continue;
    if (name == pump + ".speed") own = speeds.size();
    speeds.push_back(now.state.states[number]);
  }
  return shares_kg_per_s(pump_of(hall, pump), speeds, all_kg_per_s)[own];
}

void expect_pumps(const HallByName& hall, ExpectedColumns& columns) {
  columns["pumps/speed"] = [hall](const Instant& now, Item pump) {
    const double most = now.state_of(pump + ".speed");
    if (pump.starts_with("cdu_")) return most;
    return pump_of(hall, pump).turning(most, system_pump_kg_per_s(hall, now, pump));
  };
  columns["pumps/power"] = own_load_w;
  columns["pumps/flow"] = [hall](const Instant& now, Item pump) {
    return pump.starts_with("cdu_") ? cdu_pump_kg_per_s(hall, now, pump) : system_pump_kg_per_s(hall, now, pump);
  };
}

void expect_systems(ExpectedColumns& columns) {
  columns["water_systems/supply_temperature"] = node_k(".supply");
  columns["water_systems/return_temperature"] = node_k(".users_return");
  columns["water_systems/source_return_temperature"] = node_k(".return");
  columns["water_systems/supply_set_point"] = [](const Instant& now, Item system) {
    return now.input((system == "facility" ? system : std::string("rear_doors")) + ".supply_temperature");
  };
  columns["water_systems/flow"] = [](const Instant& now, Item system) { return all_users_kg_per_s(now, system); };
  columns["water_systems/source_flow"] = [](const Instant& now, Item system) {
    return system == "facility" ? links_kg_per_s(now, "tower_", ".supply")
                                : links_kg_per_s(now, "chiller_", ".chilled_supply");
  };
  columns["water_systems/bypass_flow"] = link_kg_per_s(".bypass");
}

/// What a cell rejects over what it can: with its fan at full speed now, or with water leaving half a kelvin above the set-point where the sensor
/// of the cells is no warmer; both less the heat of its pump, which is what it draws less what its fan does. At most its rated heat, at least
/// a hundredth of it.
double tower_loading(const twin::TowersSpec& spec, double water_j_per_kg_k, const Instant& now, Item tower) {
  const double flow = now.kg_per_s(tower + ".return"), fan = now.state_of(tower + ".fan_speed");
  const double wet_k = now.input("weather.wet_bulb"), driving_k = now.k("facility.return") - wet_k;
  const double l = spec.tower.liquid_to_air_ratio * flow / spec.tower.water_design_flow_kg_per_s;
  const double draught = spec.tower.natural_draught_ratio, thin = thin_air_by_hand(now.input("weather.pressure"));
  const double air = thin * (fan >= 2.0 * draught ? fan : draught + fan * fan / (4.0 * draught));
  const double tolerated_k = now.input("facility.supply_temperature") + 0.5;
  double able_k = york_range_k(1.0, driving_k, wet_k - 273.15, l / thin);
  if (now.state_of("towers.sensor_temperature") <= tolerated_k)
    able_k = std::max(able_k, york_range_k(0.0, tolerated_k - wet_k, wet_k - 273.15, l / thin));
  const bool is_on = now.input(tower + ".command") > 0.0;
  const double fan_w = is_on ? spec.tower.fan_power_w * driven_fan_by_hand(fan, spec.tower.fan_exponent, thin) : 0.0;
  const double pump_w = spec.pump.efficiency_fraction * (now.load_w(tower) - fan_w);
  const double rated_w = spec.tower.rated_heat_w, w_per_k = flow * water_j_per_kg_k;
  const double moved_w = w_per_k * york_range_k(1.0, driving_k, wet_k - 273.15, l / air) - pump_w;
  return std::max(moved_w, 0.0) / std::clamp(w_per_k * able_k - pump_w, 0.01 * rated_w, rated_w);
}

void expect_machines(const HallByName& hall, ExpectedColumns& columns) {
  const double water = hall.water_j_per_kg_k;
  const Expected tower_w = [water](const Instant& now, Item tower) {
    return now.kg_per_s(tower + ".return") * water * (now.k("facility.return") - now.k(tower + ".basin"));
  };
  columns["towers/leaving_temperature"] = node_k(".basin");
  columns["towers/fan_speed"] = state_of(".fan_speed");
  columns["towers/flow"] = link_kg_per_s(".supply");
  columns["towers/heat"] = tower_w;
  columns["towers/power"] = own_load_w;
  columns["towers/loading"] = [spec = hall.scenario.cooling.water.front().towers, water](
                                  const Instant& now, Item tower) { return tower_loading(spec, water, now, tower); };
  const twin::ChillersSpec& chillers = hall.scenario.cooling.chilled_water.front().chillers;
  const Expected chiller_w = [=](const Instant& now, Item chiller) {  // down to the set-point: none is at a limit
    if (now.input(chiller + ".command") <= 0.0) return 0.0;
    return now.kg_per_s(chiller + ".chilled_return") * water *
           (now.k("chilled_water.return") - now.input("rear_doors.supply_temperature"));
  };
  const Expected chiller_pumps_w = [chillers](const Instant& now, Item chiller) {
    if (now.input(chiller + ".command") <= 0.0) return 0.0;
    const auto power_w = [&](const physics::WaterPumpParams& pump, const char* link) {
      const double pressure_pa = pump.pressure_pa * std::pow(now.state_of(chiller + ".speed"), 2);
      return pressure_pa * now.kg_per_s(chiller + link) / 998.0 / pump.efficiency_fraction;
    };
    return power_w(chillers.chilled_pump, ".chilled_supply") + power_w(chillers.condenser_pump, ".condenser_return");
  };
  const double chiller_rated_w = chillers.chiller.rated_heat_w;
  columns["chillers/supply_temperature"] = node_k(".evaporator");
  columns["chillers/condenser_leaving_temperature"] = node_k(".condenser");
  columns["chillers/flow"] = link_kg_per_s(".chilled_supply");
  columns["chillers/condenser_flow"] = link_kg_per_s(".condenser_return");
  columns["chillers/heat"] = chiller_w;
  columns["chillers/pump_power"] = chiller_pumps_w;
  columns["chillers/power"] = [=](const Instant& now, Item chiller) {
    return now.load_w(chiller) - chiller_pumps_w(now, chiller);
  };
  columns["chillers/cop"] = [=](const Instant& now, Item chiller) {
    const double power_w = now.load_w(chiller) - chiller_pumps_w(now, chiller);
    return power_w > 0.0 ? chiller_w(now, chiller) / power_w : std::numeric_limits<double>::quiet_NaN();
  };
  columns["chillers/loading"] = [=](const Instant& now, Item chiller) {
    return chiller_w(now, chiller) / chiller_rated_w;
  };
}

}  // namespace

void expect_water(const HallByName& hall, ExpectedColumns& columns) {
  expect_loops(hall, columns);
  expect_cdus(hall, columns);
  expect_pumps(hall, columns);
  expect_systems(columns);
  expect_machines(hall, columns);
}

}  // namespace wattloop::tests
