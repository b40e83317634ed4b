// What a dry cooler can do in the air of now, in place of what its maker rated it for: fans at full speed, liquid that leaves at the
// set-point, the inlet as warm as that heat makes it.
//
//   Q = w (T_in - T_dry) - Q_pump = C (T_in - T_set)   =>   Q = (w (T_set - T_dry) - Q_pump) / (1 - w / C),   w = eps C_min
//
// Source: physics/water/dry_cooler.hpp. Verified in tests/verification/dry_cooler.cpp against a data sheet.
#pragma once

#include <algorithm>
#include <limits>

#include "physics/water/dry_cooler.hpp"

namespace wattloop::physics {

/// Heat, W, that its liquid may bring; 0 where the air is too warm for the set-point, without end where nothing flows.
inline double most_heat_at_set_point_w(const DryCooler::Params& p, const DryCooler::Now& now) noexcept {
  const double capacity_w_per_k = now.liquid.flow_kg_per_s * now.liquid.specific_heat_j_per_kg_k;
  if (capacity_w_per_k <= 0.0) return std::numeric_limits<double>::infinity();
  const double w_per_k = DryCooler::held(p, {now.liquid.flow_kg_per_s, now.liquid.specific_heat_j_per_kg_k, 1.0});
  const double pump_w =
      DryCooler::effect(p, now, 0.0).liquid.heat_w;  // all that warms the liquid where the tubes take nothing
  const double heat_w =
      (w_per_k * (now.set_point_k - now.outside.dry_bulb_k) - pump_w) / (1.0 - w_per_k / capacity_w_per_k);
  return std::max(heat_w, 0.0);
}

}  // namespace wattloop::physics
