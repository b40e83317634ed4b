#include "twin/ratings/load_at_rating.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "physics/air/crah_unit.hpp"
#include "physics/water/chiller_machine.hpp"
#include "physics/water/dry_cooler.hpp"
#include "physics/water/loop_pressure.hpp"
#include "physics/water/tower_cell.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/ratings/power/redundant_parts.hpp"
#include "twin/ratings/power/supply_loads.hpp"
#include "twin/ratings/rated_loads.hpp"
#include "twin/ratings/sharing.hpp"
#include "twin/ratings/water_users.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/checks/section_parts.hpp"

namespace wattloop::twin {

namespace {

constexpr double full_speed_fraction = 0.995;  ///< below it, fans are reported slower than full in whole per cent

/// Equipment of the power tree that is rated, from the racks to the feed; kinds that are not named follow.
std::vector<std::string_view> power_kinds() {
  std::vector<std::string_view> kinds{"pdu", "ups", "transformer", "generator", "substation"};
  for (const electrical::ElectricalKind& kind : electrical::electrical_kinds()) {
    if (std::ranges::find(kinds, kind.name) == kinds.end()) kinds.push_back(kind.name);
  }
  return kinds;
}

/// "pumps of 2 chillers", "pump of 1 chiller": each has one.
std::string pumps_of(int count, const std::string& machine) {
  return fmt::format("{} of {}", count == 1 ? "pump" : "pumps", count_text(count, machine));
}

class Reader {
 public:
  Reader(const Scenario& scenario, const PlantSnapshot& snapshot)
      : scenario_(scenario),
        now_(snapshot),
        plant_(snapshot.plant),
        tree_(snapshot.plant.power_tree),
        rated_(rated_loads(snapshot.plant)) {
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch)
      branch_of_name_.emplace(tree_.branch_name[branch], branch);
  }

  std::vector<LoadAtRating> read() {
    read_racks();
    read_rated("cdu");
    read_loop_pumps();
    for (const RoomPart& room : plant_.rooms) read_room(room);
    for (const ChilledWaterSpec& water : scenario_.cooling.chilled_water) read_chilled_water(water);
    for (const FacilitySpec& water : scenario_.cooling.water) read_water_pumps(water);
    read_rated("tower");
    for (const FacilitySpec& water : scenario_.cooling.water) read_tower_pumps(water);
    for (const NamedPart& part : plant_.named) {
      const bool is_requested =
          find_written_kind(part.kind) != nullptr && (list_.empty() || list_.back().kind != part.kind);
      if (is_requested) read_rated(part.kind);
    }
    for (const std::string_view kind : power_kinds()) read_rated(kind);
    count_sharing(list_, now_);
    return std::move(list_);
  }

 private:
  double signal(std::size_t number) const { return now_.evaluation.signals[number]; }
  template <Part K>
  typename K::Now seen_by(std::size_t part) const {
    return parts_of<K>(plant_).now(part, [this](std::size_t number) { return signal(number); });
  }

  bool is_able(std::size_t motor) const {
    return now_.state.equipment.is_failed[motor] == 0 &&
           electrical::is_served(now_.state.switches, plant_.motors[motor].load);
  }
  const MotorGroup& group(std::string_view name) const {
    return *std::ranges::find(plant_.motor_groups, name, &MotorGroup::name);
  }
  int able_of(std::string_view group_name) const {
    return static_cast<int>(std::ranges::count_if(group(group_name).motors, [&](auto m) { return is_able(m); }));
  }

  void read_racks() {
    const ItEquipment& it = plant_.it;
    for (std::size_t rack = 0; rack < it.racks.size(); ++rack) {
      std::ranges::move(loads_of_supplies(now_, scenario_.racks[it.racks[rack].group], rack, fans_of(rack)),
                        std::back_inserter(list_));
    }
    for (const DoorPart& door : plant_.doors) {
      const bool is_of_network = door.rack.starts_with("network_"), is_of_storage = door.rack.starts_with("storage_");
      read_door(is_of_network ? "network door" : is_of_storage ? "storage door" : "door", door);
    }
  }

