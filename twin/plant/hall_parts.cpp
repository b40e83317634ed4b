#include "twin/plant/hall_parts.hpp"

#include <fmt/format.h>

namespace wattloop::twin {

std::string size_text(const HallParts& hall) {
  const auto count = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {}", count(hall.racks.size(), "rack"), count(hall.node_count(), "node"),
                     count(hall.gpu_count(), "GPU"));
}

}  // namespace wattloop::twin
