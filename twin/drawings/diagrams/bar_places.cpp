#include "twin/drawings/diagrams/bar_places.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {

constexpr double beside_box = 16, beside_bend = 20, between_bars = 12;  ///< pixels that stay free
constexpr double shortest_half = 70;                                    ///< of a bar, pixels
constexpr double port_inside = 8;                                       ///< how near to the end of a bar lines meet it

/// What stands in a layer beside a bar: its middle, and how near the bar may come to it.
struct Neighbour {
  double x = 0.0, keep_off = 0.0;
};

class Stretcher {
 public:
  Stretcher(const LayeredLayout& layout, std::span<const std::array<std::size_t, 2>> connections,
            const std::vector<bool>& is_bar)
      : layout_(layout), connections_(connections), is_bar_(is_bar), neighbours_(layout.layer_count) {
    for (std::size_t k = 0; k < connections.size(); ++k) {
      const auto [upper, lower] = upper_and_lower(k);
      for (std::size_t bend = 0; bend < layout.bends[k].size(); ++bend)
        neighbours_[layout.layer[upper] + 1 + bend].push_back({bend_x(k, bend), beside_bend});
    }
  }

  Extent extent(std::size_t box) const {
    const double middle = layout_.x[box] * column_width;
    if (!is_bar_[box]) return {middle - box_width / 2, middle + box_width / 2};
    const Extent room = room_of(box);
    Extent wanted{middle - shortest_half, middle + shortest_half};
    for (std::size_t k = 0; k < connections_.size(); ++k) {
      const auto [upper, lower] = upper_and_lower(k);
      if (upper != box && lower != box) continue;
      const std::size_t bends = layout_.bends[k].size();
      double x = layout_.x[upper == box ? lower : upper] * column_width;
      if (bends > 0) x = bend_x(k, upper == box ? 0 : bends - 1);
      wanted.left = std::min(wanted.left, x - port_inside);
      wanted.right = std::max(wanted.right, x + port_inside);
    }
    return {std::max(wanted.left, room.left), std::min(wanted.right, room.right)};
  }

 private:
  std::array<std::size_t, 2> upper_and_lower(std::size_t connection) const {
    const auto [from, to] = connections_[connection];
    return layout_.layer[from] > layout_.layer[to] ? std::array{to, from} : std::array{from, to};
  }

  /// Counted from the upper end of the connection.
  double bend_x(std::size_t connection, std::size_t bend) const {
    const std::vector<double>& bends = layout_.bends[connection];
    const auto [from, to] = connections_[connection];
    return column_width * (layout_.layer[from] > layout_.layer[to] ? bends[bends.size() - 1 - bend] : bends[bend]);
  }

  Extent room_of(std::size_t bar) const {
    const double middle = layout_.x[bar] * column_width;
    Extent room{0.0, layout_.width * column_width};
    room.left = std::min(room.left, middle - shortest_half);
    room.right = std::max(room.right, middle + shortest_half);
    const auto limit = [&](double x, double keep_off) {
      if (x < middle) room.left = std::max(room.left, x + keep_off);
      if (x > middle) room.right = std::min(room.right, x - keep_off);
    };
    for (const Neighbour& one : neighbours_[layout_.layer[bar]]) limit(one.x, one.keep_off);
    for (std::size_t box = 0; box < layout_.x.size(); ++box) {
      if (box == bar || layout_.layer[box] != layout_.layer[bar]) continue;
      const double x = layout_.x[box] * column_width;
      const double half = is_bar_[box] ? std::abs(x - middle) / 2 + between_bars : box_width / 2 + beside_box;
      limit(x, half);
    }
    return room;
  }

  const LayeredLayout& layout_;
  std::span<const std::array<std::size_t, 2>> connections_;
  const std::vector<bool>& is_bar_;
  std::vector<std::vector<Neighbour>> neighbours_;  ///< [layer] bends of lines
};

}  // namespace

double Extent::port(double x) const {
  if (right - left < 2 * port_inside) return (left + right) / 2;
  return std::clamp(x, left + port_inside, right - port_inside);
}

std::vector<Extent> extents_of(const LayeredLayout& layout, std::span<const std::array<std::size_t, 2>> connections,
                               const std::vector<bool>& is_bar) {
  const Stretcher stretcher(layout, connections, is_bar);
  std::vector<Extent> extents;
  for (std::size_t box = 0; box < layout.x.size(); ++box) extents.push_back(stretcher.extent(box));
  return extents;
}

}  // namespace wattloop::twin
