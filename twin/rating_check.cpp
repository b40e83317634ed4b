#include "twin/rating_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/units.hpp"
#include "physics/fluid.hpp"
#include "twin/nameplate_load.hpp"

namespace wattloop::twin {

namespace {

/// Those that are left when one of several is lost.
int without_one(int count) { return count > 1 ? count - 1 : count; }

/// "5 of 6 chillers", or "the chiller" of one.
std::string some_of(int some, int count, std::string_view one, std::string_view many) {
  return count > 1 ? fmt::format("{} of {} {}", some, count, many) : fmt::format("the {}", one);
}

class Ratings {
 public:
  void heat(std::string equipment, double rated_w, std::string must_carry, double load_w) {
    list_.push_back({std::move(equipment), std::move(must_carry), rated_w, load_w, "W"});
  }
  void flow(std::string equipment, double rated_kg_per_s, std::string must_carry, double load_kg_per_s) {
    list_.push_back({std::move(equipment), std::move(must_carry), rated_kg_per_s, load_kg_per_s, "kg/s"});
  }
  void speed(std::string equipment, double highest_fraction, std::string must_carry, double needed_fraction) {
    list_.push_back({std::move(equipment), std::move(must_carry), highest_fraction, needed_fraction, "1"});
  }
  std::vector<Rating> take() { return std::move(list_); }

