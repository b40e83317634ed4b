#include "twin/plant/equipment/it_equipment.hpp"

#include "core/text/count_text.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace wattloop::twin {

bool is_gpu_units(const ItEquipment& it, std::size_t units) {
  return std::ranges::find(it.groups, units, &RackGroup::gpu_units) != it.groups.end();
}

std::string size_text(const ItEquipment& it) {
  return fmt::format("{}, {}, {}", count_text(it.racks.size(), "rack"), count_text(it.node_count(), "node"),
                     count_text(it.gpu_count(), "GPU"));
}

}  // namespace wattloop::twin
