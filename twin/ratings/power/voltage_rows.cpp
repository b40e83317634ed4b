#include "twin/ratings/power/voltage_rows.hpp"

#include <cmath>

namespace wattloop::twin {

namespace {

constexpr double lowest_ratio = 0.9, highest_ratio = 1.1;

CheckRow row_of(const PlantSnapshot& now, std::size_t bus, bool is_low) {
  const double nominal_v = now.plant.voltages->nominal_v[bus];
  return {.kind = CheckRow::Kind::limit,
          .of = "buses",
          .name = now.plant.power_tree.bus_name[bus],
          .quantity = "voltage",
          .why = is_low ? "lower than equipment works at" : "higher than equipment works at",
          .unit = "V",
          .side = is_low ? Side::below : Side::above,
          .value = std::abs(now.state.voltages.bus[bus]) * nominal_v,
          .limit = (is_low ? lowest_ratio : highest_ratio) * nominal_v};
}

}  // namespace

std::vector<CheckRow> voltage_rows(const PlantSnapshot& now) {
  if (!now.plant.voltages || now.state.voltages.bus.empty()) return {};
  std::size_t lowest = no_part, highest = no_part;
  const auto ratio = [&](std::size_t bus) { return std::abs(now.state.voltages.bus[bus]); };
  for (std::size_t bus = 0; bus < now.state.voltages.bus.size(); ++bus) {
    if (now.state.switches.bus_live[bus] == 0) continue;
    if (lowest == no_part || ratio(bus) < ratio(lowest)) lowest = bus;
    if (highest == no_part || ratio(bus) > ratio(highest)) highest = bus;
  }
  if (lowest == no_part) return {};
  return {row_of(now, lowest, true), row_of(now, highest, false)};
}

}  // namespace wattloop::twin
