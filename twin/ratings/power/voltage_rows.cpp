#include "twin/ratings/power/voltage_rows.hpp"

#include <cmath>
#include <numbers>

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

/// Lines whose drop is more than a load stands, where power is computed at nominal voltage: R P / V^2, which is their loss as a share of what they deliver.
std::vector<CheckRow> neglected_drops(const PlantSnapshot& now) {
  const electrical::PowerTree& tree = now.plant.power_tree;
  std::vector<CheckRow> rows;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_makes_voltage[branch] != 0 || is_transformer(tree, branch)) continue;
    const double share = tree.branch_loss[branch].quadratic_per_w * now.evaluation.power.branch_output_w[branch];
    if (share <= 1.0 - lowest_ratio) continue;
    rows.push_back({.kind = CheckRow::Kind::limit,
                    .of = "lines",
                    .name = tree.branch_name[branch],
                    .quantity = "voltage drop that `flow: watts` neglects",
                    .why = "more than equipment tolerates; `flow: auto` computes voltages",
                    .unit = "1",
                    .value = share,
                    .limit = 1.0 - lowest_ratio});
  }
  return rows;
}

constexpr double highest_between_phases_v = 240.0;

struct Extreme {
  std::size_t rack = no_part;
  double voltage_v = 0.0;
};

/// The voltage at the supplies of a rack that is lowest, or highest, of its live buses.
Extreme extreme_of(const PlantSnapshot& now, std::size_t group, bool is_low) {
  const electrical::PowerTree& tree = now.plant.power_tree;
  Extreme found;
  for (std::size_t rack = 0; rack < now.plant.it.racks.size(); ++rack) {
    if (now.plant.it.racks[rack].group != group) continue;
    for (const int bus_number : tree.load_bus[now.plant.it.racks[rack].load]) {
      if (bus_number == electrical::no_bus) continue;
      const auto bus = static_cast<std::size_t>(bus_number);
      if (now.state.switches.bus_live[bus] == 0) continue;
      const double nominal_v = now.plant.voltages->nominal_v[bus];
      const double phases_v = std::abs(now.state.voltages.bus[bus]) * nominal_v;
      const double voltage_v = nominal_v > highest_between_phases_v ? phases_v / std::numbers::sqrt3 : phases_v;
      const bool is_beyond = is_low ? voltage_v < found.voltage_v : voltage_v > found.voltage_v;
      if (found.rack == no_part || is_beyond) found = {rack, voltage_v};
    }
  }
  return found;
}

}  // namespace

std::vector<CheckRow> supply_voltage_rows(const PlantSnapshot& now, const std::vector<RacksSpec>& racks) {
  if (!now.plant.voltages || now.state.voltages.bus.empty()) return {};
  std::vector<CheckRow> rows;
  for (std::size_t group = 0; group < racks.size(); ++group) {
    const electrical::PsuParams& psu = racks[group].hardware.psu;
    if (psu.lowest_input_v == 0.0) continue;
    for (const bool is_low : {true, false}) {
      const Extreme found = extreme_of(now, group, is_low);
      if (found.rack == no_part) continue;
      rows.push_back(
          {.kind = CheckRow::Kind::limit,
           .of = "power supplies",
           .name = now.plant.it.racks[found.rack].name,
           .quantity = "input voltage",
           .why = is_low ? "lower than its power supplies work at" : "higher than its power supplies work at",
           .unit = "V",
           .side = is_low ? Side::below : Side::above,
           .value = found.voltage_v,
           .limit = is_low ? psu.lowest_input_v : psu.highest_input_v});
    }
  }
  return rows;
}

std::vector<CheckRow> voltage_rows(const PlantSnapshot& now) {
  if (!now.plant.voltages) return neglected_drops(now);
  if (now.state.voltages.bus.empty()) return {};
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
