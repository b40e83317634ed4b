// An air handler whose coil may be wet: physics/air/crah.hpp while nothing condenses, else with what physics/air/wet_coil.hpp says of it.
// Verified in tests/verification/air/wet_coil.cpp.
#pragma once

#include "physics/air/crah.hpp"
#include "physics/air/wet_coil.hpp"

namespace wattloop::physics {

/// What one unit does now; its heat is that to the water, of which the latent part does not cool the air.
struct HumidCrahNow {
  CrahNow unit;
  double latent_w;

  double sensible_w() const noexcept { return unit.heat_w - latent_w; }
};

/// As `crah_now`, for air of that humidity and what is left of its filter.
inline HumidCrahNow crah_in_humid_air(const CrahParams& p, const PortNow& return_air, const PortNow& water_inlet,
                                      double fan_speed_fraction, const Humidity& humidity,
                                      double filter_fraction = 1.0) noexcept {
  CrahNow now = crah_now(p, return_air, water_inlet, fan_speed_fraction, filter_fraction);
  if (!may_condense(now.heat_w, water_inlet, humidity)) return {now, 0.0};
  PortNow air = return_air;
  air.flow_kg_per_s = now.air_flow_kg_per_s;
  const double air_film = film_ratio(air.flow_kg_per_s, p.air_design_flow_kg_per_s, p.air_flow_exponent_ratio);
  const double water_film =
      film_ratio(water_inlet.flow_kg_per_s, p.water_design_flow_kg_per_s, p.water_flow_exponent_ratio);
  const WetCoil coil{air, water_inlet, humidity,
                     coil_films(p.design_conductance_w_per_k, p.air_side_fraction, air_film, water_film),
                     p.is_counterflow ? FlowArrangement::counterflow : FlowArrangement::crossflow_unmixed};
  const CoilHeat heat = coil.heat(now.heat_w);
  now.heat_w = heat.total_w();
  now.supply_k = air.temperature_k - (heat.sensible_w - now.fan_power_w) / capacity_rate_w_per_k(air);
  return {now, heat.latent_w};
}

}  // namespace wattloop::physics
