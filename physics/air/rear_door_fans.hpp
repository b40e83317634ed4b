// The fans of an active rear door: what they draw heats the air behind its coil. Equation, source and verification:
// physics/air/rear_door.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/air/rear_door.hpp"

namespace wattloop::physics {

struct RearDoorFans {
  static constexpr std::string_view kind = "rear_door_fans";
  static constexpr std::string_view doc = "Fans of an active rear door.";
  static constexpr UseOfPower use{"rear_door_fan", "fans of rear doors", "door fans"};
  using Params = RearDoorParams;

  struct Now {
    Motor fans;  ///< 1 while there is power, else 0
    AirFlow air;
  };
  struct Effect {
    Power fans;
    Heat air;
  };

  static constexpr auto ports() {
    return std::array{
        Port<RearDoorFans>{"fans", &Now::fans, &Effect::fans},
        Port<RearDoorFans>{"air", &Now::air, &Effect::air},
    };
  }

  struct CachedFrom {
    double air_kg_per_s;
  };
  static constexpr CachedFrom cached_from(const Now& now) noexcept { return {now.air.flow_kg_per_s}; }
  /// W of running fans.
  static double cached(const Params& p, const CachedFrom& by) noexcept {
    return rear_door_fan_power_w(p, by.air_kg_per_s);
  }

  static Effect effect(const Params&, const Now& now, double running_w) noexcept {
    const double power_w = now.fans.command_fraction * running_w;
    return {.fans = {.power_w = power_w}, .air = {.heat_w = power_w}};
  }
};

static_assert(Part<RearDoorFans>);

}  // namespace wattloop::physics
