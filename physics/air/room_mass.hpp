// Racks, floor and walls of a room: heat to them through the film of air over their surfaces.
//
//   C_a dT_a/dt = Q - K (T_a - T_m),   C_m dT_m/dt = K (T_a - T_m)          the two nodes of a closed room
//
// Source: [khankari2011]: a room that lost its cooling heats at Q / C_a first and at Q / (C_a + C_m) in the end, with
// tau = C_a C_m / (K (C_a + C_m)) between. Verified in tests/verification/air/room_mass.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

struct RoomMass {
  static constexpr std::string_view kind = "room_mass";
  static constexpr std::string_view doc = "Racks, floor and walls of a room, in its air.";
  struct Params {
    double conductance_w_per_k;
  };

  struct Now {
    Body air;
    Body mass;
  };
  struct Effect {
    Heat air;
    Heat mass;
  };

  static constexpr auto ports() {
    return std::array{
        Port<RoomMass>{"air", &Now::air, &Effect::air},
        Port<RoomMass>{"mass", &Now::mass, &Effect::mass},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double heat_w = p.conductance_w_per_k * (now.air.temperature_k - now.mass.temperature_k);
    return {.air = {.heat_w = -heat_w}, .mass = {.heat_w = heat_w}};
  }
};

static_assert(Part<RoomMass>);

}  // namespace wattloop::physics
