#include "twin/ratings/carried_load.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/units.hpp"
#include "physics/crah.hpp"
#include "physics/fluid.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

/// What equipment of the power tree and machines carry; kinds that are not here are shown otherwise.
const std::map<std::string, std::string_view> what_kinds_carry{
    {"cdu", "heat of the racks of its loop"},    {"chiller", "heat of doors and air handlers"},
    {"tower", "all heat of the facility water"}, {"pdu", "its racks"},
    {"ups", "racks, PDUs, CDU pumps"},           {"transformer", "all of its side"},
    {"substation", "all of its side"},           {"generator", "its share of all"},
};

constexpr std::array<std::string_view, 5> power_kinds{"pdu", "ups", "transformer", "generator", "substation"};

class Reader {
 public:
  Reader(const Scenario& scenario, const Moment& moment)
      : scenario_(scenario),
        now_(moment),
        hall_(moment.plant.hall),
        tree_(moment.plant.power_tree),
        rated_(rated_loads(moment.plant)) {}

  std::vector<CarriedLoad> read() {
    read_racks();
    read_rated("cdu");
    read_loop_pumps();
    for (std::size_t room = 0; room < hall_.rooms.size(); ++room) read_room(room);
    read_chilled_water();
    read_facility();
    for (const NamedPart& part : now_.plant.named) {
      if (list_.empty() || list_.back().kind != part.kind) read_rated(part.kind);
    }
    for (const std::string_view kind : power_kinds) read_rated(kind);
    return std::move(list_);
  }

 private:
  bool is_able(std::size_t motor) const {
    return now_.state.equipment.is_failed[motor] == 0 &&
           electrical::is_served(now_.state.switches, hall_.motors[motor].load);
  }
  template <class Parts>
  int able_of(const Parts& parts) const {
    return static_cast<int>(std::ranges::count_if(parts, [&](const auto& part) { return is_able(part.motor); }));
  }

  void read_racks() {
    const double psu_w = scenario_.racks.hardware.psu.rated_w, nodes = static_cast<double>(hall_.nodes_per_rack);
    for (const RackPart& rack : hall_.racks) {
      list_.push_back(
          {"psu", "power supplies of a node", "nameplate of the node", now_.load_w(rack.load) / nodes, psu_w, "W"});
    }
    for (const RackPart& rack : hall_.racks) read_door("door", rack.name, rack.door_water_node);
    for (const NetworkRackPart& rack : hall_.network_racks) read_door("network door", rack.name, rack.door_water_node);
  }

  void read_door(const char* kind, const std::string& rack, std::size_t water_node) {
    const double heat_w = now_.water_heat_w(hall_.door_flow, hall_.chilled_water.supply_node, water_node);
    list_.push_back(
        {kind, "door of " + rack, "heat of rack and room air", heat_w, scenario_.cooling.doors.door.rated_heat_w, "W"});
  }

  void read_rated(std::string_view kind) {
    const auto count = std::ranges::count(rated_, kind, &RatedLoad::kind);
    const std::string of = count > 1 ? fmt::format(" of {}", count) : "";
    for (const RatedLoad& load : rated_) {
      if (load.kind != kind) continue;
      const auto branch = electrical::find_branch(tree_, load.name);
      const double rated_w =
          kind == "chiller" ? scenario_.cooling.chilled_water.chillers.chiller.rated_heat_w : load.rated_w;
      const auto carries = what_kinds_carry.find(load.kind);
      list_.push_back({load.kind, load.name + of,
                       std::string(carries == what_kinds_carry.end() ? "its share of the heat" : carries->second),
                       load.load_w(now_), rated_w, "W", branch ? tree_.branch_modules[*branch] : 1,
                       overload_limit(load.name)});
    }
  }

  electrical::OverloadLimit overload_limit(std::string_view name) const {
    if (const auto branch = electrical::find_branch(tree_, name)) return tree_.branch_limit[*branch];
    if (const auto source = electrical::find_source(tree_, name)) return tree_.source_limit[*source];
    return {};
  }

  /// The speed of pumps that hold a pressure; how far they fall short of it at full speed is another matter.
  void read_loop_pumps() {
    for (const LoopPart& loop : hall_.loops) {
      const double held_pa = now_.input(loop.pressure_input);
      if (held_pa <= 0.0) continue;
      double speed = 0.0;
      for (const std::size_t cdu : loop.cdus) {
        for (const std::size_t pump : hall_.cdus[cdu].pumps) {
          speed = std::max(speed, now_.speed_fraction(hall_.pumps[pump].motor));
        }
      }
      list_.push_back({"loop pumps", "CDU pumps of " + loop.name,
                       fmt::format("speed that holds {}", format_quantity(held_pa, "Pa")), speed,
                       now_.input(loop.pump_speed_input), "1"});
    }
  }

