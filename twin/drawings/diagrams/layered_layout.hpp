// Places of boxes that give to one another: each in a layer below those that give to it, lines between layers with few crossings.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

struct LayeredLayout {
  std::vector<std::size_t> layer{};  ///< [box] 0: nothing gives to it
  std::vector<double> x{};           ///< [box] of its middle, in widths of boxes from the left edge of the drawing
  /// [connection] places in the layers between those of its ends, in which lines go around boxes; in order.
  std::vector<std::vector<double>> bends{};
  std::size_t layer_count = 0;
  double width = 0.0;  ///< of the widest layer, in widths of boxes
};

/// A box in the layer of two others, between them where they can stand side by side. No connection has it.
struct BoxBetween {
  std::size_t box = 0;
  std::array<std::size_t, 2> of{};
};

/// connections: [from, to] of boxes; one that closes a circle is ignored where layers are found.
LayeredLayout layered_layout(std::size_t boxes, std::span<const std::array<std::size_t, 2>> connections,
                             std::span<const BoxBetween> between = {});

}  // namespace wattloop::twin
