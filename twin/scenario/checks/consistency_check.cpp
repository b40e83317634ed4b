#include "twin/scenario/checks/consistency_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"
#include "electrical/supplies/psu_curve.hpp"
#include "physics/fluids/fluid.hpp"
#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

using Path = FilePath;

constexpr int known_format = 1;

/// A day that exists and a time of it, as results name the zero of their times: no fraction, no zone.
bool is_time_stamp(std::string_view text) {
  constexpr std::string_view form = "2026-07-15T00:00:00";
  const std::optional<LocalTime> time = parse_local_time(text);
  return time && !time->utc_offset_s && text.size() == form.size() && text[form.find('T')] == 'T';
}

class Checker {
 public:
  Checker(const Node& root, Problems& problems) : root_(root), problems_(problems) {}

  void refuse(const Path& keys, std::string message, std::string hint = {}) {
    problems_.add(problem_at(mention_of(root_, keys), std::move(message), std::move(hint)));
  }

  /// "; count is in line 12": where the other value stands, behind a hint at the first; empty where no one wrote it.
  std::string beside(const Path& keys, const Path& other, std::string_view is = "") const {
    const Node* node = find_path(root_, other);
    if (node == nullptr) return {};
    return fmt::format("; {}in {}", is, other_place(node->place, mention_of(root_, keys).place));
  }

 private:
  const Node& root_;
  Problems& problems_;
};

void check_head(const ScenarioDraft& draft, Checker& checker) {
  if (draft.format > known_format) {
    checker.refuse({"format"}, fmt::format("format {} is not known", draft.format),
                   fmt::format("this Wattloop reads format {}", known_format));
  }
  if (!is_time_stamp(draft.scenario.start)) {
    checker.refuse({"start"}, fmt::format("start: '{}' is not a time", draft.scenario.start),
                   "write local standard time as in 2026-07-15T00:00:00");
  }
}

std::string count_beside(const RacksSpec& racks, const Checker& checker) {
  return checker.beside(inside(racks.path, {"rows"}), inside(racks.path, {"count"}), "count is ");
}

void check_racks(const RacksSpec& racks, Checker& checker) {
  if (racks.rows.size() == 1 && racks.rows.front() > racks.count) {
    checker.refuse(inside(racks.path, {"rows"}),
                   fmt::format("there are more rows ({}) than racks ({})", racks.rows.front(), racks.count),
                   fmt::format("every row needs at least one rack{}", count_beside(racks, checker)));
  }
  const int in_rows = std::accumulate(racks.rows.begin(), racks.rows.end(), 0);
  if (racks.rows.size() > 1 && in_rows != racks.count) {
    checker.refuse(inside(racks.path, {"rows"}),
                   fmt::format("rows hold {} racks, but there are {}", in_rows, racks.count),
                   fmt::format("a list gives the racks of each row{}", count_beside(racks, checker)));
  }
  const NodeHardware& node = racks.hardware;
  const bool has_all = node.coolant_pressure_drop_pa > 0.0 && node.rack_liquid_volume_per_node_m3 > 0.0;
  if (node.takes_coolant() && !has_all) {
    checker.refuse(inside(racks.path, {"hardware"}),
                   fmt::format("node {} has a coolant flow, but no pressure drop or no volume", node.name),
                   "coolant_design_flow needs coolant_pressure_drop and liquid_volume");
  }
  for (const NodeUnits& units : node.units) {
    const auto refuse_medium = [&](const char* medium, const char* key) {
      checker.refuse(
          inside(racks.path, {"hardware"}),
          fmt::format("unit '{}' gives heat to {}, which node {} does not have", units.name, medium, node.name),
          fmt::format("the node needs {}", key));
    };
    if (units.liquid_share_fraction > 0.0 && !node.takes_coolant()) refuse_medium("coolant", "coolant_design_flow");
    if (units.air_share_fraction > 0.0 && node.airflow_kg_per_s <= 0.0) refuse_medium("air", "airflow");
  }
  for (const std::string& message : electrical::check(node.psu)) {
    checker.refuse(inside(racks.path, {"hardware", "psu"}), message);
  }
  for (const std::string& message : workload::check(node.inlet_air)) {
    checker.refuse(inside(racks.path, {"hardware", "inlet_air"}), message);
  }
  if (node.has_fan_control && node.fan_w > node.split.base_w) {
    checker.refuse(
        inside(racks.path, {"hardware", "fan_power"}),
        fmt::format("fan_power: {} is more than the base_power of {} that it is part of",
                    format_quantity(node.fan_w, "W"), format_quantity(node.split.base_w, "W")),
        "base_power of the split is the power that does not follow the GPUs; it includes fans at full speed");
  }
  for (const std::string& message : workload::check(node.fans)) {
    checker.refuse(inside(racks.path, {"hardware", "fans"}), message);
  }
}

