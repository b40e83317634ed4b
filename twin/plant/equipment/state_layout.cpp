#include "twin/plant/equipment/state_layout.hpp"

#include <utility>

namespace wattloop::twin {

std::size_t StateLayout::add(std::string component, const StateInfo& info) {
  return add_column({std::move(component)}, info);
}

std::size_t StateLayout::add_column(const std::vector<std::string>& components, const StateInfo& info) {
  const std::size_t first = size();
  column_of_slot_.resize(first + components.size(), static_cast<std::uint32_t>(columns_.size()));
  columns_.push_back({first, info, info.name == meter_state_name, components});
  return first;
}

std::string StateLayout::name(std::size_t slot) const {
  const Column& column = column_of(slot);
  return column.components[slot - column.first] + "." + std::string(column.info.name);
}

}  // namespace wattloop::twin
