#include "twin/plant/snapshot/storage_slopes.hpp"

namespace wattloop::twin {

double recharge_slope_w(const Evaluation& evaluation, const BatteryPart& battery) {
  const double full = evaluation.full_charge[battery.branch];
  const bool tapers = evaluation.signals[battery.charge_state] > full * (1.0 - electrical::recharge_taper_fraction);
  const bool is_fed = evaluation.power.branch_input_w[battery.branch] > 0.0;
  return tapers && is_fed ? -evaluation.charger_w[battery.branch] / (full * electrical::recharge_taper_fraction) : 0.0;
}

}  // namespace wattloop::twin
