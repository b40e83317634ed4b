#include "twin/plant/equipment/plant.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace wattloop::twin {

std::size_t use_number(const Plant& plant, std::string_view name) {
  const auto found = std::ranges::find(plant.uses, name, &UseOfPower::name);
  if (found == plant.uses.end()) throw std::out_of_range("no use of power '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - plant.uses.begin());
}

const SystemPart& system_named(const Plant& plant, std::string_view name) {
  const auto found = std::ranges::find(plant.systems, name, &SystemPart::name);
  if (found == plant.systems.end()) throw std::out_of_range("no system '" + std::string(name) + "'");
  return *found;
}

const RackGroup& group_of_gpu(const Plant& plant, std::size_t gpu) {
  const std::vector<RackGroup>& groups = plant.it.groups;
  const auto next = std::ranges::upper_bound(groups, gpu, {}, &RackGroup::first_gpu);
  return *std::prev(next);
}

const std::string& gpu_name(const Plant& plant, std::size_t gpu) {
  const RackGroup& group = group_of_gpu(plant, gpu);
  return plant.groups[group.gpu_units]->unit_names[group.unit_of(gpu)];
}

std::string node_name(const Plant& plant, std::size_t node) {
  const auto next = std::ranges::upper_bound(plant.it.groups, node, {}, &RackGroup::first_node);
  const RackGroup& group = *std::prev(next);
  const std::string& gpu = gpu_name(plant, group.first_gpu + (node - group.first_node) * group.gpus_per_node);
  return gpu.substr(0, gpu.rfind('.'));
}

std::size_t die_slot(const Plant& plant, std::size_t gpu) {
  const RackGroup& group = group_of_gpu(plant, gpu);
  return plant.groups[group.gpu_units]->state_slot(0, group.unit_of(gpu));
}

std::size_t air_around(const Plant& plant, std::size_t branch) noexcept {
  const int warmed = plant.power_tree.branch_room[branch];
  if (warmed == electrical::outdoors) return no_part;
  const auto number = static_cast<std::size_t>(warmed), rooms = plant.rooms.size();
  const std::size_t room = number < rooms ? number : plant.loss_bodies[number - rooms].room;
  return plant.nodes[plant.rooms[room].node].temperature_signal;
}

}  // namespace wattloop::twin
