#include "twin/run/meters/controlled_places.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop::twin {

void Approach::add(double set_point_k, double temperature_k) {
  asked_k = set_point_k;
  const bool is_same_setting = std::abs(set_point_k - moved_to_k) <= set_point_tolerance_k;  // false at first
  if (!is_same_setting) {
    moved_to_k = set_point_k;
    distance_k = std::numeric_limits<double>::infinity();
  }
  const double now_k = std::abs(temperature_k - set_point_k);
  if (now_k >= distance_k) return;
  distance_k = now_k;
  reached_k = temperature_k;
}

bool Approach::is_reached() const { return distance_k <= set_point_tolerance_k || !std::isfinite(asked_k + reached_k); }

void OffSetPoint::add(double beyond_k, double since_s) {
  if (is_off) time_s += since_s;
  is_off = beyond_k > set_point_tolerance_k;
  if (is_off) most_k = std::max(most_k, beyond_k);
}

std::string unreached_text(const std::vector<ControlledPlace>& places, const std::vector<Approach>& approaches,
                           UnitStyle style) {
  std::vector<std::string> texts;
  for (std::size_t place = 0; place < places.size(); ++place) {
    const Approach& approach = approaches[place];
    if (approach.is_reached()) continue;
    texts.push_back(fmt::format("{}: {} asked, {} reached", places[place].text,
                                format_quantity(approach.asked_k, "K", style),
                                format_quantity(approach.reached_k, "K", style)));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<ControlledPlace> controlled_places(const Plant& plant) {
  std::vector<ControlledPlace> places;
  for (const SystemPart& system : plant.systems) {
    if (system.is_own())
      places.push_back({system.name, system.fluid, system.supply_node, system.set_point_input, false});
  }
  for (const RoomPart& room : plant.rooms) {
    if (room.set_point_input != no_part)
      places.push_back(
          {room.name, "air of " + room.name, room.node, room.set_point_input, !room.has_adjustable_cooling});
  }
  return places;
}

}  // namespace wattloop::twin
