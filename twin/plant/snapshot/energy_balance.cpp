#include "twin/plant/snapshot/energy_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double roundings_of_a_sum = 16.0;

double battery_energy_j(const Plant& plant, const PlantState& state) {
  double sum_j = 0.0;
  const electrical::PowerTree& tree = plant.power_tree;
  for (const BatteryPart& battery : plant.batteries) {
    double charge = state.states[battery.charge_state];
    const std::size_t first = tree.branch_first_module[battery.branch];
    const auto modules = static_cast<std::size_t>(tree.branch_modules[battery.branch]);
    for (const double kept : std::span(state.switching.kept_charge).subspan(first, modules))
      charge += std::max(kept, 0.0);
    sum_j += battery.energy_j * charge;
  }
  return sum_j;
}

}  // namespace

StoredEnergy stored_energy(const Plant& plant, const PlantState& state) {
  const std::span<const double> states = state.states;
  StoredEnergy energy;
  for (const ThermalNode& node : plant.nodes) {
    if (!node.is_boundary()) energy.heat_j += node.heat_capacity_j_per_k * states[node.temperature_signal];
  }
  for (const auto& group : plant.groups) energy.heat_j += group->stored_energy_j(states);
  energy.battery_j = battery_energy_j(plant, state);
  return energy;
}

double rejected_j(const Plant& plant, const PlantState& state) {
  double sum_j = state.states[plant.meters.outdoors];
  for (const std::size_t meter : plant.meters.boundaries) sum_j += state.states[meter];
  return sum_j;
}

EnergyBalance energy_balance(const Plant& plant, const PlantState& state, const StoredEnergy& initial) {
  EnergyBalance balance;
  balance.feed_j = state.states[plant.meters.feed];
  balance.rejected_j = rejected_j(plant, state);
  const StoredEnergy end = stored_energy(plant, state);
  balance.stored = {end.heat_j - initial.heat_j, end.battery_j - initial.battery_j};
  balance.rounding_j = roundings_of_a_sum * std::numeric_limits<double>::epsilon() * std::abs(end.total_j());
  return balance;
}

NamedEnergy EnergyBalance::largest() const {
  const std::array energies{NamedEnergy{std::abs(feed_j), "energy in"}, NamedEnergy{std::abs(rejected_j), "energy out"},
                            NamedEnergy{std::abs(stored.heat_j), "heat stored"},
                            NamedEnergy{std::abs(stored.battery_j), "energy of batteries"}};
  return std::ranges::max(energies, {}, &NamedEnergy::energy_j);  // of equal ones the first
}

double EnergyBalance::residual_ratio() const {
  const double energy_j = std::max(largest().energy_j, rounding_j / noticeable_residual_ratio);
  return energy_j > 0.0 ? residual_j() / energy_j : 0.0;
}

std::optional<EventRecord> residual_event(const EnergyBalance& balance, double time_s) {
  if (std::abs(balance.residual_ratio()) <= noticeable_residual_ratio)
    return std::nullopt;  // false for what is not a number
  return EventRecord{time_s, "energy_residual", "energy_balance",
                     fmt::format("{:.1e} of the {}: {} in, {} out, {} stored", balance.residual_ratio(),
                                 balance.largest().text, format_quantity(balance.feed_j, "J"),
                                 format_quantity(balance.rejected_j, "J"), format_quantity(balance.stored_j(), "J"))};
}

}  // namespace wattloop::twin