  /// Fans that turn slower draw less than the nameplate has.
  std::string fans_of(std::size_t rack) const {
    const double speed_fraction = now_.state.work.fan_fraction[rack];
    if (!(speed_fraction < full_speed_fraction)) return {};
    return fmt::format(", fans at {:.0f} %", 100.0 * speed_fraction);
  }

  void read_door(const char* kind, const DoorPart& door) {
    const double heat_w = now_.flow_kg_per_s(door.flow) * door.specific_heat_j_per_kg_k *
                          (now_.node_k(door.inside_node) - now_.node_k(door.from_node));
    list_.push_back({kind, "door of " + door.rack, "heat of rack and room air", heat_w, door.rated_heat_w, "W"});
  }

  void read_rated(std::string_view kind) {
    const auto count = std::ranges::count(rated_, kind, &RatedLoad::kind);
    const std::string of = count > 1 ? fmt::format(" of {}", count) : "";
    for (const RatedLoad& load : rated_) {
      if (load.kind != kind) continue;
      const auto branch = branch_of_name_.find(load.name);
      if (kind == physics::DryCooler::table.item) {
        read_dry_cooler(load, of);
        continue;
      }
      if (branch != branch_of_name_.end())
        read_branch(load, of, branch->second);
      else
        read_machine(load, of);
    }
  }

  std::string set_point_of_tower(const std::string& name) const {
    const auto& towers = parts_of<physics::TowerCell>(plant_);
    const auto now = seen_by<physics::TowerCell>(
        static_cast<std::size_t>(std::ranges::find(towers.names(), name) - towers.names().begin()));
    return fmt::format(", {} at a wet bulb of {}", format_quantity(now.set_point_k, "K"),
                       format_quantity(now.outside.wet_bulb_k, "K"));
  }

  /// What now leaves of its rating may be less.
  void read_machine(const RatedLoad& load, const std::string& of) {
    const double left_w = load.rated_in_service_w ? load.rated_in_service_w(now_) : load.rated_w;
    std::string carries(load.carries);
    if (left_w < load.rated_w && load.kind == physics::TowerCell::table.item) carries += set_point_of_tower(load.name);
    const double recharge_w = recharge_.carried_by_w(load.name);
    if (recharge_w > 0.0) carries += ", batteries recharging";
    list_.push_back({load.kind, load.name + of, std::move(carries), load.load_w(now_) + recharge_w, left_w, "W", 1,
                     overload_limit(load.name)});
  }

  /// Over what its modules in service, in the air of their room, leave of its rating: nothing where that is so hot that it switches off.
  void read_branch(const RatedLoad& load, const std::string& of, std::size_t branch) {
    const electrical::OverloadLimit& limit = tree_.branch_limit[branch];
    const std::size_t air = air_around(plant_, branch);
    const double air_k = air == no_part ? 0.0 : now_.evaluation.signals[air];
    const bool is_off = air_k > limit.in_air.off_above_k;
    std::string carries(load.carries);
    if (is_off) carries += fmt::format(", off in air of {}", format_quantity(air_k, "K"));
    const double left_w = is_off ? 0.0
                                 : electrical::rated_in_service_w(tree_, now_.state.switches, branch) *
                                       electrical::capacity_fraction(limit.in_air, air_k);
    const bool has_current = !now_.state.switches.branch_factors.empty() && tree_.branch_makes_voltage[branch] == 0;
    const double va_per_w = has_current ? now_.state.switches.branch_factors[branch].loading_ratio : 1.0;
    list_.push_back({load.kind, load.name + of, std::move(carries), load.load_w(now_) * va_per_w, left_w * va_per_w,
                     has_current ? "V A" : "W", modules_in_question(branch),
                     is_off ? electrical::OverloadLimit{} : limit});
  }