void check_ups(const PowerSpec& power, Checker& checker) {
  const auto check = [&](const electrical::Ups::Params& ups, const Path& keys) {
    if (ups.shutdown_air_k > ups.rated_air_k) return;
    checker.refuse(keys, fmt::format("shutdown_air_temperature: {} is not above rated_air_temperature of {}",
                                     format_quantity(ups.shutdown_air_k, "K"), format_quantity(ups.rated_air_k, "K")));
  };
  if (power.is_of_one_block() && !power.is_without_ups) check(power.ups, {"power", "ups", "hardware"});
  for (const PowerBlockSpec& block : power.named_blocks) {
    if (!block.is_without_ups) check(block.ups, {"power", "blocks", block.name, "ups", "hardware"});
  }
}

void check_counts(const Scenario& scenario, Checker& checker) {
  for (const RacksSpec& racks : scenario.racks) check_racks(racks, checker);
  check_ups(scenario.power, checker);
  for (const std::string& message : network::check(scenario.network.switches)) {
    checker.refuse({"hall", "network", "hardware"}, message);
  }
  const int radix = scenario.network.tree.radix;
  if (scenario.network.is_given && !scenario.network.fabric.is_modelled() && (radix < 4 || radix % 2 != 0)) {
    checker.refuse({"hall", "network", "radix"},
                   fmt::format("radix: a fat tree cannot consist of {}-port switches", radix),
                   "write an even number of at least 4");
  }
}

/// Beyond some flow its pressure must fall: nothing else would end the flow.
void check_cdu_pump(const LoopsSpec& loops, Checker& checker) {
  const physics::PumpParams& pump = loops.pump;
  if (pump.quadratic_pa_s2_per_m6 < 0.0 || (pump.quadratic_pa_s2_per_m6 == 0.0 && pump.linear_pa_s_per_m3 <= 0.0))
    return;
  checker.refuse(inside(loops.path, {"hardware", "pump", "pressure_per_flow_squared"}),
                 "pressure_per_flow_squared: with this value the pump pressure rises with the flow without limit",
                 "write a negative value");
}

/// Of the flow in a pressure drop: laminar to rough.
void check_exponent(const Path& keys, double exponent, Checker& checker) {
  if (exponent >= 1.0 && exponent <= 2.0) return;
  checker.refuse(keys, fmt::format("{}: {:g} is not a valid exponent of the flow", keys.back(), exponent),
                 "write 1 to 2");
}

void check_spread(const Path& keys, double spread_ratio, Checker& checker) {
  if (spread_ratio <= LoopsSpec::largest_spread_ratio) return;
  checker.refuse(keys,
                 fmt::format("{} is a standard deviation of more than {:.0f} % of the mean", keys.back(),
                             100.0 * LoopsSpec::largest_spread_ratio),
                 "write a smaller value: with a larger standard deviation, racks would have no flow");
}

void check_pumps(const Path& keys, const WaterPumpsSpec& pumps, Checker& checker) {
  if (!pumps.is_given) return;
  if (pumps.duty > pumps.count)
    checker.refuse(inside(keys, {"duty"}),
                   fmt::format("there are more pumps on duty ({}) than pumps ({})", pumps.duty, pumps.count),
                   "the pumps that are not on duty are on standby: count must be at least duty");
  constexpr double most_in_headers = 0.9;
  if (pumps.header_pressure_drop_pa > most_in_headers * pumps.pump.pressure_pa)
    checker.refuse(
        inside(keys, {"header_pressure_drop"}),
        fmt::format("header_pressure_drop: with a rated pump pressure of {}, no pressure is left for the last user",
                    format_quantity(pumps.pump.pressure_pa, "Pa")),
        "write at most nine tenths of the rated pressure of the pumps");
}

