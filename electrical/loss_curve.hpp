// Loss of electrical equipment as a quadratic of the power that it delivers.
#pragma once

#include <algorithm>

namespace wattloop::electrical {

struct LossCurve {
  double constant_w = 0.0;       ///< drawn whenever energised
  double linear_ratio = 0.0;     ///< W of loss per W delivered
  double quadratic_per_w = 0.0;  ///< W of loss per W^2 delivered
};

/// Loss when energised and delivering `output_w`.
constexpr double loss_w(const LossCurve& curve, double output_w) noexcept {
  return curve.constant_w + output_w * (curve.linear_ratio + output_w * curve.quadratic_per_w);
}

/// Loss of `modules` alike that share the output equally, as a function of their common output.
constexpr LossCurve in_parallel(const LossCurve& one, int modules) noexcept {
  return {.constant_w = one.constant_w * modules,
          .linear_ratio = one.linear_ratio,
          .quadratic_per_w = one.quadratic_per_w / modules};
}

/// Loss of a share of alike modules that carries the output of all; nothing where none is left.
constexpr LossCurve in_service(const LossCurve& all, double share) noexcept {
  if (share == 1.0) return all;
  if (!(share > 0.0)) return {};
  return {.constant_w = all.constant_w * share,
          .linear_ratio = all.linear_ratio,
          .quadratic_per_w = all.quadratic_per_w / share};
}

/// What stands behind equipment that carries on without its feed.
struct Battery {
  double energy_j = 0.0;   ///< when full
  double charger_w = 0.0;  ///< into an emptied one
};

/// Rate of the state of charge (1 is full) of a battery that gives `power_w`; 0 for a battery without energy.
constexpr double battery_rate_per_s(double energy_j, double power_w) noexcept {
  return energy_j > 0.0 ? -power_w / energy_j : 0.0;
}

/// Below full charge by this much, the recharging power falls in proportion to what is missing, as at constant
/// voltage [engineering_estimate].
inline constexpr double recharge_taper_fraction = 0.05;

/// Power into a battery of that state of charge from a charger of `charger_w`. `full`: its charge when full, 1 if it is all there is.
constexpr double recharge_w(double charger_w, double charge_fraction, double full = 1.0) noexcept {
  return full > 0.0 ? charger_w * std::clamp((full - charge_fraction) / (full * recharge_taper_fraction), 0.0, 1.0)
                    : 0.0;
}

}  // namespace wattloop::electrical
