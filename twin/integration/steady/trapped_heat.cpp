#include "twin/integration/steady/trapped_heat.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double largest_rise_k = 60.0;  ///< of flows past units: more is no cooling
constexpr double usual_k = 300.0;

struct Rise {
  std::string place{};
  double rise_k = 0.0;
};

/// What the units of a station have in common: "row_1.rack_1".
std::string place_of(const UnitGroup& group, const Station& station) {
  const std::string_view first = group.unit_names[station.first_unit];
  const std::string_view last = group.unit_names[station.first_unit + station.unit_count - 1];
  const auto differs = std::ranges::mismatch(first, last).in1 - first.begin();
  const std::string_view common = first.substr(0, static_cast<std::size_t>(differs));
  return std::string(common.substr(0, common.rfind('.')));
}

/// By how much the flows past the units of a station become warmer.
double rise_k(const UnitGroup& group, const Station& station, std::span<const double> signals) {
  double load_w = 0.0, capacity_w_per_k = 0.0;
  for (std::size_t unit = 0; unit < station.unit_count; ++unit)
    load_w += signals[group.first_load + station.first_unit + unit];
  for (const PortWiring& port : station.ports) {
    capacity_w_per_k += static_cast<double>(station.unit_count) * port.share_fraction *
                        std::abs(signals[port.flow_signal]) * port.specific_heat_j_per_kg_k;
  }
  return load_w > 0.0 ? load_w / capacity_w_per_k : 0.0;
}

Rise largest_rise(const Plant& plant, std::span<const double> signals) {
  Rise largest;
  for (const auto& group : plant.groups) {
    for (const Station& station : group->stations) {
      const double here_k = rise_k(*group, station, signals);
      if (here_k > largest.rise_k) largest = {place_of(*group, station), here_k};
    }
  }
  return largest;
}

}  // namespace

std::string trapped_heat(const Plant& plant, std::span<const double> signals) {
  const Rise rise = largest_rise(plant, signals);
  if (std::isinf(rise.rise_k)) return fmt::format("heat cannot leave {}: no flow reaches it", rise.place);
  if (rise.rise_k > largest_rise_k)
    return fmt::format("heat cannot leave {}: the flows that reach it would become {:.3g} K warmer", rise.place,
                       rise.rise_k);
  const auto distance_k = [&](const ThermalNode& node) {
    const double k = signals[node.temperature_signal];
    return node.is_boundary() ? -1.0 : std::isfinite(k) ? std::abs(k - usual_k) : usual_k;
  };
  const auto farthest = std::ranges::max_element(plant.nodes, {}, distance_k);
  if (farthest == plant.nodes.end() || distance_k(*farthest) < 0.0) return "heat cannot leave the hall";
  return fmt::format("heat cannot leave {}, which would be at {}", farthest->name,
                     format_quantity(signals[farthest->temperature_signal], "K"));
}

}  // namespace wattloop::twin
