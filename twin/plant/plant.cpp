#include "twin/plant/plant.hpp"

#include <algorithm>
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

}  // namespace wattloop::twin
