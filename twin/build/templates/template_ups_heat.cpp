// Where the loss of UPS goes before it is in the air of their room: three nodes, electronics, batteries and air.
//
// The battery of a UPS is in the room, too: it holds heat, and gives none. Verified against its closed form in
// tests/verification/power/ups_room.cpp.
#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "physics/air/room_mass.hpp"
#include "twin/build/templates/one_line_templates.hpp"

namespace wattloop::twin {

namespace {

/// Of the modules of one UPS together.
class UpsHeat {
 public:
  UpsHeat(Diagram& diagram, const UpsInRoom& ups, double initial_k)
      : diagram_(diagram), ups_(ups), initial_k_(initial_k) {}

  void declare() {
    const electrical::Ups::Params& module = ups_.module;
    if (module.battery_j_per_k > 0.0)
      in_air(".battery", module.battery_j_per_k, electrical::Ups::battery_w_per_k(module));
    if (module.electronics_j_per_k == 0.0) return;
    const JunctionId electronics =
        in_air(".electronics", module.electronics_j_per_k, electrical::Ups::electronics_w_per_k(module));
    diagram_.loss_bodies.emplace_back(ups_.room, electronics);
  }

 private:
  JunctionId in_air(const char* what, double module_j_per_k, double module_w_per_k) {
    const double modules = ups_.modules;
    const JunctionId air = diagram_.rooms[ups_.room].air;
    const JunctionId mass = diagram_.declare_junction(ups_.name + what, modules * module_j_per_k, initial_k_);
    diagram_.add<physics::RoomMass>({modules * module_w_per_k}, {.air = body(air), .mass = body(mass)},
                                    {.air = heat_into(air), .mass = heat_into(mass)});
    return mass;
  }

  Diagram& diagram_;
  const UpsInRoom& ups_;
  double initial_k_;
};

}  // namespace

std::size_t room_called(const Diagram& diagram, const std::string& name) {
  const auto room = std::ranges::find(diagram.rooms, name, &Room::name);
  constexpr std::size_t only_room = 0;  // of a hall whose UPS have none of their own: several are refused before
  return room == diagram.rooms.end() ? only_room : static_cast<std::size_t>(room - diagram.rooms.begin());
}

std::vector<UpsInRoom> ups_in_rooms(const Diagram& diagram, const PowerSpec& power) {
  std::vector<UpsInRoom> all;
  for (const PowerBlockSpec& block : power.blocks()) {
    if (block.is_without_ups) continue;
    const std::size_t room = room_called(diagram, "electrical_room_" + block.name);
    for (const std::string& at : block.names_at_buses())
      all.push_back({"ups_" + at, block.ups, block.ups_modules / block.low_voltage_buses, room});
  }
  for (const DrawnBranch& drawn : power.one_line.branches) {
    if (const auto* ups = std::get_if<electrical::Ups::Params>(&drawn.branch.equipment))
      all.push_back({drawn.branch.name, *ups, drawn.branch.modules, room_of_ups(diagram, power, drawn)});
  }
  return all;
}

void declare_ups_heat(Diagram& diagram, const Scenario& scenario) {
  const PowerSpec& power = scenario.power;
  const double initial_k = power.rooms.is_given ? power.rooms.room.initial_k : scenario.cooling.rooms.front().initial_k;
  for (const UpsInRoom& ups : ups_in_rooms(diagram, power)) UpsHeat(diagram, ups, initial_k).declare();
}

void add_ups(OneLineDiagram& one_line, electrical::Branch ups, std::size_t room, bool has_bypass) {
  const auto& module = std::get<electrical::Ups::Params>(ups.equipment);
  ups.module_separator = ".module_";
  ups.room = module.electronics_j_per_k > 0.0 ? one_line.rooms++ : static_cast<int>(room);
  electrical::Branch bypass{
      .name = ups.name + ".bypass",
      .from = ups.from,
      .to = ups.to,
      .equipment = electrical::UpsBypass::Params{.rated_w = ups.modules * module.rated_w,
                                                 .loss_fraction = module.bypass_loss_fraction,
                                                 .overload_limit_ratio = module.bypass_limit_ratio},
      .modules = 1,
      .room = static_cast<int>(room),
      .normally_closed = false,
      .bypassed = ups.name,
      .bypass_return_s = module.bypass_return_s};
  one_line.branches.push_back(std::move(ups));
  if (has_bypass) one_line.branches.push_back(std::move(bypass));
}

}  // namespace wattloop::twin
