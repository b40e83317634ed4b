// The section `cooling` of a sized hall, and parts that reject its heat.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "twin/sizing/sized_cooling_text.hpp"
#include "twin/sizing/sized_text.hpp"

namespace wattloop::twin {

namespace {

constexpr double room_m3 = 34.0, mass_kj_per_k = 625.0, mass_w_per_k = 440.0;  // of a rack of the reference hall
constexpr double facility_m3_per_mw = 5.0, chilled_m3_per_mw = 6.0;            // of the reference hall, rounded

double volume_m3(double heat_w, double m3_per_mw) {
  constexpr double least_m3 = 2.0;
  return std::ceil(std::max(least_m3, heat_w / 1e6 * m3_per_mw));
}

std::string loops_text(const HallSizes& hall) {
  if (!hall.loops) return {};
  const LoopSizes& loops = *hall.loops;
  return fmt::format(
      "    # Coolant loops. {} racks of a loop give {} at nameplate to coolant, which {:.0f} kPa between the headers "
      "let return\n"
      "    # {:.1f} K warmer. One CDU may be out: each of the other {} carries {} of its {} and moves {:.1f} kg/s.\n"
      "    loops:\n"
      "      count: {}\n      cdus: {}                        # {} on duty and one more, in each loop\n      hardware: "
      "{}\n      coolant: pg25\n"
      "      supply_temperature: {:.0f} degC    # {:.0f} K above the facility water\n"
      "      volume: {:.0f} L                 # 75 L a rack, as the reference hall has\n"
      "      differential_pressure: {:.0f} kPa\n",
      loops.racks_per_loop, watts(loops.duty_heat_w * (loops.cdus - 1)), loops.differential_pressure_pa / 1e3,
      loops.rise_k, loops.cdus - 1, watts(loops.duty_heat_w), watts(loops.cdu.rated_w), loops.duty_kg_per_s,
      loops.loops, loops.cdus, loops.cdus - 1, loops.cdu.name, hall.set.coolant_c,
      hall.set.coolant_c - hall.set.facility_c, loops.volume_m3 * 1e3, loops.differential_pressure_pa / 1e3);
}

/// Why the facility water is as warm as it is.
std::string facility_reason(const HallSizes& hall) {
  if (hall.loop_chillers) return "made by air-cooled chillers under parts: colder than any air outside would make it";
  const double bulb_c = hall.dry_coolers ? hall.climate.dry_bulb_c : hall.climate.wet_bulb_c;
  const double approach_k = std::floor(hall.set.facility_c - bulb_c);
  return fmt::format("at least {:.0f} K above the highest {}-bulb temperature of {:.1f} degC, and at least 24 degC",
                     approach_k, hall.dry_coolers ? "dry" : "wet", bulb_c);
}

/// What the pumps of the facility water move.
std::string pumps_reason(const HallSizes& hall) {
  if (!hall.loops)
    return "condensers have pumps of their own, so that one keeps the headers filled and one more stands by";
  return fmt::format(
      "{} CDUs with open valves take {:.0f} kg/s; {} of 77 kg/s carry that with 5 % to spare, one more stands by",
      hall.loops->loops * hall.loops->cdus, hall.loops->facility_kg_per_s, hall.facility_duty);
}

/// Glycol where the coldest air asks for it.
std::string liquid_text(const HallSizes& hall) {
  if (hall.facility_coolant == "water") return {};
  return fmt::format(
      "      coolant: {}                    # air of {:.1f} degC would freeze water in dry coolers that stand; "
      "exchangers "
      "are sized for it\n",
      hall.facility_coolant, hall.climate.coldest_c);
}

std::string facility_text(const HallSizes& hall) {
  const double heat_w = hall.loop_chillers ? hall.racks.liquid_w : hall.rejected_w();
  std::string text = fmt::format(
      "    # Facility water of {}: {}.\n    # Pumps: {}.\n"
      "    facility:\n{}      supply_temperature: {:.0f} degC\n      volume: {:.0f} m3                   # 5 m3 for "
      "each "
      "MW, as the "
      "reference hall has\n      pumps: {{ count: {}, duty: {}, hardware: water_pump_77kgs }}\n",
      hall.loops ? "CDUs" : "condensers", facility_reason(hall), pumps_reason(hall), liquid_text(hall),
      hall.set.facility_c, volume_m3(heat_w, facility_m3_per_mw), hall.facility_duty + 1, hall.facility_duty);
  if (hall.towers) {
    const RejectorSizes& towers = *hall.towers;
    text += fmt::format(
        "      # Cells: {} of {}chilled water and compressors, and {:.0f} kg/s through {}condensers. Each carries {} "
        "and\n"
        "      # moves {:.1f} kg/s: {} with 10 % on heat and 5 % on flow, and one more.\n"
        "      towers: {{ count: {}, hardware: {} }}\n",
        watts(towers.heat_w), hall.loops ? "coolant, " : "", towers.flow_kg_per_s, hall.loops ? "CDUs and " : "",
        watts(towers.each_w), towers.rejector.water_kg_per_s, towers.count - 1, towers.count, towers.rejector.name);
  }
  return text;
}

std::string doors_text(const HallSizes& hall) {
  if (!hall.door) return {};
  return fmt::format(
      "    # Rear doors: a rack gives {} to {:.2f} kg/s of air; the smallest door for 1.3 times that, or the largest, "
      "takes {}.\n"
      "    # Water of {:.0f} degC stays {:.0f} K above the dew point of the room.\n"
      "    rear_doors: {{ hardware: {}, supply_temperature: {:.0f} degC }}\n",
      watts(hall.racks.rack_air_w), hall.racks.airflow_kg_per_s, watts(hall.door->rated_w), hall.set.chilled_c,
      hall.set.chilled_c - hall.set.dew_point_c, hall.door->name, hall.set.chilled_c);
}

std::string chilled_text(const HallSizes& hall) {
  const ChillerSizes& chillers = hall.chillers;
  std::string text = fmt::format(
      "    # Chilled water of {}air handlers: {} of air, of losses of PDUs and UPS and of fans. Coils with "
      "open\n"
      "    # valves take {:.0f} kg/s; {} of 72 kg/s carry that with 5 % to spare, one more stands by.\n"
      "    chilled_water:\n",
      hall.door ? "doors and " : "", watts(chillers.heat_w), chillers.flow_kg_per_s, hall.chilled_duty);
  if (!hall.door) text += fmt::format("      supply_temperature: {:.0f} degC\n", hall.set.chilled_c);
  text += fmt::format(
      "      volume: {:.0f} m3                   # 6 m3 for each MW, as the reference hall has\n"
      "      pumps: {{ count: {}, duty: {}, hardware: water_pump_72kgs }}\n",
      volume_m3(chillers.heat_w, chilled_m3_per_mw), hall.chilled_duty + 1, hall.chilled_duty);
  if (hall.are_chillers_in_air()) return text;
  return text + fmt::format(
                    "      # Machines: {} of {} and {:.0f} kg/s with 10 % on heat and 5 % on flow, and one more. They "
                    "start at that load "
                    "so that\n      # their pumps move what coils take.\n"
                    "      chillers: {{ count: {}, hardware: {}, stage_up: {:.0f} %, stage_down: {:.0f} % }}\n",
                    chillers.duty, watts(chillers.chiller.rated_w), chillers.chiller.chilled_kg_per_s, chillers.count,
                    chillers.chiller.name, 100.0 * chillers.stage_up_fraction, 100.0 * chillers.stage_down_fraction);
}

std::string air_text(const HallSizes& hall) {
  const int racks = hall.racks.racks;
  const std::string heat = hall.room_heat_w > 0.0 ? fmt::format("{} of {} and PDUs", watts(hall.room_heat_w),
                                                                hall.door ? "what doors leave" : "racks")
                                                  : "Doors take more than racks and PDUs give";
  return fmt::format(
      "    # Air handlers: {}. With {:.0f} K between air and water each takes {} beyond its fan: 15 % on heat, one\n"
      "    # more, and never fewer than two.\n"
      "    crahs: {{ count: {}, hardware: {}, air_temperature: {:.0f} degC }}\n"
      "    # The room: 34 m3, 625 kJ/K and 440 W/K for each rack, as the reference hall has; make-up air is dried to "
      "that dew point.\n"
      "    room: {{ volume: {:.0f} m3, mass_heat_capacity: {:.0f} kJ/K, mass_conductance: {:.0f} W/K, humidity: {{ "
      "dew_point: {:.0f} degC }} }}\n",
      heat, hall.set.room_c - hall.set.chilled_c, watts(hall.crahs.net_w), hall.crahs.count, hall.crahs.crah.name,
      hall.set.room_c, room_m3 * racks, mass_kj_per_k * racks, mass_w_per_k * racks, hall.set.dew_point_c);
}

std::string air_chillers_text(const char* name, const char* water, const ChillerSizes& chillers) {
  return fmt::format(
      "  # {} and {:.0f} kg/s: {} with 10 % on heat and 5 % on flow, and one more.\n"
      "  {}: {{ hardware: {}, count: {}, chilled: {{ from: {}.return, to: {}.supply }} }}\n",
      watts(chillers.heat_w), chillers.flow_kg_per_s, chillers.duty, name, chillers.chiller.name, chillers.count, water,
      water);
}

}  // namespace

std::string sized_cooling_text(const HallSizes& hall) {
  return "  cooling:\n" + loops_text(hall) + facility_text(hall) + doors_text(hall) + chilled_text(hall) +
         air_text(hall);
}

std::string sized_parts_text(const HallSizes& hall) {
  if (hall.dry_coolers) {
    const RejectorSizes& coolers = *hall.dry_coolers;
    const std::string in_air = !hall.are_chillers_in_air()
                                   ? ""
                                   : "  # Air-cooled chillers: facility water is too warm for condensers.\n" +
                                         air_chillers_text("air_chiller", "chilled_water", hall.chillers);
    return fmt::format(
               "\n# Dry coolers for {} of coolant{}. In air of {:.1f} degC each makes "
               "water of {:.0f} degC\n"
               "# from {}: 10 % on heat, and one more.\n"
               "parts:\n  cooler: {{ hardware: {}, count: {}, liquid: {{ from: facility.return, to: facility.supply }} "
               "}}\n",
               watts(coolers.heat_w), in_air.empty() ? ", chilled water and compressors" : "", hall.climate.dry_bulb_c,
               hall.set.facility_c, watts(coolers.each_w), coolers.rejector.name, coolers.count) +
           in_air;
  }
  if (!hall.loop_chillers) return {};
  return "\n# Air-cooled chillers: one group for the water of CDUs, one for that of doors and air handlers.\nparts:\n" +
         air_chillers_text("loop_chiller", "facility", *hall.loop_chillers) +
         air_chillers_text("air_chiller", "chilled_water", hall.chillers);
}

}  // namespace wattloop::twin