  /// Of one water, at the ratings of the scenario: the hall may have ample ones.
  void read_chillers(const ChilledWaterSpec& water) {
    const std::vector<std::size_t>& motors = group(chillers_of(water.name)).motors;
    const auto is_of_it = [&](const RatedLoad& load) {
      return load.kind == "chiller" &&
             std::ranges::any_of(motors, [&](std::size_t m) { return plant_.motors[m].name == load.name; });
    };
    const auto count = std::ranges::count_if(rated_, is_of_it);
    const auto at_work =
        std::ranges::count_if(motors, [&](std::size_t m) { return now_.state.equipment.is_running[m] != 0; });
    const std::string of_its =
        of_name(water).empty() ? fmt::format(" of {}", count) : fmt::format(", one of {}{}", count, of_name(water));
    const std::string of = count > 1 ? of_its : "";
    const auto& machines = parts_of<physics::ChillerMachine>(plant_);
    for (const RatedLoad& load : rated_) {
      if (!is_of_it(load)) continue;
      const auto number =
          static_cast<std::size_t>(std::ranges::find(machines.names(), load.name) - machines.names().begin());
      const auto now = seen_by<physics::ChillerMachine>(number);
      const physics::ChillerParams& chiller = water.chillers.chiller;
      const double left_w = physics::chiller_left_w(chiller, now.chilled, now.condenser, now.set_point_k);
      std::string carries(load.carries);
      if (at_work > 1 && at_work < count) carries += fmt::format(", {} at work", at_work);
      const std::string condenser = format_quantity(now.condenser.temperature_k, "K");
      const bool is_starved = left_w <= smallest_left_fraction * chiller.rated_heat_w;
      if (left_w < chiller.rated_heat_w && !is_starved) carries += fmt::format(", condenser water {}", condenser);
      list_.push_back({"chiller" + of_name(water), load.name + of, std::move(carries), load.load_w(now_), left_w, "W"});
      if (is_starved) list_.back().starved_by = "condenser water of " + condenser;
    }
  }

  /// Behind what each chilled water has of its own.
  static std::string of_name(const ChilledWaterSpec& water) {
    return water.name == "chilled_water" ? "" : " of " + water.name;
  }

  /// Its rating is that of its design point; in the warmest air of the run it may be able to do less.
  void read_dry_cooler(const RatedLoad& load, const std::string& of) {
    const auto& coolers = parts_of<physics::DryCooler>(plant_);
    const auto number =
        static_cast<std::size_t>(std::ranges::find(coolers.names(), load.name) - coolers.names().begin());
    const auto now = seen_by<physics::DryCooler>(number);
    const double left_w = physics::DryCooler::left_w(coolers.params(number), now);
    std::string carries(load.carries);
    const bool is_starved = left_w <= smallest_left_fraction * load.rated_w;
    const std::string set_point = format_quantity(now.set_point_k, "K"),
                      air = "air of " + format_quantity(now.outside.dry_bulb_k, "K");
    if (left_w < load.rated_w) carries += fmt::format(", {}{}", set_point, is_starved ? "" : " in " + air);
    list_.push_back({load.kind, load.name + of, std::move(carries), load.load_w(now_), left_w, "W"});
    if (is_starved) list_.back().starved_by = air;
  }

  /// Where it is said how many may be out, or where one that is out changes what the others carry, that is an outage of its own.
  int modules_in_question(std::size_t branch) const {
    const bool is_said = tree_.branch_spare_modules[branch] != electrical::not_said;
    return is_said || is_in_loop_[branch] != 0 ? 1 : tree_.branch_modules[branch];
  }

  electrical::OverloadLimit overload_limit(std::string_view name) const {
    const auto branch = branch_of_name_.find(name);
    if (branch != branch_of_name_.end()) return tree_.branch_limit[branch->second];
    if (const auto source = electrical::find_source(tree_, name)) return tree_.source_limit[*source];
    return {};
  }

