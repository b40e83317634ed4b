// Water that goes from one header of a system to the other through something beyond what is modelled: as much of it as a setting says,
// leaving at the temperature that another says. From the return to the supply it is a plant, the other way a user.
//
//   m = setting,  Q = m c (setting - T_in),  Q_beyond = -Q          as in physics/water/imposed_heat.hpp
//
// For systems whose other end was measured. What leaves follows the setting with the time in which its volume is exchanged.
// Verified in tests/verification/work/imposed.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "physics/fluids/stream.hpp"

namespace wattloop::physics {

struct ImposedWater {
  static constexpr std::string_view kind = "imposed_water";
  static constexpr std::string_view doc =
      "Water that flows through equipment outside the model; settings give its flow and temperature.";
  struct Params {
    double volume_m3 = required;

    static constexpr auto fields() {
      return std::array{Field<Params>{&Params::volume_m3, "volume", "m3", Range::positive,
                                      "Volume of water inside; it has the temperature of the leaving water."}};
    }
  };

  struct Now {
    Liquid water;
    double leaving_k;
    double set_k;
    double set_kg_per_s;
  };
  struct Effect {
    Heat water;
    Heat beyond;
  };

  static constexpr auto ports() {
    return std::array{
        Port<ImposedWater>{"water", &Now::water, &Effect::water}.imposing(&Params::volume_m3, &Now::set_kg_per_s),
        Port<ImposedWater>{"beyond", &Effect::beyond},
        Port<ImposedWater>{"leaving", "K", &Now::leaving_k}.reading_inside("water"),
    };
  }
  static constexpr auto settings() {
    return std::array{
        Setting<ImposedWater>{&Now::set_k, "temperature", "K", Range::positive, "Temperature of the leaving water."},
        Setting<ImposedWater>{&Now::set_kg_per_s, "flow", "kg/s", Range::non_negative,
                              "Water flow through the equipment."},
    };
  }

  static constexpr PartTable table{"imposed_waters", "imposed_water"};
  static constexpr Box box = not_drawn;
  static double heat_w(const Params&, const Now& now) noexcept {
    return capacity_rate_w_per_k(now.water) * (now.set_k - now.water.temperature_k);
  }
  static constexpr auto columns() {
    using Reading = const Instant<ImposedWater>&;
    return std::array{
        Column<ImposedWater>{"leaving_temperature", "K", "water leaving it",
                             [](Reading reading) { return reading.now.leaving_k; }},
        Column<ImposedWater>{"entering_temperature", "K", "water entering it",
                             [](Reading reading) { return reading.now.water.temperature_k; }},
        Column<ImposedWater>{"flow", "kg/s", "water through it",
                             [](Reading reading) { return reading.now.set_kg_per_s; }},
        Column<ImposedWater>{"heat", "W", "heat that the water takes up outside the model",
                             [](Reading reading) { return heat_w(reading.params, reading.now); }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double into_w = heat_w(p, now);
    return {.water = {.heat_w = into_w}, .beyond = {.heat_w = -into_w}};
  }
};

static_assert(Part<ImposedWater>);
static_assert(IsWritable<ImposedWater>);

}  // namespace wattloop::physics
