// One stream along a wall of one temperature: Q = eps m c (T_wall - T_in), eps = 1 - exp(-UA / (m c)).
// Source: [incropera2011] eq. 11.35a (C_r = 0).
#pragma once

#include <cmath>

namespace wattloop::physics {

/// Watts per kelvin of (wall - inlet) for a stream of the given capacity rate m c; 0 where nothing flows.
inline double one_stream_w_per_k(double conductance_w_per_k, double capacity_rate_w_per_k) noexcept {
  if (capacity_rate_w_per_k <= 0.0) return 0.0;
  return -capacity_rate_w_per_k * std::expm1(-conductance_w_per_k / capacity_rate_w_per_k);
}

}  // namespace wattloop::physics