  /// The speed of pumps that hold a pressure; how far they fall short of it at full speed is another matter.
  void read_loop_pumps() {
    const auto& loops = parts_of<physics::LoopPressure>(plant_);
    for (std::size_t loop = 0; loop < loops.size(); ++loop) {
      const auto now = seen_by<physics::LoopPressure>(loop);
      if (now.set_point_pa <= 0.0) continue;
      const double speed_place = loops.now(loop, place_of_signal).highest_speed_fraction;
      double speed = 0.0;
      for (const MotorGroup& pumps : plant_.motor_groups) {
        if (pumps.speed_input == no_part || as_place(pumps.speed_input) != speed_place) continue;
        for (const std::size_t motor : pumps.motors) speed = std::max(speed, now_.speed_fraction(motor));
      }
      list_.push_back({"loop pumps", "CDU pumps of " + loops.names()[loop],
                       fmt::format("speed that keeps {}", format_quantity(now.set_point_pa, "Pa")), speed,
                       now.highest_speed_fraction, "1"});
    }
  }
  double as_place(std::size_t input) const { return static_cast<double>(plant_.map.input(input)); }

  /// Air handlers at the set-point of their room, all that can run at full speed, beside the heat that they take out of it.
  void read_room(const RoomPart& room) {
    using physics::CrahUnit;
    if (room.set_point_input == no_part) return;
    const auto& crahs = parts_of<CrahUnit>(plant_);
    const double set_k = now_.input(room.set_point_input);
    double heat_w = 0.0, at_full_w = 0.0;
    int able = 0;
    for (std::size_t c = 0; c < crahs.size(); ++c) {
      const CrahUnit::Now place = crahs.now(c, place_of_signal);
      if (place.air.temperature_k != static_cast<double>(plant_.nodes[room.node].temperature_signal)) continue;
      const std::size_t motor = group(crahs.names()[c]).motors.front();
      heat_w += now_.reported("crahs", crahs.names()[c], "heat") - now_.motor_w(motor);
      able += is_able(motor) ? 1 : 0;
      const physics::CrahParams& params = crahs.params(c).crah;
      const physics::CrahNow at_full =
          physics::crah_now(params, {set_k, 0.0, crahs.params(c).air_specific_heat_j_per_kg_k},
                            {set_point_k(place.water.temperature_k), params.water_design_flow_kg_per_s,
                             place.water.specific_heat_j_per_kg_k},
                            1.0);
      at_full_w = std::max(at_full.heat_w - at_full.fan_power_w, 0.0);
    }
    list_.push_back({room.name, fmt::format("{}, {}", count_text(able, "air handler"), room.name),
                     fmt::format("heat of the room, at {}", format_quantity(set_k, "K")), heat_w, able * at_full_w,
                     "W"});
    list_.back().sharing = able;
  }

  /// Of the system whose supply is that signal.
  double set_point_k(double supply_signal) const {
    const auto system = std::ranges::find_if(plant_.systems, [&](const SystemPart& part) {
      return static_cast<double>(plant_.nodes[part.supply_node].temperature_signal) == supply_signal;
    });
    return now_.input(system->set_point_input);
  }

  void read_pumps(const SystemPart& water, const WaterPumpsSpec& spec, const char* name, const char* must_carry) {
    const auto running =
        std::min<std::ptrdiff_t>(able_of(water.pumps), static_cast<std::ptrdiff_t>(group(water.pumps).duty));
    list_.push_back({water.name + " pumps", count_text(running, std::string(name) + " pump"), must_carry,
                     now_.flow_kg_per_s(water.load_flow), static_cast<double>(running) * spec.pump.rated_flow_kg_per_s,
                     "kg/s"});
    list_.back().sharing = static_cast<int>(running);
  }

  /// Through parts instead of those of a section.
  double replaced_kg_per_s(const std::string& water) const {
    return sum_of(flows_through(replacing_parts(scenario_, water), water, now_));
  }

  /// What users draw beyond the flow of the machines goes past them: the supply is warmer than what leaves these.
  void read_machine_pumps(const SystemPart& water, const std::string& users) {
    const auto flows = flows_through(scenario_.parts, water.name, now_);
    if (flows.empty()) return;
    const auto is_alike = [&](const auto& flow) { return flow.first == flows.front().first; };
    std::string machine = std::ranges::all_of(flows, is_alike) ? flows.front().first : "machine";
    std::ranges::replace(machine, '_', ' ');
    const int count = static_cast<int>(flows.size());
    list_.push_back({"pumps of machines of " + water.name, pumps_of(count, machine), users,
                     now_.flow_kg_per_s(water.load_flow), sum_of(flows), "kg/s"});
    list_.back().sharing = count;
  }

