#include "twin/state_layout.hpp"

#include <algorithm>
#include <utility>

namespace wattloop::twin {

std::size_t StateLayout::add(std::string component, const StateInfo& info) {
  return add_column({std::move(component)}, info);
}

std::size_t StateLayout::add_column(const std::vector<std::string>& components, const StateInfo& info) {
  const std::size_t first = size_;
  columns_.push_back({first, info, components});
  size_ += components.size();
  return first;
}

const StateLayout::Column& StateLayout::column_of(std::size_t slot) const {
  const auto after = std::upper_bound(columns_.begin(), columns_.end(), slot,
                                      [](std::size_t s, const Column& column) { return s < column.first; });
  return *std::prev(after);
}

std::string StateLayout::name(std::size_t slot) const {
  const Column& column = column_of(slot);
  return column.components[slot - column.first] + "." + std::string(column.info.name);
}

std::string_view StateLayout::unit(std::size_t slot) const { return column_of(slot).info.unit; }
bool StateLayout::is_meter(std::size_t slot) const { return column_of(slot).info.name == meter_state_name; }
double StateLayout::typical(std::size_t slot) const { return column_of(slot).info.typical; }
double StateLayout::tolerance(std::size_t slot) const { return column_of(slot).info.tolerance; }

}  // namespace wattloop::twin
