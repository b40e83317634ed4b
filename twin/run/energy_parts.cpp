#include "twin/run/energy_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

constexpr std::array<std::string_view, loss_kind_count> loss_labels{"transformer loss", "UPS loss", "PDU loss"};
constexpr std::array<std::string_view, loss_kind_count> loss_texts{"loss in transformers", "loss in UPS",
                                                                   "loss in PDUs"};

template <class Kind>
bool has(const std::vector<Kind>& kinds, std::size_t kind) {
  return std::find(kinds.begin(), kinds.end(), static_cast<Kind>(kind)) != kinds.end();
}

double energy_of_uses_j(const Plant& plant, const PlantState& state, bool is_it_wanted) {
  double sum_j = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (plant.uses[use].is_it == is_it_wanted) sum_j += state.states[plant.meters.energy[use]];
  }
  return sum_j;
}

}  // namespace

std::vector<EnergyPart> energy_parts(const Plant& plant, const PlantState& state, double first_battery_j) {
  std::vector<EnergyPart> parts;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (!has(plant.load_use, use)) continue;
    const UseOfPower& of = plant.uses[use];
    parts.push_back(
        {std::string(of.name), std::string(of.text), std::string(of.label), state.states[plant.meters.energy[use]]});
  }
  for (std::size_t kind = 0; kind < loss_kind_count; ++kind) {
    if (!has(plant.branch_kind, kind)) continue;
    parts.push_back({fmt::format("{}_loss", loss_kind_names[kind]), std::string(loss_texts[kind]),
                     std::string(loss_labels[kind]), state.states[plant.meters.loss[kind]]});
  }
  if (!plant.batteries.empty()) {
    parts.push_back({"battery", "batteries: stored at the end less at the start", "into batteries",
                     battery_energy_j(plant, state) - first_battery_j});
  }
  return parts;
}

double it_energy_j(const Plant& plant, const PlantState& state) { return energy_of_uses_j(plant, state, true); }

double cooling_energy_j(const Plant& plant, const PlantState& state) { return energy_of_uses_j(plant, state, false); }

double battery_energy_j(const Plant& plant, const PlantState& state) {
  double sum_j = 0.0;
  for (const BatteryPart& battery : plant.batteries) sum_j += battery.energy_j * state.states[battery.charge_state];
  return sum_j;
}

}  // namespace wattloop::twin
