// Where the loss of UPS goes before it is in the air of their room: three nodes, electronics, batteries and air.
//
// The battery of a UPS is in the room, too: it holds heat, and gives none. Verified against its closed form in
// tests/verification/power/ups_room.cpp.
#include <algorithm>

#include <fmt/format.h>

#include "physics/air/room_mass.hpp"
#include "twin/build/templates/templates.hpp"

namespace wattloop::twin {

namespace {

/// Of the modules at one low-voltage bus together.
class UpsHeat {
 public:
  UpsHeat(Diagram& diagram, const PowerBlockSpec& block, double initial_k)
      : diagram_(diagram), block_(block), initial_k_(initial_k), room_(room_of_ups(diagram, block.name)) {}

  void declare(const std::string& ups) {
    const electrical::Ups::Params& module = block_.ups;
    if (module.battery_j_per_k > 0.0)
      in_air(ups + ".battery", module.battery_j_per_k, electrical::Ups::battery_w_per_k(module));
    if (module.electronics_j_per_k == 0.0) return;
    const JunctionId electronics =
        in_air(ups + ".electronics", module.electronics_j_per_k, electrical::Ups::electronics_w_per_k(module));
    diagram_.loss_bodies.emplace_back(room_, electronics);
  }

 private:
  JunctionId in_air(const std::string& name, double module_j_per_k, double module_w_per_k) {
    const double modules = block_.ups_modules / block_.low_voltage_buses;
    const JunctionId air = diagram_.rooms[room_].air;
    const JunctionId mass = diagram_.declare_junction(name, modules * module_j_per_k, initial_k_);
    diagram_.add<physics::RoomMass>({modules * module_w_per_k}, {.air = body(air), .mass = body(mass)},
                                    {.air = heat_into(air), .mass = heat_into(mass)});
    return mass;
  }

  Diagram& diagram_;
  const PowerBlockSpec& block_;
  double initial_k_;
  std::size_t room_;
};

}  // namespace

std::size_t room_of_ups(const Diagram& diagram, const std::string& block) {
  const auto room = std::ranges::find(diagram.rooms, fmt::format("electrical_room_{}", block), &Room::name);
  constexpr std::size_t only_room = 0;  // of a hall whose UPS have none of their own: several are refused before
  return room == diagram.rooms.end() ? only_room : static_cast<std::size_t>(room - diagram.rooms.begin());
}

void declare_ups_heat(Diagram& diagram, const Scenario& scenario) {
  const PowerSpec& power = scenario.power;
  const double initial_k = power.rooms.is_given ? power.rooms.room.initial_k : scenario.cooling.rooms.front().initial_k;
  for (const PowerBlockSpec& block : power.blocks()) {
    if (block.is_without_ups) continue;
    UpsHeat heat(diagram, block, initial_k);
    for (const std::string& at : block.names_at_buses()) heat.declare(fmt::format("ups_{}", at));
  }
}

}  // namespace wattloop::twin
