#include "twin/plant/equipment/hall_fabric.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

using Kind = network::Component::Kind;

std::size_t gpu_count(const network::Fabric& fabric) {
  return fabric.node_count() * static_cast<std::size_t>(fabric.params.gpus_per_node);
}

}  // namespace

std::size_t HallFabric::part_count() const {
  return fabric.switch_count() + fabric.link_count() + gpu_count(fabric) +
         static_cast<std::size_t>(fabric.params.rails);
}

std::size_t HallFabric::rack_of_switch(std::size_t number) const {
  const auto after = std::ranges::upper_bound(first_switch, number);
  return static_cast<std::size_t>(after - first_switch.begin()) - 1;
}

std::string block_name(const HallFabric& hall, std::size_t block) {
  const FabricBlock& one = hall.blocks[block];
  const std::string first = network::switch_name(hall.fabric, hall.fabric.tier_switch[std::size_t(one.tier)]);
  const std::string word = first.substr(0, first.rfind('_'));
  return one.island == network::no_island ? word : fmt::format("{}.island_{}", word, one.island + 1);
}

void divide_in_blocks(HallFabric& hall) {
  const network::Fabric& fabric = hall.fabric;
  hall.blocks.clear();
  hall.block_of_switch.clear();
  std::map<std::pair<int, int>, std::uint32_t> number_of;  // by tier and island
  for (std::size_t one = 0; one < fabric.switch_count(); ++one)
    number_of.try_emplace({fabric.switch_tier[one], fabric.switch_island[one]}, 0);
  for (auto& [place, number] : number_of) {
    number = static_cast<std::uint32_t>(hall.blocks.size());
    hall.blocks.push_back({.tier = place.first, .island = place.second});
  }
  for (std::size_t one = 0; one < fabric.switch_count(); ++one) {
    const std::uint32_t block = number_of.at({fabric.switch_tier[one], fabric.switch_island[one]});
    hall.block_of_switch.push_back(block);
    ++hall.blocks[block].switches;
    hall.blocks[block].links += fabric.first_down[one + 1] - fabric.first_down[one];
  }
}

std::size_t part_number(const network::Fabric& fabric, const network::Component& component) {
  std::size_t before = 0;
  if (component.kind == Kind::network_switch) return before + component.number;
  before += fabric.switch_count();
  if (component.kind == Kind::link) return before + component.number;
  before += fabric.link_count();
  if (component.kind == Kind::nvlink) return before + component.number;
  return before + gpu_count(fabric) + component.number;
}

network::Component component_of(const network::Fabric& fabric, std::size_t part) {
  if (part < fabric.switch_count()) return {Kind::network_switch, part};
  part -= fabric.switch_count();
  if (part < fabric.link_count()) return {Kind::link, part};
  part -= fabric.link_count();
  if (part < gpu_count(fabric)) return {Kind::nvlink, part};
  return {Kind::rail, part - gpu_count(fabric)};
}

network::FabricHealth health_with(const network::Fabric& fabric, std::span<const FabricLoss> losses) {
  std::vector<network::Impairment> impairments;
  impairments.reserve(losses.size());
  for (const FabricLoss& loss : losses)
    impairments.push_back({network::name_of(fabric, component_of(fabric, loss.part)), (100.0 - loss.percent) / 100.0});
  return network::health_with(fabric, impairments);
}

}  // namespace wattloop::twin
