#include "twin/sizing/cooling_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "physics/fluids/effectiveness.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/fluids/stream.hpp"
#include "twin/scenario/site_air.hpp"

namespace wattloop::twin {

namespace {

using physics::FlowArrangement;

/// Racks that stand in scenarios/halls, and nodes of eight GPUs of other makers as those of H100.
constexpr std::array<std::pair<std::string_view, int>, 6> known_racks{{{"dgx_h100_air", 4},
                                                                       {"hgx_h100_liquid", 8},
                                                                       {"hgx_b200_liquid", 8},
                                                                       {"mi300x_node_liquid", 8},
                                                                       {"gb200_nvl72_compute_tray", 18},
                                                                       {"frontier_node", 128}}};
constexpr double usual_liquid_rack_w = 82e3, usual_air_rack_w = 41e3;
constexpr int longest_row = 28;
constexpr double highest_rise_k = 13.0,
                 pressure_step_pa = 5e3;    ///< of coolant through racks: 1.2 L/min for each kW are 12.5 K
constexpr int most_duty_cdus = 3;           ///< of a loop
constexpr double loop_m3_per_rack = 0.075;  ///< of the reference hall
constexpr double film_exponent = 0.8;
constexpr double condenser_rise_k = 5.0;  ///< of water at its design flow and rated heat
constexpr double kelvin_at_zero_c = 273.15;
constexpr double door_left_ratio =
    0.95;  ///< of what its figures say: small errors of a door are large ones of what it leaves
constexpr double recirculation_fraction = 0.05;  ///< of a row's air, where a room says nothing else

int rounded_up(double ratio) { return std::max(1, static_cast<int>(std::ceil(ratio - 1e-9))); }

}  // namespace

int usual_nodes_per_rack(const NodeFigures& node) {
  const auto known = std::ranges::find(known_racks, node.name, &std::pair<std::string_view, int>::first);
  if (known != known_racks.end()) return known->second;
  const double rack_w = node.takes_coolant() ? usual_liquid_rack_w : usual_air_rack_w;
  return std::max(1, static_cast<int>(rack_w / node.nameplate_w));
}

RackSizes size_racks(int gpus, const NodeFigures& node, int nodes_per_rack) {
  RackSizes sizes;
  const int nodes = rounded_up(static_cast<double>(gpus) / node.gpus);
  const bool is_whole = node.name == "gb200_nvl72_compute_tray";  // eighteenths of one machine
  sizes.racks = rounded_up(static_cast<double>(nodes) / nodes_per_rack);
  sizes.nodes_per_rack = is_whole ? nodes_per_rack : rounded_up(static_cast<double>(nodes) / sizes.racks);
  sizes.gpus = sizes.nodes() * node.gpus;
  sizes.it_w = sizes.nodes() * node.nameplate_w;
  sizes.liquid_w = sizes.nodes() * node.liquid_w;
  sizes.air_w = sizes.nodes() * node.air_w;
  sizes.rack_w = sizes.nodes_per_rack * node.nameplate_w;
  sizes.rack_air_w = sizes.nodes_per_rack * node.air_w;
  sizes.airflow_kg_per_s = sizes.nodes_per_rack * node.airflow_kg_per_s;
  return sizes;
}

std::vector<int> rows_of(int racks) {
  constexpr int usual_row = 20;
  int rows = rounded_up(static_cast<double>(racks) / usual_row);
  for (int fewer = rounded_up(static_cast<double>(racks) / longest_row); fewer <= rows; ++fewer) {
    if (racks % fewer == 0) rows = fewer;
  }
  std::vector<int> list;
  for (int row = 0; row < rows; ++row) list.push_back(racks / rows + (row < racks % rows ? 1 : 0));
  return list;
}

double highest_cdu_flow_kg_per_s(const CduFigures& cdu, double differential_pressure_pa) {
  const double internal = cdu.internal_drop_pa / std::pow(cdu.technology_kg_per_s / coolant_kg_per_m3, 2.0);
  const double required_pa = differential_pressure_pa * flow_margin_ratio * flow_margin_ratio;
  const double a = cdu.pump_pa_per_flow_squared - internal, b = cdu.pump_pa_per_flow, c = cdu.pump_pa - required_pa;
  if (c <= 0.0 || a >= 0.0) return 0.0;
  return coolant_kg_per_m3 * (-b - std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a) / flow_margin_ratio;
}

namespace {

/// Heat from coolant at `return_above_k` over facility water that comes at the design flow.
double exchanged_w(const CduFigures& cdu, double flow_kg_per_s, double return_above_k) {
  const double film = std::min(1.0, std::pow(flow_kg_per_s / cdu.technology_kg_per_s, film_exponent));
  const double ua = cdu.conductance_w_per_k * physics::two_film_ratio(film, 1.0, 0.5);
  const double technology = flow_kg_per_s * coolant_j_per_kg_k,
               facility = cdu.facility_kg_per_s * cdu.facility_j_per_kg_k;
  const double smaller = std::min(technology, facility), larger = std::max(technology, facility);
  return physics::effectiveness(FlowArrangement::counterflow, ua / smaller, smaller / larger) * smaller *
         return_above_k;
}

/// CDUs that carry so many racks.
int duty_for(const CduFigures& cdu, double heat_w, double flow_kg_per_s, double pressure_pa, double approach_k) {
  const double rise_k = heat_w / (flow_kg_per_s * coolant_j_per_kg_k);
  const double most_kg_per_s = highest_cdu_flow_kg_per_s(cdu, pressure_pa);
  if (most_kg_per_s <= 0.0) return 1'000'000;
  int duty = std::max(rounded_up(heat_margin_ratio * heat_w / cdu.rated_w), rounded_up(flow_kg_per_s / most_kg_per_s));
  while (exchanged_w(cdu, flow_kg_per_s / duty, approach_k + rise_k) < heat_margin_ratio * heat_w / duty) ++duty;
  return duty;
}

}  // namespace

LoopSizes size_loops(const RackSizes& racks, const NodeFigures& node, const std::vector<CduFigures>& cdus,
                     double approach_k) {
  LoopSizes sizes;
  double flow = node.coolant_kg_per_s, pressure_pa = node.coolant_drop_pa;
  const double rise_k = node.liquid_w / (flow * coolant_j_per_kg_k);
  if (rise_k > highest_rise_k) {
    pressure_pa *= std::pow(rise_k / highest_rise_k, 2.0);  // racks take flow as the root of the pressure
    pressure_pa = pressure_step_pa * rounded_up(pressure_pa / pressure_step_pa);
    flow *= std::sqrt(pressure_pa / node.coolant_drop_pa);
  }
  sizes.differential_pressure_pa = pressure_pa;
  sizes.rise_k = node.liquid_w / (flow * coolant_j_per_kg_k);
  int duty_of_all = 0;
  for (const CduFigures& cdu : cdus) {
    sizes.cdu = cdu;
    duty_of_all = duty_for(cdu, racks.liquid_w, racks.nodes() * flow, pressure_pa, approach_k);
    if (duty_of_all <= most_duty_cdus) break;
  }
  sizes.loops = std::min(rounded_up(static_cast<double>(duty_of_all) / most_duty_cdus), racks.racks);
  sizes.racks_per_loop = rounded_up(static_cast<double>(racks.racks) / sizes.loops);
  const int nodes = sizes.racks_per_loop * racks.nodes_per_rack;
  const int duty = duty_for(sizes.cdu, nodes * node.liquid_w, nodes * flow, pressure_pa, approach_k);
  sizes.cdus = duty + 1;
  sizes.duty_heat_w = nodes * node.liquid_w / duty;
  sizes.duty_kg_per_s = nodes * flow / duty;
  const double drop_pa =
      sizes.cdu.internal_drop_pa * std::pow(sizes.duty_kg_per_s / sizes.cdu.technology_kg_per_s, 2.0);
  sizes.pump_w = sizes.cdu.pump_idle_w +
                 sizes.duty_kg_per_s / coolant_kg_per_m3 * (pressure_pa + drop_pa) / sizes.cdu.pump_efficiency_fraction;
  sizes.facility_kg_per_s = sizes.loops * sizes.cdus * sizes.cdu.facility_kg_per_s;
  sizes.volume_m3 = loop_m3_per_rack * sizes.racks_per_loop;
  return sizes;
}

double coil_heat_w(const CoilFigures& coil, double airflow_kg_per_s, double air_c, double water_c) {
  const double film = physics::film_ratio(airflow_kg_per_s, coil.air_kg_per_s, coil.air_exponent);
  const double ua = coil.conductance_w_per_k * physics::two_film_ratio(film, 1.0, coil.air_share_fraction);
  const double air = airflow_kg_per_s * air_j_per_kg_k, water = coil.water_kg_per_s * water_j_per_kg_k;
  const double smaller = std::min(air, water), larger = std::max(air, water);
  return physics::effectiveness(FlowArrangement::crossflow_unmixed, ua / smaller, smaller / larger) * smaller *
         (air_c - water_c);
}

const CoilFigures& chosen_door(const RackSizes& racks, const std::vector<CoilFigures>& doors) {
  for (const CoilFigures& door : doors) {
    if (door.rated_w >= door_margin_ratio * racks.rack_air_w && door.air_kg_per_s >= racks.airflow_kg_per_s)
      return door;
  }
  return doors.back();
}

double left_by_doors_w(const RackSizes& racks, const CoilFigures& door, double room_c, double water_c, double pdus_w) {
  const double c = racks.airflow_kg_per_s * air_j_per_kg_k, pdu_w = pdus_w / racks.racks;
  const double door_w_per_k = door_left_ratio * coil_heat_w(door, racks.airflow_kg_per_s, 1.0, 0.0);
  const double fans_w = door.fan_w * std::pow(std::min(1.0, racks.airflow_kg_per_s / door.air_kg_per_s), 3.0);
  // Of a rack, x left: its air comes in at T_room - x/c - r/(1 - r) pdu/c, since air handlers send back air that is colder by x/c, and
  // a share r comes straight from behind the door. So x = rack + fans + pdu - g (T_in + rack/c - T_water) is linear in x.
  const double from_aisle = recirculation_fraction / (1.0 - recirculation_fraction);
  const double exhaust_c = room_c + (racks.rack_air_w - from_aisle * pdu_w) / c;
  const double x_w =
      (racks.rack_air_w + fans_w + pdu_w - door_w_per_k * (exhaust_c - water_c)) / (1.0 - door_w_per_k / c);
  return racks.racks * x_w;
}

double crah_net_w(const CoilFigures& crah, double room_c, double water_c) {
  return std::max(0.0, coil_heat_w(crah, crah.air_kg_per_s, room_c, water_c) - crah.fan_w);
}

CrahSizes size_crahs(double heat_w, double worst_w, const std::vector<CoilFigures>& crahs, double room_c,
                     double water_c) {
  constexpr int few = 3;
  CrahSizes sizes;
  for (const CoilFigures& crah : crahs) {
    sizes.crah = crah;
    sizes.net_w = crah_net_w(crah, room_c, water_c);
    if (sizes.net_w <= 0.0) continue;
    const int for_heat = rounded_up(air_margin_ratio * std::max(heat_w, 0.0) / sizes.net_w) + 1;
    sizes.count = std::max({2, for_heat, rounded_up(air_margin_ratio * worst_w / sizes.net_w)});
    if (sizes.count <= few) break;
  }
  return sizes;
}

double liftable_w(const ChillerFigures& chiller, double cold_c, double hot_c) {
  constexpr double least_lift_k = 10.0;
  const double lift_k = std::max(hot_c - cold_c, least_lift_k);
  return std::min(chiller.rated_w,
                  chiller.rated_power_w * chiller.carnot_fraction * (cold_c + kelvin_at_zero_c) / lift_k);
}

ChillerSizes size_chillers(double heat_w, double flow_kg_per_s, const std::vector<ChillerFigures>& chillers,
                           double supply_c, double sink_c, bool is_in_air) {
  constexpr int few = 8;
  ChillerSizes sizes;
  for (const ChillerFigures& chiller : chillers) {
    const double cold_c = supply_c - chiller.evaporator_pinch_k;
    const double hot_c = sink_c + chiller.condenser_pinch_k + (is_in_air ? 0.0 : condenser_rise_k);
    const double most_w = liftable_w(chiller, cold_c, hot_c);
    sizes.chiller = chiller;
    sizes.duty = std::max(rounded_up(heat_margin_ratio * heat_w / most_w),
                          rounded_up(flow_margin_ratio * flow_kg_per_s / chiller.chilled_kg_per_s));
    const double lift_k = std::max(hot_c - cold_c, 10.0);
    sizes.power_w = heat_w * lift_k / (chiller.carnot_fraction * (cold_c + kelvin_at_zero_c));
    if (sizes.duty <= few) break;
  }
  sizes.count = sizes.duty + 1;
  sizes.heat_w = heat_w;
  sizes.flow_kg_per_s = flow_kg_per_s;
  // Where flow asks for more machines than heat, they start early: at half of the load that one machine less would
  // have at nameplate, since a job in training gives some two thirds of the air heat.
  const double loading = heat_w / (sizes.duty * sizes.chiller.rated_w);
  const double one_less = sizes.duty > 1 ? loading * sizes.duty / (sizes.duty - 1) : 1.0;
  sizes.stage_up_fraction = std::clamp(std::floor(50.0 * one_less) / 100.0, 0.05, 0.90);
  sizes.stage_down_fraction = std::max(0.04, std::floor(80.0 * sizes.stage_up_fraction) / 100.0);
  return sizes;
}

double dry_cooler_heat_w(const RejectorFigures& cooler, double supply_c, double dry_bulb_c) {
  const double water = cooler.water_kg_per_s * cooler.liquid_j_per_kg_k, air = cooler.air_kg_per_s * air_j_per_kg_k;
  const double smaller = std::min(air, water), larger = std::max(air, water);
  const double w_per_k = smaller * physics::effectiveness(FlowArrangement::crossflow_unmixed,
                                                          cooler.conductance_w_per_k / smaller, smaller / larger);
  // Q = w (T_in - T_dry) and T_in = T_supply + Q / (m c)
  const double heat_w = w_per_k * (supply_c - dry_bulb_c) / (1.0 - w_per_k / water);
  return std::clamp(heat_w, 0.0, cooler.rated_w);
}

namespace {

/// One more than heat or flow asks for.
int with_one_out(double heat_w, double each_w, double flow_kg_per_s, double each_kg_per_s) {
  return std::max(rounded_up(heat_margin_ratio * heat_w / each_w),
                  rounded_up(flow_margin_ratio * flow_kg_per_s / each_kg_per_s)) +
         1;
}

}  // namespace

void fill_with_glycol(LibraryFigures& library, double facility_c) {
  const physics::Fluid& glycol = physics::find_fluid("pg25");
  const double at_k = facility_c + kelvin_at_zero_c, film = physics::film_over_water_ratio(glycol, at_k);
  const double j_per_kg_k = glycol.specific_heat_j_per_kg_k(at_k);
  for (CduFigures& cdu : library.cdus) {
    cdu.conductance_w_per_k = physics::with_first_film({cdu.conductance_w_per_k, 0.5}, film).conductance_w_per_k;
    cdu.facility_j_per_kg_k = j_per_kg_k;
  }
  for (RejectorFigures& cooler : library.dry_coolers) {
    const auto films = physics::with_first_film({cooler.conductance_w_per_k, cooler.liquid_share_fraction}, film);
    cooler.conductance_w_per_k = films.conductance_w_per_k;
    cooler.liquid_share_fraction = films.first_share_fraction;
    cooler.liquid_j_per_kg_k = j_per_kg_k;
  }
}

void move_to_site(LibraryFigures& library, double density_ratio) {
  for (std::vector<CoilFigures>* coils : {&library.doors, &library.crahs}) {
    for (CoilFigures& coil : *coils)
      move_coil({coil.conductance_w_per_k, coil.air_kg_per_s, coil.fan_w, coil.air_share_fraction, coil.air_exponent},
                density_ratio);
  }
  for (RejectorFigures& cooler : library.dry_coolers) {
    cooler.air_kg_per_s *= density_ratio;
    cooler.conductance_w_per_k *=
        physics::two_film_ratio(1.0, std::pow(density_ratio, cooler.air_exponent), cooler.liquid_share_fraction);
  }
}

RejectorSizes size_towers(double heat_w, double flow_kg_per_s, const RejectorFigures& tower) {
  return {.rejector = tower,
          .count = with_one_out(heat_w, tower.rated_w, flow_kg_per_s, tower.water_kg_per_s),
          .heat_w = heat_w,
          .flow_kg_per_s = flow_kg_per_s,
          .each_w = tower.rated_w};
}

RejectorSizes size_dry_coolers(double heat_w, double flow_kg_per_s, const std::vector<RejectorFigures>& coolers,
                               double supply_c, double dry_bulb_c) {
  constexpr int few = 12;
  RejectorSizes sizes;
  for (const RejectorFigures& cooler : coolers) {
    const double each_w = dry_cooler_heat_w(cooler, supply_c, dry_bulb_c);
    sizes = {.rejector = cooler,
             .count = with_one_out(heat_w, each_w, flow_kg_per_s, cooler.water_kg_per_s),
             .heat_w = heat_w,
             .flow_kg_per_s = flow_kg_per_s,
             .each_w = each_w};
    if (sizes.count <= few) break;
  }
  return sizes;
}

int pumps_on_duty(double flow_kg_per_s, const PumpFigures& pump) {
  return rounded_up(flow_margin_ratio * flow_kg_per_s / pump.flow_kg_per_s);
}

}  // namespace wattloop::twin