 private:
  std::vector<Rating> list_;
};

/// Speed at which the pumps of so many CDUs hold the pressure of their loop: n^2 a + n b Q + c Q^2 = d Q^2 + dp.
double pump_speed_needed(const Scenario& scenario, int cdus, int racks) {
  const LoopsSpec& loops = scenario.cooling.loops;
  const NodeHardware& node = scenario.racks.hardware;
  const double density = physics::find_fluid(loops.coolant).density_kg_per_m3(loops.supply_k);
  const double racks_kg_per_s = racks * scenario.racks.nodes * node.coolant_design_flow_kg_per_s *
                                std::sqrt(loops.differential_pressure_pa / node.coolant_pressure_drop_pa);
  const double one_kg_per_s = racks_kg_per_s / cdus, flow_m3_per_s = one_kg_per_s / density;
  const double inside_pa = loops.cdu.internal_pressure_drop_pa *
                           std::pow(one_kg_per_s / loops.cdu.technology_design_flow_kg_per_s, 2);
  const double missing_pa = inside_pa + loops.differential_pressure_pa -
                            loops.pump.quadratic_pa_s2_per_m6 * flow_m3_per_s * flow_m3_per_s;
  const double linear_pa = loops.pump.linear_pa_s_per_m3 * flow_m3_per_s;
  const double shutoff_pa = loops.pump.shutoff_pressure_pa;
  return (std::sqrt(linear_pa * linear_pa + 4.0 * shutoff_pa * missing_pa) - linear_pa) / (2.0 * shutoff_pa);
}

void add_racks(const Scenario& scenario, const NameplateLoad& load, Ratings& list) {
  const LoopsSpec& loops = scenario.cooling.loops;
  const NodeHardware& node = scenario.racks.hardware;
  const double door_w = scenario.cooling.doors.door.rated_heat_w;
  list.heat("the power supplies of a node", node.psu.rated_w, "nameplate of the node", node.nameplate_w);
  list.heat("a rear door", door_w, "air heat of a rack", load.rack_air_w);
  if (scenario.network.is_given)
    list.heat("a rear door", door_w, "heat of a network rack", load.network_rack_w);
  const int cdus = without_one(loops.cdus);
  const int racks_of_loop = (scenario.racks.count + loops.count - 1) / loops.count;
  list.heat(some_of(cdus, loops.cdus, "CDU of a loop", "CDUs of a loop"), cdus * loops.cdu.rated_heat_w,
            "liquid heat of its racks", racks_of_loop * load.rack_liquid_w);
  if (loops.differential_pressure_pa > 0.0) {
    list.speed("pumps of " + some_of(cdus, loops.cdus, "CDU of a loop", "CDUs of a loop"), loops.pump_speed_fraction,
               fmt::format("speed that holds {}", format_quantity(loops.differential_pressure_pa, "Pa")),
               pump_speed_needed(scenario, cdus, racks_of_loop));
  }
}

void add_air_handlers(const Scenario& scenario, const NameplateLoad& load, Ratings& list) {
  const CoolingSpec& cooling = scenario.cooling;
  const PowerSpec& power = scenario.power;
  const auto at_set_point = [](const CrahsSpec& crahs) {
    return fmt::format("at {}", format_quantity(crahs.air_k, "K"));
  };
  const auto capacity_w = [&](const CrahsSpec& crahs) {
    return crah_capacity_w(crahs, cooling.doors.supply_k);
  };
  if (cooling.crahs.is_given) {
    const int count = without_one(cooling.crahs.count);
    list.heat(some_of(count, cooling.crahs.count, "air handler of the hall", "air handlers of the hall"),
              count * capacity_w(cooling.crahs), "heat that doors leave, " + at_set_point(cooling.crahs),
              load.hall_air_w);
  }
  if (!power.rooms.is_given) return;
  const CrahsSpec& crahs = power.rooms.crahs;
  const int count = without_one(crahs.count);
  list.heat(some_of(count, crahs.count, "air handler of a UPS room", "air handlers of a UPS room"),
            count * capacity_w(crahs), "UPS loss, " + at_set_point(crahs), load.shared_ups_loss_w);
  if (power.sides() == 1) return;
  list.heat("all air handlers of a UPS room", crahs.count * capacity_w(crahs),
            "UPS loss with the other side lost", load.side_ups_loss_w);
}

void add_chilled_water(const ChilledWaterSpec& water, const NameplateLoad& load, Ratings& list) {
  if (!water.is_given) return;
  const ChillersSpec& chillers = water.chillers;
  const int count = without_one(chillers.count);
  const std::string some = some_of(count, chillers.count, "chiller", "chillers");
  list.heat(some, count * chillers.chiller.rated_heat_w, "heat of doors and air handlers", load.chilled_w);
  list.flow(some, count * chillers.chilled_pump.rated_flow_kg_per_s, "water of doors and air handlers",
            load.door_flow_kg_per_s);
  list.flow("the condenser pump of a chiller", chillers.condenser_pump.rated_flow_kg_per_s,
            "condenser water of a chiller", chillers.chiller.condenser_design_flow_kg_per_s);
  list.flow(some_of(water.pumps.duty, water.pumps.count, "chilled-water pump", "chilled-water pumps"),
            water.pumps.duty * water.pumps.pump.rated_flow_kg_per_s, "water of doors and air handlers",
            load.door_flow_kg_per_s);
}

void add_facility(const CoolingSpec& cooling, const NameplateLoad& load, Ratings& list) {
  const FacilitySpec& facility = cooling.facility;
  const TowersSpec& towers = facility.towers;
  if (!towers.is_given) return;
  const int count = without_one(towers.count);
  const std::string some = some_of(count, towers.count, "tower cell", "tower cells");
  const double condensers_kg_per_s =
      load.chillers_needed * cooling.chilled_water.chillers.condenser_pump.rated_flow_kg_per_s;
  list.flow(some_of(facility.pumps.duty, facility.pumps.count, "facility pump", "facility pumps"),
            facility.pumps.duty * facility.pumps.pump.rated_flow_kg_per_s, "all CDUs with open valves",
            load.cdu_facility_flow_kg_per_s);
  list.heat(some, count * towers.tower.rated_heat_w, "all heat of the facility water", load.facility_w);
  list.flow(some, count * towers.pump.rated_flow_kg_per_s, "CDUs with open valves, condensers",
            load.cdu_facility_flow_kg_per_s + (load.chillers_needed > 0 ? condensers_kg_per_s : 0.0));
}

void add_power(const PowerSpec& power, const NameplateLoad& load, Ratings& list) {
  const std::string side = power.sides() > 1 ? " of a side" : "";
  const std::string all = power.sides() > 1 ? ", alone" : "";
  list.heat("a PDU", power.pdu.rated_w, "its racks" + all, load.fullest_pdu_w);
  list.heat("the UPS" + side, power.ups_modules * power.ups.rated_w, "racks, PDUs, CDU pumps" + all,
            load.side_ups_w);
  list.heat("the transformers" + side, power.transformers * power.transformer.rated_va,
            "the whole hall" + all, load.side_transformers_w);
  if (power.generators.is_given) {
    list.heat("the generators" + side, power.generators.count * power.generators.generator.rated_w,
              "the whole hall" + all, load.side_feed_w);
  }
  if (power.has_substation) {
    list.heat("the substation" + side, power.substation.rated_va, "the whole hall" + all, load.side_feed_w);
  }
}

}  // namespace

std::vector<Rating> ratings(const Scenario& scenario) {
  const NameplateLoad load = nameplate_load(scenario);
  Ratings list;
  add_racks(scenario, load, list);
  add_air_handlers(scenario, load, list);
  add_chilled_water(scenario.cooling.chilled_water, load, list);
  add_facility(scenario.cooling, load, list);
  add_power(scenario.power, load, list);
  return list.take();
}

std::string warning_text(const Rating& rating) {
  return fmt::format("{} must carry {}, {}, with a rating of {}", rating.equipment, rating.must_carry,
                     format_quantity(rating.load, rating.unit), format_quantity(rating.rating, rating.unit));
}

std::string rating_table(const std::vector<Rating>& ratings) {
  using Row = std::array<std::string, 5>;
  std::vector<Row> rows{{"equipment", "must carry, at nameplate", "load", "rating", "margin"}};
  for (const Rating& rating : ratings) {
    rows.push_back({rating.equipment, rating.must_carry, format_quantity(rating.load, rating.unit),
                    format_quantity(rating.rating, rating.unit),
                    fmt::format("{:.0f} %", 100.0 * rating.margin_fraction())});
  }
  std::array<std::size_t, 5> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:>{}}  {:>{}}\n", row[0], width[0], row[1], width[1],
                        row[2], width[2], row[3], width[3], row[4], width[4]);
  }
  return text;
}

}  // namespace wattloop::twin
