// Air that comes from beyond what is modelled into a room or an aisle, and as much that goes: a vent, a unit that was measured, a hall next door.
//
//   Q = m c (setting - T_room),  Q_beyond = -Q          as in physics/water/imposed_heat.hpp
//
// Dry: what humidity it brings is not reported. Verified in tests/verification/work/imposed.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/fluids/fluid.hpp"

namespace wattloop::physics {

struct ImposedAir {
  static constexpr std::string_view kind = "imposed_air";
  static constexpr std::string_view doc =
      "Air that enters from outside the model; settings give its flow and temperature.";
  struct Params {
    double mixing_fraction = 1.0;

    static constexpr auto fields() {
      return std::array{Field<Params>{&Params::mixing_fraction, "mixing", "1", Range::fraction,
                                      "Share of this air that mixes with the air of the room or aisle; the remaining "
                                      "air leaves at its own temperature."}};
    }
  };

  struct Now {
    Body into;
    double set_k;
    double set_kg_per_s;
  };
  struct Effect {
    Heat into;
    Heat beyond;
  };

  static constexpr auto ports() {
    return std::array{
        Port<ImposedAir>{"into", &Now::into, &Effect::into},
        Port<ImposedAir>{"beyond", &Effect::beyond},
    };
  }
  static constexpr auto settings() {
    return std::array{
        Setting<ImposedAir>{&Now::set_k, "temperature", "K", Range::positive, "Temperature of the air that enters."},
        Setting<ImposedAir>{&Now::set_kg_per_s, "flow", "kg/s", Range::non_negative,
                            "Flow of the air that enters; the same flow leaves."},
    };
  }

  static constexpr PartTable table{"imposed_airs", "imposed_air"};
  static constexpr Box box = not_drawn;
  static double heat_w(const Params& p, const Now& now) noexcept {
    return p.mixing_fraction * now.set_kg_per_s * air_specific_heat_j_per_kg_k * (now.set_k - now.into.temperature_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<ImposedAir>&;
    return std::array{
        Column<ImposedAir>{"heat", "W", "heat that it brings into the air of the room or aisle",
                           [](Reading reading) { return heat_w(reading.params, reading.now); }},
        Column<ImposedAir>{"flow", "kg/s", "air that enters", [](Reading reading) { return reading.now.set_kg_per_s; }},
        Column<ImposedAir>{"temperature", "K", "temperature of the air of the room or aisle",
                           [](Reading reading) { return reading.now.into.temperature_k; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    return {.into = {.heat_w = heat_w(p, now)}, .beyond = {.heat_w = -heat_w(p, now)}};
  }
};

static_assert(Part<ImposedAir>);
static_assert(IsWritable<ImposedAir>);

}  // namespace wattloop::physics
