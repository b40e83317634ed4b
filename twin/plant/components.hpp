// The components of the plant besides units: thin adapters that give the physics functions their signals and sinks.
// Signals and sinks of each are listed in the order of its `Input` and `Output`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "physics/cdu.hpp"
#include "physics/pressure_control.hpp"
#include "physics/pump.hpp"
#include "physics/rear_door.hpp"

namespace wattloop::twin {

// Racks, floor and walls of a room: heat to them through the film of air over their surfaces.
//
//   C_a dT_a/dt = Q - K (T_a - T_m),   C_m dT_m/dt = K (T_a - T_m)          the two nodes of a closed room
//
// Source: [khankari2011]: a room that lost its cooling heats at Q / C_a first and at Q / (C_a + C_m) in the end, with
// tau = C_a C_m / (K (C_a + C_m)) between. Verified in tests/verification/room_mass.cpp.
struct RoomMass {
  enum Input : std::size_t { air_k, mass_k };
  enum Output : std::size_t { into_air_w, into_mass_w };
  static constexpr std::array scale{1.0, 1.0};
  static constexpr std::size_t output_count = 2;
  struct Params {
    double conductance_w_per_k;
  };

  static std::array<double, output_count> evaluate(const Params& p, const std::array<double, 2>& in) noexcept {
    const double heat_w = p.conductance_w_per_k * (in[air_k] - in[mass_k]);
    return {-heat_w, heat_w};
  }
};

}  // namespace wattloop::twin