void check_facility(const FacilitySpec& facility, const Scenario& scenario, Checker& checker) {
  check_pumps(inside(facility.path, {"pumps"}), facility.pumps, checker);
  const std::string water = facility.name == "facility" ? "facility water" : "water of " + facility.name;
  if (!facility.towers.is_given) {
    if (facility.pumps.is_given && scenario.parts.empty()) {
      checker.refuse(inside(facility.path, {"pumps"}), water + " has pumps but no towers",
                     "delete the pumps: without towers, or `parts` that cool it, this water comes from outside at a "
                     "given temperature");
    }
    if (!facility.pumps.is_given) return;
  }
  if (facility.differential_pressure_pa > 0.0) {
    checker.refuse(inside(facility.path, {"differential_pressure"}),
                   fmt::format("differential_pressure: {} has pumps of its own, which make the pressure", water),
                   "delete it, or delete pumps and towers: only water from outside has a controlled pressure");
  }
  if (!facility.pumps.is_given) {
    checker.refuse(inside(facility.path, {"pumps"}), water + " has towers but no pumps",
                   fmt::format("{} needs 'pumps'", fmt::join(facility.path, ".")));
  }
  if (facility.towers.is_given && facility.coolant != "water") {
    checker.refuse(inside(facility.path, {"coolant"}),
                   fmt::format("coolant: towers would spray the {} of {} into the air", facility.coolant, water),
                   "write coolant: water, or dry coolers under `parts` instead of towers; a plate exchanger separates "
                   "the two liquids");
  }
  if (facility.towers.is_given && facility.towers.tower.concentration_cycles_ratio <= 1.0) {
    checker.refuse(inside(facility.path, {"towers", "hardware", "concentration_cycles"}),
                   "concentration_cycles: with a ratio of 1 or less, the make-up water is infinite",
                   "write a ratio above 1");
  }
  if (facility.volume_m3 <= 0.0) {
    checker.refuse(inside(facility.path, {"volume"}),
                   fmt::format("{} has {} but no volume", water, facility.towers.is_given ? "towers" : "pumps"),
                   fmt::format("{} needs 'volume': the water in its pipes", fmt::join(facility.path, ".")));
  }
}

/// Machines are built with some kelvin between refrigerant and water; more than this is a slip of unit or sign.
void check_pinch(const FilePath& chillers, const char* key, double pinch_k, Checker& checker) {
  constexpr double largest_pinch_k = 20.0;
  if (pinch_k <= largest_pinch_k) return;
  checker.refuse(inside(chillers, {"hardware", key}),
                 fmt::format("{}: a difference of {:g} K is too large for a chiller", key, pinch_k),
                 fmt::format("write a difference of at most {:g} K, usually 1 to 5 K", largest_pinch_k));
}

void check_chilled_water(const Scenario& scenario, const ChilledWaterSpec& water, Checker& checker) {
  const CoolingSpec& cooling = scenario.cooling;
  check_pumps(inside(water.path, {"pumps"}), water.pumps, checker);
  if (!water.chillers.is_given) {
    if (!scenario.parts.empty()) return;  // see check_part_ways
    checker.refuse(water.path, words_for(water) + " has pumps but no chillers",
                   fmt::format("delete {}: without chillers, or `parts` that cool it, this water comes from outside at "
                               "a given temperature",
                               water.name));
    return;
  }
  const FilePath chillers = inside(water.path, {"chillers"});
  const FacilitySpec* condenser = find_water(cooling, water.condenser);
  const bool is_reported = condenser == nullptr && !cooling.water.empty();  // by the check of names
  const bool is_cooled = condenser != nullptr &&
                         (condenser->towers.is_given || makes_water(scenario, condenser->name) ||
                          (condenser->pumps.is_given && !scenario.parts.empty()));  // the check of the water reports it
  if (!is_reported && !is_cooled) {
    checker.refuse(chillers, "there are no towers that take the heat of the chillers' condensers",
                   condenser != nullptr ? fmt::format("{} needs 'towers'", fmt::join(condenser->path, "."))
                                        : "hall.cooling.facility needs 'towers'");
  }
  check_pinch(chillers, "evaporator_pinch", water.chillers.chiller.evaporator_pinch_k, checker);
  check_pinch(chillers, "condenser_pinch", water.chillers.chiller.condenser_pinch_k, checker);
  if (water.chillers.stage_down_fraction >= water.chillers.stage_up_fraction) {
    checker.refuse(inside(chillers, {"stage_down"}),
                   "stage_down is not below stage_up: chillers would stop at the load at which they start",
                   fmt::format("write a stage_down below stage_up, which is {}",
                               format_quantity(water.chillers.stage_up_fraction, "1")));
  }
}

