// The plate exchanger of a coolant distribution unit: technology coolant at its inlet, facility water at its inlet.
// Equations, source and verification: physics/cdu.hpp.
#pragma once

#include <array>
#include <string_view>

#include "core/part.hpp"
#include "physics/cdu.hpp"

namespace wattloop::physics {

struct CduExchanger {
  static constexpr std::string_view kind = "cdu_exchanger";
  static constexpr std::string_view doc = "Plate exchanger of a CDU, between technology coolant and facility water.";
  using Params = CduParams;

  struct Now {
    Liquid technology;
    Liquid facility;
  };
  struct Effect {
    Heat technology;
    Heat facility;
  };

  static constexpr auto ports() {
    return std::array{
        Port<CduExchanger>{"technology", &Now::technology, &Effect::technology},
        Port<CduExchanger>{"facility", &Now::facility, &Effect::facility},
    };
  }

  struct Rates {
    double technology_kg_per_s;
    double technology_j_per_kg_k;
    double facility_kg_per_s;
    double facility_j_per_kg_k;
  };
  static constexpr Rates held_by(const Now& now) noexcept {
    return {now.technology.flow_kg_per_s, now.technology.specific_heat_j_per_kg_k, now.facility.flow_kg_per_s,
            now.facility.specific_heat_j_per_kg_k};
  }
  /// Watts per kelvin between the inlets.
  static double held(const Params& p, const Rates& by) noexcept {
    return cdu_w_per_k(p, {0.0, by.technology_kg_per_s, by.technology_j_per_kg_k},
                       {0.0, by.facility_kg_per_s, by.facility_j_per_kg_k});
  }

  static Effect effect(const Params&, const Now& now, double w_per_k) noexcept {
    const double heat_w = w_per_k * (now.technology.temperature_k - now.facility.temperature_k);
    return {.technology = {.heat_w = -heat_w}, .facility = {.heat_w = heat_w}};
  }
};

static_assert(Part<CduExchanger>);

}  // namespace wattloop::physics
