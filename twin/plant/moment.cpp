#include "twin/plant/moment.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::twin {

double hottest_die_k(RackDigests racks) {
  double hottest_k = 0.0;
  for (const RackDigest& rack : racks) hottest_k = std::max(hottest_k, rack.hottest_k);
  return hottest_k;
}

double gpu_power_w(RackDigests racks) {
  double sum_w = 0.0;
  for (const RackDigest& rack : racks) sum_w += rack.gpu_power_w;
  return sum_w;
}

std::size_t throttled_gpus(RackDigests racks) {
  std::size_t count = 0;
  for (const RackDigest& rack : racks) count += rack.throttled_gpus;
  return count;
}

double Moment::mean_die_k(RackDigests racks) const {
  double sum_k = 0.0;
  for (const RackDigest& rack : racks) sum_k += rack.sum_die_k;
  return sum_k / static_cast<double>(racks.size() * plant.hall.nodes_per_rack * plant.hall.gpus_per_node);
}

double Moment::loop_heat_w(const LoopPart& loop) const {
  const double flow = flow_kg_per_s(loop.rack_flow) * static_cast<double>(loop.racks.size());
  return flow * loop.specific_heat_j_per_kg_k * (node_k(loop.return_node) - node_k(loop.supply_node));
}

double Moment::cdu_heat_w(const CduPart& cdu) const {
  return water_heat_w(cdu.facility_flow, plant.hall.facility.supply_node, cdu.facility_node);
}

double Moment::crah_heat_w(const CrahPart& crah) const {
  return water_heat_w(crah.water_flow, plant.hall.chilled_water.supply_node, crah.water_node);
}

double Moment::it_power_w() const {
  double sum_w = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (plant.uses[use].is_it) sum_w += power_w(use);
  }
  return sum_w;
}

double Moment::cooling_power_w() const {
  double sum_w = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (!plant.uses[use].is_it) sum_w += power_w(use);
  }
  return sum_w;
}

double Moment::pue_ratio() const {
  const double it_w = it_power_w();
  return it_w > 0.0 ? evaluation.power.source_total_w / it_w : std::numeric_limits<double>::quiet_NaN();
}

double Moment::rejected_w() const {
  double sum_w = evaluation.sinks[plant.meters.outdoors];
  for (const std::size_t meter : plant.meters.boundaries) sum_w += evaluation.sinks[meter];
  return sum_w;
}

bool has_own_water(const HallParts& hall) { return is_own(hall.facility) && is_own(hall.chilled_water); }

}  // namespace wattloop::twin
