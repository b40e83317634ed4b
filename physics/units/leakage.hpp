// Leakage of a chip: power that rises with its temperature, on top of a load that already contains it at one temperature.
//
//   P_leakage = slope (T - T_ref) while the chip has power; nothing without load, since a chip that idles has some
//
// Source: linearised about T_ref from the exponential law of [liao2005]; valid within about 30 K of it.
#pragma once

namespace wattloop::physics {

inline double leakage_w(double slope_w_per_k, double reference_k, double die_k, double load_w) noexcept {
  return load_w > 0.0 ? slope_w_per_k * (die_k - reference_k) : 0.0;
}

}  // namespace wattloop::physics
