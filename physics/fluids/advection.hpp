// A stream between two bodies of fluid: it carries the heat of the one it comes from to the one it goes to; backwards where
// the flow is negative.
//
//   Q = m c (T - T_0)          T: of the body it comes from; T_0: any, while flows into and out of a body agree
//
// Source: [incropera2011] eq. 1.12e. Verified with every energy balance: tests/verification/integration/energy_balance.cpp.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"

namespace wattloop::physics {

struct Advection {
  static constexpr std::string_view kind = "stream";
  static constexpr std::string_view doc = "Stream that carries heat from one body of fluid to another.";
  struct Params {
    double specific_heat_j_per_kg_k;
  };

  struct Now {
    Body from;
    Body to;
    double flow_kg_per_s;
  };
  struct Effect {
    Heat to;
    Heat from;
  };

  static constexpr auto ports() {
    return std::array{
        Port<Advection>{"from", &Now::from, &Effect::from},
        Port<Advection>{"to", &Now::to, &Effect::to},
        Port<Advection>{"flow", "kg/s", &Now::flow_kg_per_s},
    };
  }

  /// Heat is counted from here.
  static constexpr double reference_k = 300.0;

  static Effect effect(const Params& p, const Now& now) noexcept {
    const double carried_k = now.flow_kg_per_s >= 0.0 ? now.from.temperature_k : now.to.temperature_k;
    const double heat_w = now.flow_kg_per_s * p.specific_heat_j_per_kg_k * (carried_k - reference_k);
    return {.to = {.heat_w = heat_w}, .from = {.heat_w = -heat_w}};
  }
};

static_assert(Part<Advection>);

}  // namespace wattloop::physics
