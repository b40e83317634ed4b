// How what storage takes from the power tree follows its own state: an entry of the Jacobian for each.
#pragma once

#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::twin {

/// d(power into the battery) / d(state of charge): it recharges while its branch draws from upstream.
double recharge_slope_w(const Evaluation& evaluation, const BatteryPart& battery);

/// Calls `act(state, slope_w)` for each store, always in the same order. Its power comes from the feed.
template <class Act>
void for_each_storage_slope(const Plant& plant, const Evaluation& evaluation, const Act& act) {
  for (const BatteryPart& battery : plant.batteries) act(battery.charge_state, recharge_slope_w(evaluation, battery));
}

}  // namespace wattloop::twin