  /// Air handlers at the set-point of their room, all that can run at full speed, beside the heat that they take out of it.
  void read_room(std::size_t number) {
    const RoomPart& room = hall_.rooms[number];
    if (room.crahs.empty()) return;
    const CrahsSpec& spec = number == 0 ? scenario_.cooling.crahs : scenario_.power.rooms.crahs;
    double heat_w = 0.0;
    int able = 0;
    for (const std::size_t c : room.crahs) {
      const CrahPart& crah = hall_.crahs[c];
      heat_w += now_.told("crahs", crah.name, "heat") - now_.motor_w(crah.motor);
      able += is_able(crah.motor) ? 1 : 0;
    }
    const double set_k = now_.input(room.set_point_input);
    const physics::CrahNow at_full =
        physics::crah_now(spec.crah, {set_k, 0.0, hall_.air_specific_heat_j_per_kg_k},
                          {now_.input(hall_.chilled_water.set_point_input), spec.crah.water_design_flow_kg_per_s,
                           hall_.water_specific_heat_j_per_kg_k},
                          1.0);
    list_.push_back({room.name, fmt::format("{} air handlers, {}", able, room.name),
                     fmt::format("heat of the room, at {}", format_quantity(set_k, "K")), heat_w,
                     able * std::max(at_full.heat_w - at_full.fan_power_w, 0.0), "W"});
  }

  void read_pumps(const WaterPart& water, const WaterPumpsSpec& spec, const char* name, const char* must_carry) {
    const auto able = std::ranges::count_if(water.pumps, [&](std::size_t motor) { return is_able(motor); });
    const auto running = std::min<std::ptrdiff_t>(able, static_cast<std::ptrdiff_t>(water.duty));
    list_.push_back({water.name + " pumps", fmt::format("{} {} pumps", running, name), must_carry,
                     now_.flow_kg_per_s(water.load_flow), static_cast<double>(running) * spec.pump.rated_flow_kg_per_s,
                     "kg/s"});
  }

  void read_chilled_water() {
    if (!is_own(hall_.chilled_water)) return;
    const ChilledWaterSpec& spec = scenario_.cooling.chilled_water;
    constexpr const char* users = "water of doors and air handlers";
    read_rated("chiller");
    const int able = able_of(hall_.chillers);
    list_.push_back({"chiller pumps", fmt::format("pumps of {} chillers", able), users,
                     now_.flow_kg_per_s(hall_.chilled_water.load_flow),
                     able * spec.chillers.chilled_pump.rated_flow_kg_per_s, "kg/s"});
    read_pumps(hall_.chilled_water, spec.pumps, "chilled-water", users);
  }

  void read_facility() {
    if (!is_own(hall_.facility)) return;
    const FacilitySpec& spec = scenario_.cooling.facility;
    read_pumps(hall_.facility, spec.pumps, "facility", "water of CDUs");
    read_rated("tower");
    double taken_kg_per_s = now_.flow_kg_per_s(hall_.facility.load_flow);
    for (const ChillerPart& chiller : hall_.chillers) taken_kg_per_s += now_.flow_kg_per_s(chiller.condenser_flow);
    if (hall_.towers.empty()) return;
    const int able = able_of(hall_.towers);
    list_.push_back({"tower pumps", fmt::format("pumps of {} tower cells", able), "water of CDUs and condensers",
                     taken_kg_per_s, able * spec.towers.pump.rated_flow_kg_per_s, "kg/s"});
  }

  const Scenario& scenario_;
  const Moment& now_;
  const HallParts& hall_;
  const electrical::PowerTree& tree_;
  const std::vector<RatedLoad> rated_;
  std::vector<CarriedLoad> list_;
};

}  // namespace

bool is_of_power(const CarriedLoad& load) {
  return load.kind == "psu" || std::ranges::find(power_kinds, load.kind) != power_kinds.end();
}

std::vector<CarriedLoad> carried_loads(const Scenario& scenario, const Moment& moment) {
  return Reader(scenario, moment).read();
}

}  // namespace wattloop::twin
