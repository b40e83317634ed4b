#include "twin/plant/snapshot/tree_sinks.hpp"

#include <algorithm>

namespace wattloop::twin {

std::vector<std::size_t> tree_sinks(const Plant& plant) {
  std::vector<std::size_t> sinks{plant.meters.feed, plant.meters.outdoors, plant.meters.electrical_loss};
  for (const LossMeter& loss : plant.meters.loss) sinks.push_back(loss.meter);
  for (const RoomPart& room : plant.rooms) sinks.push_back(room.sink);
  for (const LossBody& body : plant.loss_bodies) sinks.push_back(body.sink);
  for (const BatteryPart& battery : plant.batteries) sinks.push_back(battery.charge_state);
  if (!plant.site_loads.empty()) sinks.push_back(plant.meters.energy[plant.load_use[plant.site_loads.front().load]]);
  return sinks;
}

void tree_powers_w(const Plant& plant, const electrical::PowerFlow& power, std::span<double> to_sinks_w) noexcept {
  to_sinks_w[0] = power.source_total_w;
  to_sinks_w[1] = power.outdoor_loss_w;
  to_sinks_w[2] = power.loss_w;
  const std::span<double> by_kind = to_sinks_w.subspan(3, plant.meters.loss.size());
  std::fill(by_kind.begin(), by_kind.end(), 0.0);
  for (std::size_t branch = 0; branch < plant.branch_meter.size(); ++branch) {
    by_kind[plant.branch_meter[branch]] += power.branch_loss_w[branch];
  }
  double* next = by_kind.data() + by_kind.size();
  next = std::copy(power.room_loss_w.begin(), power.room_loss_w.end(), next);
  for (const BatteryPart& battery : plant.batteries) *next++ = -power.branch_battery_w[battery.branch];
  if (plant.site_loads.empty()) return;
  double site_w = 0.0;  // leaves the site
  for (const SiteLoadPart& site : plant.site_loads) site_w += power.load_served_w[site.load];
  to_sinks_w[1] += site_w;
  *next = site_w;
}

}  // namespace wattloop::twin
