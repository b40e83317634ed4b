// Switches of a network rack: what they draw heats the air that passes them. How much they draw follows the traffic
// (network/switch_power.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/part.hpp"

namespace wattloop::network {

struct SwitchHeat {
  static constexpr std::string_view kind = "switches";
  static constexpr std::string_view doc = "Switches of a network rack, cooled by air.";
  struct Params {};

  struct Now {
    double power_w;
  };
  struct Effect {
    Power supply;
    Heat air;
  };

  static constexpr auto ports() {
    return std::array{
        Port<SwitchHeat>{"power", "W", &Now::power_w},
        Port<SwitchHeat>{"supply", &Effect::supply},
        Port<SwitchHeat>{"air", &Effect::air},
    };
  }

  static Effect effect(const Params&, const Now& now) noexcept {
    return {.supply = {.power_w = now.power_w}, .air = {.heat_w = now.power_w}};
  }
};

static_assert(Part<SwitchHeat>);

}  // namespace wattloop::network
