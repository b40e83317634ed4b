#include "twin/plant/snapshot/plant_snapshot.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "physics/water/water_pump.hpp"
#include "twin/parts/part_catalog.hpp"
#include "workload/nodes/server_fans.hpp"

namespace wattloop::twin {

namespace {

/// Rack by rack, in their order.
template <class Number>
Number sum_of(RackDigests racks, Number RackDigest::*figure) {
  Number sum{};
  for (const RackDigest& rack : racks) sum += rack.*figure;
  return sum;
}

}  // namespace

double hottest_die_k(RackDigests racks) {
  double hottest_k = 0.0;
  for (const RackDigest& rack : racks) hottest_k = std::max(hottest_k, rack.hottest_k);
  return hottest_k;
}

double gpu_power_w(RackDigests racks) { return sum_of(racks, &RackDigest::gpu_power_w); }
std::size_t throttled_gpus(RackDigests racks) { return sum_of(racks, &RackDigest::throttled_gpus); }
std::size_t capped_gpus(RackDigests racks) { return sum_of(racks, &RackDigest::capped_gpus); }
std::size_t down_gpus(RackDigests racks) { return sum_of(racks, &RackDigest::down_gpus); }
std::size_t shut_down_gpus(RackDigests racks) { return sum_of(racks, &RackDigest::shut_down_gpus); }

double mean_die_k(RackDigests racks) {
  double sum_k = 0.0;
  std::size_t gpus = 0;
  for (const RackDigest& rack : racks) {
    sum_k += rack.sum_die_k;
    gpus += rack.gpus;
  }
  return sum_k / static_cast<double>(gpus);
}

double PlantSnapshot::reported(std::string_view group, std::string_view part, std::string_view column) const {
  const auto kinds = part_kinds();
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].table.group != group) continue;
    const auto names = plant.components[k]->names();
    const auto at = std::ranges::find(names, part);
    const auto in_kind = std::ranges::find(kinds[k].columns, column, &PartColumn::name);
    if (at == names.end() || in_kind == kinds[k].columns.end()) continue;
    return plant.components[k]->column_of(static_cast<std::size_t>(at - names.begin()),
                                          static_cast<std::size_t>(in_kind - kinds[k].columns.begin()), read_plant());
  }
  throw std::out_of_range(fmt::format("no {}/{} of {}", group, column, part));
}

double PlantSnapshot::it_power_w() const {
  double sum_w = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (plant.uses[use].is_it) sum_w += power_w(use);
  }
  return sum_w;
}

bool has_node_fans(const Plant& plant) { return std::ranges::any_of(plant.it.groups, &RackGroup::has_fan_control); }

double PlantSnapshot::node_fans_w() const {
  const ItEquipment& it = plant.it;
  double sum_w = 0.0;
  for (std::size_t rack = 0; rack < it.racks.size(); ++rack) {
    const RackGroup& group = it.group_of(rack);
    if (!group.has_fan_control || !electrical::is_served(state.switches, it.racks[rack].load)) continue;
    std::size_t on = group.nodes_per_rack;
    if (state.work.is_restrained[rack] != 0) {
      const auto nodes = std::span(state.work.node_is).subspan(it.racks[rack].first_node, on);
      on = static_cast<std::size_t>(std::ranges::count_if(nodes, is_switched_on));
    }
    sum_w += static_cast<double>(on) * workload::fans_w(group.fan_w, fan_speed_fraction(state, rack));
  }
  return sum_w;
}

double PlantSnapshot::cooling_power_w() const {
  double sum_w = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (is_cooling(plant.uses[use])) sum_w += power_w(use);
  }
  return sum_w;
}

double PlantSnapshot::facility_power_w() const {
  double sum_w = evaluation.power.source_total_w;
  for (const SiteLoadPart& site : plant.site_loads) sum_w -= evaluation.power.load_served_w[site.load];
  return sum_w;
}

double PlantSnapshot::pue_ratio() const {
  const double it_w = it_power_w();
  const bool means_something = it_w > 0.0 && evaluation.power.battery_total_w <= 0.0;
  return means_something ? facility_power_w() / it_w : std::numeric_limits<double>::quiet_NaN();
}

double PlantSnapshot::rejected_w() const {
  double sum_w = evaluation.sinks[plant.meters.outdoors];
  for (const std::size_t meter : plant.meters.boundaries) sum_w += evaluation.sinks[meter];
  return sum_w;
}

double water_m3(double water_kg) { return water_kg / physics::pumped_water_kg_per_m3; }

double make_up_m3(const Plant& plant, const PlantState& state) {
  return water_m3(state.states[plant.meters.make_up_water]);
}

std::string from_outside(const Plant& plant) {
  const std::vector<std::string>& waters = plant.waters_from_outside;
  if (waters.empty()) return {};
  return fmt::format("{} {} from outside", fmt::join(waters, " and "), waters.size() == 1 ? "comes" : "come");
}

}  // namespace wattloop::twin
