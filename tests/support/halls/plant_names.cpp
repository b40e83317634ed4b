#include "tests/support/halls/plant_names.hpp"

#include <algorithm>
#include <stdexcept>

namespace wattloop::tests {

namespace {

template <class Items, class Name>
std::size_t place_in(const Items& items, std::string_view name, const Name& name_of) {
  const auto found = std::ranges::find(items, name, name_of);
  if (found == items.end()) throw std::out_of_range("the plant has nothing named " + std::string(name));
  return static_cast<std::size_t>(found - items.begin());
}

}  // namespace

std::size_t node_named(const twin::Plant& plant, std::string_view name) {
  return place_in(plant.nodes, name, &twin::ThermalNode::name);
}

std::size_t input_named(const twin::Plant& plant, std::string_view name) {
  return place_in(plant.input_names, name, std::identity{});
}

const twin::Link& link_named(const twin::Plant& plant, std::string_view name) {
  return plant.links[place_in(plant.links, name, &twin::Link::name)];
}

std::size_t motor_named(const twin::Plant& plant, std::string_view name) {
  return place_in(plant.motors, name, &twin::MotorPart::name);
}

bool has_node(const twin::Plant& plant, std::string_view name) {
  return std::ranges::find(plant.nodes, name, &twin::ThermalNode::name) != plant.nodes.end();
}

std::size_t count_on(const twin::Plant& plant, std::string_view kind, const std::string& on) {
  return static_cast<std::size_t>(std::ranges::count_if(plant.named, [&](const twin::NamedPart& part) {
    return part.kind == kind && std::ranges::count(part.hangs_on, on) > 0;
  }));
}

}  // namespace wattloop::tests
