#include "twin/sizing/hall_sizes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "physics/fluids/fluid.hpp"

namespace wattloop::twin {

namespace {

constexpr double tower_approach_k = 4.0, dry_approach_k = 5.0;  ///< of water over wet bulb and dry bulb
constexpr double lowest_facility_c = 24.0;                      ///< of the reference hall
constexpr double coolant_margin_k = 1.0;                        ///< below the end of what is known of PG25
constexpr double frost_c = 2.0;  ///< of air from which on water in finned tubes needs glycol
constexpr double hottest_condensing_c = 50.0,
                 condenser_k = 8.5;  ///< of chillers in water; over the water that comes: 5 K of rise, 3.5 K of pinch
constexpr double chiller_air_c = 50.0;  ///< the warmest air for air-cooled chillers

[[noreturn]] void refuse(const char* option, std::string message, std::string hint) {
  throw InputError({{{option, 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

bool is_for_coolant(const std::string& cooling) { return cooling != "air" && cooling != "rear_doors"; }

double approach_k(const SetPoints& set) { return set.coolant_c - set.facility_c; }

void demand_fit(const AskedHall& asked, const NodeFigures& node, const Climate& climate) {
  if (node.takes_coolant() && !is_for_coolant(asked.cooling))
    refuse("--cooling",
           fmt::format("'{}' does not carry {}: {:.0f} % of its {:.1f} kW go to cold plates, which need coolant",
                       asked.cooling, node.name, 100.0 * node.liquid_w / node.nameplate_w, node.nameplate_w / 1e3),
           "nearest choices: --cooling warm_water; or --hardware dgx_h100_air, which is air-cooled");
  if (!node.takes_coolant() && is_for_coolant(asked.cooling))
    refuse("--cooling", fmt::format("'{}' brings coolant to nodes, and {} takes none", asked.cooling, node.name),
           "nearest choices: --cooling rear_doors (doors on chilled water) or air; or --hardware hgx_h100_liquid");
  const bool may_be_in_air = asked.cooling == "chilled_water" || asked.cooling == "dry_coolers";
  if (may_be_in_air && climate.dry_bulb_c > chiller_air_c)
    refuse("--cooling",
           fmt::format("air-cooled chillers stop in the air of {}, {:.1f} degC", climate.place, climate.dry_bulb_c),
           "the nearest: --cooling warm_water");
}

void size_liquid(const LibraryFigures& library, HallSizes& hall) {
  if (!hall.node.takes_coolant()) return;
  hall.loops = size_loops(hall.racks, hall.node, library.cdus, approach_k(hall.set));
  const double return_c = hall.set.coolant_c + hall.loops->rise_k;
  const double highest_coolant_c = physics::find_fluid("pg25").highest_k - 273.15;
  if (return_c <= highest_coolant_c - coolant_margin_k) return;
  const bool is_dry = hall.asked.cooling == "dry_coolers";
  refuse("--cooling",
         fmt::format("with {} of {:.1f} degC in {}, {} make coolant of {:.0f} degC, which returns at {:.1f} degC; the "
                     "properties of PG25 are known to {:.0f} degC",
                     is_dry ? "a dry bulb" : "a wet bulb", is_dry ? hall.climate.dry_bulb_c : hall.climate.wet_bulb_c,
                     hall.climate.place, is_dry ? "dry coolers" : "towers", hall.set.coolant_c, return_c,
                     highest_coolant_c),
         is_dry ? "the nearest: --cooling warm_water" : "the nearest: --cooling chilled_water");
}

void size_doors(const LibraryFigures& library, HallSizes& hall) {
  if (hall.asked.cooling == "air") return;
  hall.door = chosen_door(hall.racks, library.doors);
  if (hall.door->rated_w >= heat_margin_ratio * hall.racks.rack_air_w) return;
  const int fewer = static_cast<int>(hall.door->rated_w / (heat_margin_ratio * hall.node.air_w));
  refuse("--nodes-per-rack",
         fmt::format("racks of {} {} put {:.1f} kW into the air, and the largest door, {}, takes {:.0f} kW",
                     hall.racks.nodes_per_rack, hall.node.name, hall.racks.rack_air_w / 1e3, hall.door->name,
                     hall.door->rated_w / 1e3),
         fmt::format("the nearest: --nodes-per-rack {}", std::max(1, fewer)));
}

/// Air handlers of the hall and of each UPS room.
void size_air(const LibraryFigures& library, HallSizes& hall) {
  const SetPoints& set = hall.set;
  const double pdu_w = hall.block.pdu_loss_w * hall.plan.blocks;
  hall.room_heat_w =
      hall.door ? left_by_doors_w(hall.racks, *hall.door, set.room_c, set.chilled_c, pdu_w) : hall.racks.air_w + pdu_w;
  hall.crahs = size_crahs(hall.room_heat_w, 0.0, library.crahs, set.room_c, set.chilled_c);
  const bool has_one_path = hall.plan.blocks == 1;
  hall.ups_room_heat_w = hall.block.ups_loss_w;
  hall.ups_crahs = size_crahs(has_one_path ? hall.block.ups_loss_w : hall.block.ups_loss_whole_w, hall.ups_room_heat_w,
                              library.crahs, set.ups_room_c, set.chilled_c);
}

void size_chilled_water(const LibraryFigures& library, HallSizes& hall) {
  const double rooms = hall.plan.all_blocks();
  const double heat_w = hall.racks.air_w + hall.block.pdu_loss_w * hall.plan.blocks +
                        (hall.door ? hall.racks.racks * hall.door->fan_w : 0.0) +
                        hall.crahs.count * hall.crahs.crah.fan_w +
                        rooms * (hall.block.ups_loss_whole_w + hall.ups_crahs.count * hall.ups_crahs.crah.fan_w);
  const double flow = (hall.door ? hall.racks.racks * hall.door->water_kg_per_s : 0.0) + hall.crahs.water_kg_per_s() +
                      rooms * hall.ups_crahs.water_kg_per_s();
  const bool is_in_air = hall.are_chillers_in_air();
  hall.chillers =
      is_in_air ? size_chillers(heat_w, flow, {library.air_chiller}, hall.set.chilled_c, hall.climate.dry_bulb_c, true)
                : size_chillers(heat_w, flow, library.chillers, hall.set.chilled_c, hall.set.facility_c, false);
  hall.chilled_duty = pumps_on_duty(flow, library.chilled_pump);
}

void size_rejection(const LibraryFigures& library, HallSizes& hall) {
  const double cdus_kg_per_s = hall.loops ? hall.loops->facility_kg_per_s : 0.0;
  hall.facility_duty = pumps_on_duty(cdus_kg_per_s, library.facility_pump);
  if (hall.asked.cooling == "chilled_water") {
    hall.loop_chillers = size_chillers(hall.racks.liquid_w, cdus_kg_per_s, {library.air_chiller}, hall.set.facility_c,
                                       hall.climate.dry_bulb_c, true);
    return;
  }
  const double condensers_kg_per_s = hall.chillers.count * hall.chillers.chiller.condenser_kg_per_s;
  const double flow = cdus_kg_per_s + (hall.are_chillers_in_air() ? 0.0 : condensers_kg_per_s);
  if (hall.asked.cooling == "dry_coolers") {
    hall.dry_coolers =
        size_dry_coolers(hall.rejected_w(), flow, library.dry_coolers, hall.set.facility_c, hall.climate.dry_bulb_c);
  } else {
    hall.towers = size_towers(hall.rejected_w(), flow, library.tower);
  }
}

struct MotorPower {
  double all_w = 0.0, largest_w = 0.0;
  void add(int count, double each_w) {
    all_w += count * each_w;
    largest_w = std::max(largest_w, each_w);
  }
};

/// Everything that hangs on no UPS, all of it running.
MotorPower motors_of(const LibraryFigures& library, const HallSizes& hall) {
  MotorPower motors;
  const auto add_chillers = [&](const ChillerSizes& chillers) {
    motors.add(chillers.count, chillers.power_w / chillers.duty + chillers.chiller.aside_w);
  };
  add_chillers(hall.chillers);
  if (hall.loop_chillers) add_chillers(*hall.loop_chillers);
  for (const auto* rejectors : {&hall.towers, &hall.dry_coolers}) {
    if (*rejectors) motors.add((*rejectors)->count, (*rejectors)->rejector.motors_w);
  }
  motors.add(hall.facility_duty, library.facility_pump.power_w);
  motors.add(hall.chilled_duty, library.chilled_pump.power_w);
  motors.add(hall.crahs.count, hall.crahs.crah.fan_w);
  motors.add(hall.ups_crahs.count * hall.plan.all_blocks(), hall.ups_crahs.crah.fan_w);
  if (hall.door) motors.add(hall.racks.racks, hall.door->fan_w);
  return motors;
}

/// What cools and feeds UPS; once more where unit substations round their number up, since more of them lose more.
void size_around_ups(const LibraryFigures& library, HallSizes& hall) {
  constexpr int most_times = 4;
  for (int time = 0; time < most_times; ++time) {
    const int modules = hall.block.ups.count;
    size_air(library, hall);
    size_chilled_water(library, hall);
    size_rejection(library, hall);
    const MotorPower motors = motors_of(library, hall);
    const bool is_largest_besides = hall.plan.blocks > 2 || hall.plan.has_reserve();
    size_feeds(hall.plan, motors.all_w, is_largest_besides ? motors.largest_w : 0.0, library, hall.block);
    if (hall.block.ups.count == modules) return;
  }
}

void report_rounding(HallSizes& hall) {
  if (hall.racks.gpus != hall.asked.gpus)
    hall.notes.push_back(fmt::format("{} GPUs are {} in {} racks of {} nodes of {}: whole racks of equal nodes",
                                     hall.asked.gpus, hall.racks.gpus, hall.racks.racks, hall.racks.nodes_per_rack,
                                     hall.node.gpus));
}

}  // namespace

SetPoints set_points(const std::string& cooling, const Climate& climate) {
  const double tower_c = std::max(lowest_facility_c, std::ceil(climate.wet_bulb_c + tower_approach_k));
  if (cooling == "dry_coolers") {
    const double dry_c = std::max(lowest_facility_c, std::ceil(climate.dry_bulb_c + dry_approach_k));
    return {.facility_c = dry_c, .coolant_c = dry_c + 5.0};
  }
  if (cooling == "chilled_water") return {.facility_c = 18.0, .coolant_c = 26.0};
  if (cooling == "air") return {.facility_c = tower_c, .chilled_c = 16.0, .room_c = 30.0, .dew_point_c = 10.0};
  if (cooling == "rear_doors") return {.facility_c = tower_c, .chilled_c = 18.0, .room_c = 24.0, .dew_point_c = 12.0};
  return {.facility_c = tower_c, .coolant_c = tower_c + 8.0};
}

std::vector<AskedChoice> fitting_coolings(const NodeFigures& node) {
  std::vector<AskedChoice> list;
  for (const AskedChoice& choice : cooling_choices()) {
    if (is_for_coolant(std::string(choice.name)) == node.takes_coolant()) list.push_back(choice);
  }
  return list;
}

std::string usual_cooling(const NodeFigures& node) { return std::string(fitting_coolings(node).front().name); }

bool HallSizes::are_chillers_in_air() const {
  return asked.cooling == "chilled_water" ||
         (asked.cooling == "dry_coolers" && set.facility_c + condenser_k > hottest_condensing_c);
}

double HallSizes::rejected_w() const {
  return racks.liquid_w + (are_chillers_in_air() ? 0.0 : chillers.heat_w + chillers.power_w);
}

HallSizes size_hall(const AskedHall& asked, const NodeFigures& at_sea_level, const Climate& climate,
                    const LibraryFigures& given) {
  NodeFigures node = at_sea_level;
  node.airflow_kg_per_s *= climate.density_ratio;
  LibraryFigures library = given;
  HallSizes hall;
  hall.asked = asked;
  hall.node = node;
  hall.climate = climate;
  if (hall.asked.cooling.empty()) hall.asked.cooling = usual_cooling(node);
  demand_fit(hall.asked, node, climate);
  hall.set = set_points(hall.asked.cooling, climate);
  hall.set.facility_c += asked.warmer_k;
  hall.set.coolant_c += asked.warmer_k;
  move_to_site(library, climate.density_ratio);
  if (hall.asked.cooling == "dry_coolers" && climate.coldest_c < frost_c) {
    hall.facility_coolant = "pg25";
    fill_with_glycol(library, hall.set.facility_c);
  }
  hall.racks =
      size_racks(asked.gpus, node, asked.nodes_per_rack > 0 ? asked.nodes_per_rack : usual_nodes_per_rack(node));
  report_rounding(hall);
  size_liquid(library, hall);
  size_doors(library, hall);
  hall.plan = plan_blocks(asked.redundancy, hall.racks.racks, hall.racks.it_w);
  const double cdu_pump_w = hall.loops ? hall.loops->pump_w : 0.0;
  const double cdu_pumps_w = hall.loops ? hall.loops->loops * hall.loops->cdus * cdu_pump_w : 0.0;
  hall.block = size_ups(hall.plan, hall.racks.rack_w, cdu_pumps_w, hall.plan.blocks > 2 ? cdu_pump_w : 0.0, library);
  size_around_ups(library, hall);
  return hall;
}

}  // namespace wattloop::twin
