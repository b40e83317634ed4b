// Heat that comes from beyond what is modelled into a header, a room, an aisle: as much as a setting says, positive into it.
//
//   Q_into = share * setting,  Q_beyond = -Q_into  so that what comes from nowhere stands in the energy balance, as heat that the
//                                                  outdoors gave
//
// For halls of which a part was measured and is not modelled. Verified in tests/verification/work/imposed.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/field.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"

namespace wattloop::physics {

struct ImposedHeat {
  static constexpr std::string_view kind = "imposed_heat";
  static constexpr std::string_view doc = "Heat from outside the model; a setting gives its power.";
  struct Params {
    double share_fraction = 1.0;

    static constexpr auto fields() {
      return std::array{Field<Params>{&Params::share_fraction, "share", "1", Range::fraction,
                                      "Share of the setting `heat` that heats the connected part; for a measured "
                                      "power, the share that this part takes up."}};
    }
  };

  struct Now {
    Body into;
    double set_w;
  };
  struct Effect {
    Heat into;
    Heat beyond;
  };

  static constexpr auto ports() {
    return std::array{
        Port<ImposedHeat>{"into", &Now::into, &Effect::into},
        Port<ImposedHeat>{"beyond", &Effect::beyond},
    };
  }
  static constexpr auto settings() {
    return std::array{Setting<ImposedHeat>{&Now::set_w, "heat", "W", Range::any,
                                           "Power; the parameter `share` gives the part of it that heats the connected "
                                           "part. A negative power cools the part."}};
  }

  static double into_w(const Params& p, const Now& now) noexcept { return p.share_fraction * now.set_w; }
  static constexpr PartTable table{"imposed_heats", "imposed_heat"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<ImposedHeat>&;
    return std::array{
        Column<ImposedHeat>{"heat", "W", "heat into the connected part",
                            [](Reading reading) { return into_w(reading.params, reading.now); }},
        Column<ImposedHeat>{"temperature", "K", "the connected part",
                            [](Reading reading) { return reading.now.into.temperature_k; }},
    };
  }

  static Effect effect(const Params& p, const Now& now) noexcept {
    return {.into = {.heat_w = into_w(p, now)}, .beyond = {.heat_w = -into_w(p, now)}};
  }
};

static_assert(Part<ImposedHeat>);
static_assert(IsWritable<ImposedHeat>);

}  // namespace wattloop::physics
