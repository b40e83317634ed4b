// The coil of a rear door, between the rack's exhaust air and the door's water. Equations, source and verification:
// physics/air/rear_door.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/part.hpp"
#include "physics/air/rear_door.hpp"

namespace wattloop::physics {

struct RearDoorCoil {
  static constexpr std::string_view kind = "rear_door_coil";
  static constexpr std::string_view doc = "Coil of a rear door, between exhaust air and water.";
  using Params = RearDoorParams;

  struct Now {
    Air air;
    Liquid water;
  };
  struct Effect {
    Heat air;
    Heat water;
  };

  static constexpr auto ports() {
    return std::array{
        Port<RearDoorCoil>{"air", &Now::air, &Effect::air},
        Port<RearDoorCoil>{"water", &Now::water, &Effect::water},
    };
  }

  struct Rates {
    double air_kg_per_s;
    double air_j_per_kg_k;
    double water_kg_per_s;
    double water_j_per_kg_k;
  };
  static constexpr Rates held_by(const Now& now) noexcept {
    return {now.air.flow_kg_per_s, now.air.specific_heat_j_per_kg_k, now.water.flow_kg_per_s,
            now.water.specific_heat_j_per_kg_k};
  }
  /// Watts per kelvin between the inlets.
  static double held(const Params& p, const Rates& by) noexcept {
    return rear_door_w_per_k(p, {0.0, by.air_kg_per_s, by.air_j_per_kg_k},
                             {0.0, by.water_kg_per_s, by.water_j_per_kg_k});
  }

  static Effect effect(const Params&, const Now& now, double w_per_k) noexcept {
    const double heat_w = w_per_k * (now.air.temperature_k - now.water.temperature_k);
    return {.air = {.heat_w = -heat_w}, .water = {.heat_w = heat_w}};
  }
};

static_assert(Part<RearDoorCoil>);

}  // namespace wattloop::physics