/// A set-point must be one at which what it is for is neither ice nor steam.
void check_liquid(const Path& keys, const char* fluid_name, double set_k, Checker& checker) {
  const physics::Fluid& fluid = physics::find_fluid(fluid_name);
  if (set_k >= fluid.lowest_k && set_k <= fluid.highest_k) return;
  const std::string& key = keys.back();
  checker.refuse(
      keys, fmt::format("{}: {} is outside the range of {}", key, format_quantity(set_k, "K"), fluid.name),
      fmt::format("from {} to {}", format_quantity(fluid.lowest_k, "K"), format_quantity(fluid.highest_k, "K")));
}

void check_air(const Path& keys, const CrahsSpec& crahs, Checker& checker) {
  constexpr double coldest_k = 273.15, hottest_k = 333.15;
  if (!crahs.is_given || (crahs.air_k > coldest_k && crahs.air_k < hottest_k)) return;
  checker.refuse(
      keys, fmt::format("air_temperature: {} is not a possible set-point of a room", format_quantity(crahs.air_k, "K")),
      fmt::format("write a value between {} and {}", format_quantity(coldest_k, "K"), format_quantity(hottest_k, "K")));
}

void check_set_points(const Scenario& scenario, Checker& checker) {
  const CoolingSpec& cooling = scenario.cooling;
  for (const LoopsSpec& loops : cooling.loops)
    check_liquid(inside(loops.path, {"supply_temperature"}), loops.coolant.c_str(), loops.supply_k, checker);
  for (const FacilitySpec& water : cooling.water)
    check_liquid(inside(water.path, {"supply_temperature"}), water.coolant.c_str(), water.supply_k, checker);
  for (const CoilWater& water : coil_waters(cooling)) {
    if (std::isfinite(water.supply_k)) check_liquid(water.path, "water", water.supply_k, checker);
  }
  for (const CrahsSpec& crahs : cooling.crahs) check_air(inside(crahs.path, {"air_temperature"}), crahs, checker);
  if (scenario.power.rooms.is_given)
    check_air({"power", "rooms", "crahs", "air_temperature"}, scenario.power.rooms.crahs, checker);
}

void check_event_times(const Scenario& scenario, Problems& problems) {
  for (const EventSpec& event : scenario.events) {
    if (event.at_s <= scenario.duration_s) continue;
    problems.add({event.place,
                  fmt::format("event after {}, but the run ends after {}", format_quantity(event.at_s, "s"),
                              format_quantity(scenario.duration_s, "s")),
                  "", event.excerpt});
  }
}

}  // namespace

FilePath inside(FilePath path, const FilePath& keys) {
  path.insert(path.end(), keys.begin(), keys.end());
  return path;
}

const Node& mention_of(const Node& root, const FilePath& keys) {
  const Node* node = &root;
  for (const std::string& key : keys) {
    const Node* next = find(*node, key);
    if (next == nullptr) break;
    node = next;
  }
  return *node;
}

const Node* find_path(const Node& root, const FilePath& keys) {
  const Node* node = &root;
  for (const std::string& key : keys) {
    if (node != nullptr) node = find(*node, key);
  }
  return node;
}

void check_consistency(const Node& root, const ScenarioDraft& draft, Problems& problems) {
  const Scenario& scenario = draft.scenario;
  Checker checker(root, problems);
  check_head(draft, checker);
  check_counts(scenario, checker);
  for (const LoopsSpec& loops : scenario.cooling.loops) {
    check_cdu_pump(loops, checker);
    check_exponent(inside(loops.path, {"rack_pressure_exponent"}), loops.rack_pressure_exponent, checker);
    check_spread(inside(loops.path, {"rack_flow_spread"}), loops.rack_flow_spread_ratio, checker);
    check_exponent(inside(loops.path, {"hardware", "internal_pressure_exponent"}), loops.cdu.internal_pressure_exponent,
                   checker);
  }
  for (const FacilitySpec& water : scenario.cooling.water) check_facility(water, scenario, checker);
  for (const ChilledWaterSpec& water : scenario.cooling.chilled_water) check_chilled_water(scenario, water, checker);
  check_coil_set_points(root, scenario.cooling, problems);
  check_set_points(scenario, checker);
  check_taken_names(root, scenario, problems);
  check_hangs_on(root, scenario, ReadSoFar::all, problems);
  check_rooms(root, scenario, problems);
  check_part_ways(root, scenario, ReadSoFar::all, problems);
  check_fabric(root, scenario, problems);
  check_event_times(scenario, problems);
}

void check_names(const Node& root, const Scenario& scenario, Problems& problems) {
  check_taken_names(root, scenario, problems);
  check_hangs_on(root, scenario, ReadSoFar::names, problems);
  check_part_ways(root, scenario, ReadSoFar::names, problems);
}

}  // namespace wattloop::twin