  void read_chilled_water(const ChilledWaterSpec& spec) {
    const SystemPart& water = system_named(plant_, spec.name);
    const std::string users = "water of " + coils_on(scenario_, spec);
    if (spec.chillers.is_given) {
      read_chillers(spec);
      const int able = able_of(chillers_of(spec.name));
      list_.push_back({"chiller pumps" + of_name(spec), pumps_of(able, "chiller") + of_name(spec), users,
                       now_.flow_kg_per_s(water.load_flow) - replaced_kg_per_s(water.name),
                       able * spec.chillers.chilled_pump.rated_flow_kg_per_s, "kg/s"});
    }
    if (!spec.chillers.is_given) read_machine_pumps(water, users);
    const bool is_one = spec.name == "chilled_water";
    read_pumps(water, spec.pumps, is_one ? "chilled-water" : spec.name.c_str(), users.c_str());
  }

  void read_water_pumps(const FacilitySpec& spec) {
    const SystemPart& water = system_named(plant_, spec.name);
    const std::string users = users_of(scenario_, spec, false);
    if (!water.is_own() || users.empty()) return;
    if (!spec.towers.is_given) read_machine_pumps(water, "water of " + users);
    read_pumps(water, spec.pumps, spec.name.c_str(), ("water of " + users).c_str());
  }

  void read_tower_pumps(const FacilitySpec& spec) {
    const SystemPart& water = system_named(plant_, spec.name);
    if (!water.is_own() || !spec.towers.is_given) return;
    const bool is_facility = spec.name == "facility";
    double taken_kg_per_s = now_.flow_kg_per_s(water.load_flow) - replaced_kg_per_s(water.name);
    const auto supply_place = static_cast<double>(plant_.nodes[water.supply_node].temperature_signal);
    const auto& chillers = parts_of<physics::ChillerMachine>(plant_);
    bool has_condensers = false;
    for (std::size_t chiller = 0; chiller < chillers.size(); ++chiller) {
      if (chillers.now(chiller, place_of_signal).condenser.temperature_k != supply_place) continue;
      taken_kg_per_s += seen_by<physics::ChillerMachine>(chiller).condenser.flow_kg_per_s;
      has_condensers = true;
    }
    const int able = able_of(is_facility ? "towers" : spec.name + ".towers");
    list_.push_back({is_facility ? "tower pumps" : "tower pumps of " + spec.name,
                     pumps_of(able, "tower cell"),
                     "water of " + users_of(scenario_, spec, has_condensers),
                     taken_kg_per_s,
                     able * spec.towers.pump.rated_flow_kg_per_s,
                     "kg/s",
                     1,
                     {},
                     true});
  }

  const Scenario& scenario_;
  const PlantSnapshot& now_;
  const Plant& plant_;
  const electrical::PowerTree& tree_;
  const std::vector<RatedLoad> rated_;
  std::unordered_map<std::string_view, std::size_t> branch_of_name_;
  const std::vector<std::uint8_t> is_in_loop_ = branches_in_loops(plant_);  ///< [branches]
  Recharge recharge_{now_};
  std::vector<LoadAtRating> list_;
};

}  // namespace

bool is_of_power(const LoadAtRating& load) {
  const auto kinds = electrical::electrical_kinds();
  return load.kind.starts_with("psu") || load.kind.starts_with("one cord") ||
         std::ranges::find(kinds, load.kind, &electrical::ElectricalKind::name) != kinds.end();
}

std::vector<LoadAtRating> loads_at_rating(const Scenario& scenario, const PlantSnapshot& snapshot) {
  return Reader(scenario, snapshot).read();
}

}  // namespace wattloop::twin
