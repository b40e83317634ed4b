// A part that sees electric values: a vent that opens with what a bus carries, unless its damper is without power.
// tests/unit/scenario/part_mistakes.cpp changes it line by line.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::tests {

struct ToyVent {
  static constexpr std::string_view kind = "toy_vent";
  static constexpr std::string_view doc = "A vent that opens with what a bus carries.";
  struct Params {
    double per_k;
  };

  struct Now {
    Bus bus;
    Live damper;
    Body room;
    DryAir outside;
  };
  struct Effect {
    Heat room;
    Heat outside;
  };
  static constexpr auto ports() {
    return std::array{
        Port<ToyVent>{"damper", &Now::damper},
        Port<ToyVent>{"bus", &Now::bus},
        Port<ToyVent>{"room", &Now::room, &Effect::room},
        Port<ToyVent>{"outside", &Now::outside, &Effect::outside},
    };
  }

  static constexpr PartTable table{"toy_vents", "toy_vent"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<ToyVent>&;
    return std::array{
        Column<ToyVent>{"bus_power", "W", "power of its bus", [](Reading reading) { return reading.now.bus.power_w; }},
        Column<ToyVent>{"voltage", "V", "voltage of its bus",
                        [](Reading reading) { return reading.now.bus.voltage_v; }},
        Column<ToyVent>{"damper", "1", "whether it may open",
                        [](Reading reading) { return reading.now.damper.live_fraction; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double opening_w = now.damper.live_fraction * now.bus.live_fraction * now.bus.power_w;
    const double heat_w = p.per_k * opening_w * (now.room.temperature_k - now.outside.dry_bulb_k);
    return {.room = {.heat_w = -heat_w}, .outside = {.heat_w = heat_w}};
  }
};

static_assert(Part<ToyVent>);

}  // namespace wattloop::tests
