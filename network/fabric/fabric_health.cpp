#include "network/fabric/fabric_health.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace wattloop::network {

namespace {

using Kind = Component::Kind;

bool is_fraction(double value) { return value >= 0.0 && value <= 1.0; }

void lower_to(double& value, double fraction) { value = std::min(value, fraction); }

void impair_switch(const Fabric& fabric, std::size_t number, double fraction, FabricHealth& health) {
  if (fraction == 0.0) {
    health.is_failed[number] = 1;
    return;
  }
  for (std::size_t link = fabric.first_up_link[number]; link < fabric.first_up_link[number + 1]; ++link)
    lower_to(health.link_fraction[link], fraction);
  for (std::size_t i = fabric.first_down[number]; i < fabric.first_down[number + 1]; ++i)
    lower_to(health.link_fraction[fabric.down_links[i]], fraction);
}

void impair(const Fabric& fabric, const Component& component, double fraction, FabricHealth& health) {
  switch (component.kind) {
    case Kind::network_switch:
      return impair_switch(fabric, component.number, fraction, health);
    case Kind::link:
      return lower_to(health.link_fraction[component.number], fraction);
    case Kind::nvlink:
      return lower_to(health.nvlink_fraction[component.number], fraction);
    case Kind::rail:
      break;
  }
  for (std::size_t leaf = 0; leaf < fabric.tier_switch[1]; ++leaf) {
    if (fabric.switch_rail[leaf] == static_cast<std::int32_t>(component.number))
      impair_switch(fabric, leaf, fraction, health);
  }
}

}  // namespace

FabricHealth all_healthy(const Fabric& fabric) {
  const std::size_t gpus = fabric.node_count() * static_cast<std::size_t>(fabric.params.gpus_per_node);
  return {std::vector<std::uint8_t>(fabric.switch_count(), 0), std::vector<double>(fabric.link_count(), 1.0),
          std::vector<double>(gpus, 1.0)};
}

std::vector<std::string> mistakes_in(const Fabric& fabric, std::span<const Impairment> impairments) {
  std::vector<std::string> mistakes;
  std::map<std::string, int> times;
  for (const Impairment& one : impairments) {
    if (++times[one.name] == 2) mistakes.push_back(fmt::format("'{}' is named twice", one.name));
    if (times[one.name] == 1 && !find_component(fabric, one.name)) mistakes.push_back(unknown_name(fabric, one.name));
    if (!is_fraction(one.bandwidth_fraction))
      mistakes.push_back(fmt::format("'{}' cannot have {:.6g} of its bandwidth: a fraction is from 0 to 1", one.name,
                                     one.bandwidth_fraction));
  }
  return mistakes;
}

FabricHealth health_with(const Fabric& fabric, std::span<const Impairment> impairments) {
  FabricHealth health = all_healthy(fabric);
  for (const Impairment& one : impairments) {
    const std::optional<Component> component = find_component(fabric, one.name);
    if (component && is_fraction(one.bandwidth_fraction)) impair(fabric, *component, one.bandwidth_fraction, health);
  }
  return health;
}

double live_b_per_s(const Fabric& fabric, const FabricHealth& health, std::size_t link) {
  const bool has_failed_switch = health.is_failed[fabric.link_upper[link]] != 0 ||
                                 (link >= fabric.tier_link[1] && health.is_failed[fabric.link_lower[link]] != 0);
  return has_failed_switch ? 0.0 : fabric.link_b_per_s(link) * health.link_fraction[link];
}

double node_b_per_s(const Fabric& fabric, const FabricHealth& health, std::size_t node) {
  double sum_b_per_s = 0.0;
  for (std::size_t rail = 0; rail < static_cast<std::size_t>(fabric.params.rails); ++rail)
    sum_b_per_s += live_b_per_s(fabric, health, fabric.node_link(node, rail));
  return sum_b_per_s;
}

}  // namespace wattloop::network
