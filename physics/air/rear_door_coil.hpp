// The coil of a rear door, between the rack's exhaust air and the door's water. Equations, source and verification:
// physics/air/rear_door.hpp, and physics/air/wet_coil.hpp where water is colder than the dew point of the air.
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/air/rear_door.hpp"
#include "physics/air/wet_coil.hpp"

namespace wattloop::physics {

struct RearDoorCoil {
  static constexpr std::string_view kind = "rear_door_coil";
  static constexpr std::string_view doc = "Coil of a rear door, between exhaust air and water.";
  using Params = RearDoorParams;

  struct Now {
    Air air;
    Liquid water;
    double dew_point_k;  ///< of the air
    double pressure_pa;
  };
  struct Effect {
    Heat air;
    Heat water;
    Heat vapour;
  };

  static constexpr auto ports() {
    return std::array{
        Port<RearDoorCoil>{"air", &Now::air, &Effect::air},
        Port<RearDoorCoil>{"water", &Now::water, &Effect::water},
        Port<RearDoorCoil>{"dew_point", "K", &Now::dew_point_k},
        Port<RearDoorCoil>{"pressure", "Pa", &Now::pressure_pa},
        Port<RearDoorCoil>{vapour_port, &Effect::vapour},
    };
  }

  struct Rates {
    double air_kg_per_s;
    double air_j_per_kg_k;
    double water_kg_per_s;
    double water_j_per_kg_k;
  };
  static constexpr Rates cached_from(const Now& now) noexcept {
    return {now.air.flow_kg_per_s, now.air.specific_heat_j_per_kg_k, now.water.flow_kg_per_s,
            now.water.specific_heat_j_per_kg_k};
  }
  /// Watts per kelvin between the inlets.
  static double cached(const Params& p, const Rates& by) noexcept {
    return rear_door_w_per_k(p, {0.0, by.air_kg_per_s, by.air_j_per_kg_k},
                             {0.0, by.water_kg_per_s, by.water_j_per_kg_k});
  }

  static Effect effect(const Params& p, const Now& now, double w_per_k) noexcept {
    const double dry_w = w_per_k * (now.air.temperature_k - now.water.temperature_k);
    if (may_condense(dry_w, now.water, {now.dew_point_k, now.pressure_pa})) [[unlikely]]
      return wet_effect(p, now, dry_w);
    return {.air = {.heat_w = -dry_w}, .water = {.heat_w = dry_w}, .vapour = {.heat_w = 0.0}};
  }

  /// Out of line, so that the loop over dry doors stays small.
  [[gnu::noinline]] static Effect wet_effect(const Params& p, const Now& now, double dry_w) noexcept {
    const double air_film = film_ratio(now.air.flow_kg_per_s, p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio);
    const double water_film =
        film_ratio(now.water.flow_kg_per_s, p.water_design_flow_kg_per_s, p.water_flow_exponent_ratio);
    const WetCoil coil{now.air,
                       now.water,
                       {now.dew_point_k, now.pressure_pa},
                       coil_films(p.design_conductance_w_per_k, p.air_side_fraction, air_film, water_film),
                       p.is_counterflow ? FlowArrangement::counterflow : FlowArrangement::crossflow_unmixed};
    const CoilHeat heat = coil.heat(dry_w);
    return {
        .air = {.heat_w = -heat.sensible_w}, .water = {.heat_w = heat.total_w()}, .vapour = {.heat_w = -heat.latent_w}};
  }
};

static_assert(Part<RearDoorCoil>);

}  // namespace wattloop::physics
