#include "twin/plant/equipment/it_equipment.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace wattloop::twin {

bool is_gpu_units(const ItEquipment& it, std::size_t units) {
  return std::ranges::find(it.groups, units, &RackGroup::gpu_units) != it.groups.end();
}

std::string size_text(const ItEquipment& it) {
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {}", count(it.racks.size(), "rack"), count(it.node_count(), "node"),
                     count(it.gpu_count(), "GPU"));
}

}  // namespace wattloop::twin
