#include "twin/run/meters/energy_parts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"

namespace wattloop::twin {

namespace {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 == words.size() ? " and " : ", ";
    text += words[k];
  }
  return text;
}

template <class Which>
double energy_of_uses_j(const Plant& plant, const PlantState& state, const Which& which) {
  double sum_j = 0.0;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (which(plant.uses[use])) sum_j += state.states[plant.meters.energy[use]];
  }
  return sum_j;
}

/// From all sources, without what others on the same feeder draw.
double facility_energy_j(const Plant& plant, const PlantState& state) {
  const auto is_elsewhere = [](const UseOfPower& use) { return use.is_elsewhere; };
  return state.states[plant.meters.feed] - energy_of_uses_j(plant, state, is_elsewhere);
}

}  // namespace

std::vector<EnergyPart> energy_parts(const Plant& plant, const PlantState& state, double into_batteries_j) {
  std::vector<EnergyPart> parts;
  for (std::size_t use = 0; use < plant.uses.size(); ++use) {
    if (std::ranges::find(plant.load_use, use) == plant.load_use.end()) continue;
    const UseOfPower& of = plant.uses[use];
    parts.push_back({std::string(of.name), std::string(of.text), std::string(of.label),
                     state.states[plant.meters.energy[use]], of.is_elsewhere});
  }
  for (const LossMeter& loss : plant.meters.loss) {
    const electrical::ElectricalKind& kind = electrical::electrical_kind(loss.kind);
    parts.push_back({fmt::format("{}_loss", loss.kind), fmt::format("loss in {}", kind.plural),
                     fmt::format("{} loss", kind.noun), state.states[loss.meter]});
  }
  if (!plant.batteries.empty()) {
    parts.push_back({"battery", "batteries: energy stored at the end minus energy stored at the start",
                     "into batteries", into_batteries_j});
    if (given_by_batteries_j(plant, state, into_batteries_j) > 0.0) parts.back().label = "from batteries";
  }
  return parts;
}

double given_by_batteries_j(const Plant& plant, const PlantState& state, double into_batteries_j) {
  const double given_j = -into_batteries_j;
  return given_j > smallest_reported_ratio * (state.states[plant.meters.feed] + given_j) ? given_j : 0.0;
}

/// Of all that came in: as exact as PUE is reported.
constexpr double spoils_pue_ratio = 1e-3;

MeanPue mean_pue(const Plant& plant, const PlantState& state, double into_batteries_j) {
  const double it_j = it_energy_j(plant, state);
  if (!(it_j > 0.0)) return {std::numeric_limits<double>::quiet_NaN(), "without IT energy"};
  const double given_j = given_by_batteries_j(plant, state, into_batteries_j);
  const double all_j = state.states[plant.meters.feed] + given_j;
  if (given_j <= spoils_pue_ratio * all_j) return {facility_energy_j(plant, state) / it_j, ""};
  return {std::numeric_limits<double>::quiet_NaN(),
          fmt::format("on battery: batteries gave {} more than they took", format_quantity(given_j, "J"))};
}

std::string loss_text(const Plant& plant) {
  std::vector<std::string_view> kinds;
  for (const LossMeter& loss : plant.meters.loss) kinds.push_back(electrical::electrical_kind(loss.kind).plural);
  return "loss in " + listed(kinds);
}

std::string sources_text() {
  std::vector<std::string_view> kinds;
  for (const electrical::ElectricalKind& kind : electrical::electrical_kinds()) {
    if (kind.is_source) kinds.push_back(kind.plural);
  }
  return listed(kinds);
}

std::string standby_text() {
  std::vector<std::string_view> kinds;
  for (const electrical::ElectricalKind& kind : electrical::electrical_kinds()) {
    if (kind.is_source && kind.is_standby) kinds.push_back(kind.plural);
  }
  return listed(kinds);
}

double it_energy_j(const Plant& plant, const PlantState& state) {
  return energy_of_uses_j(plant, state, [](const UseOfPower& use) { return use.is_it; });
}

double cooling_energy_j(const Plant& plant, const PlantState& state) {
  return energy_of_uses_j(plant, state, &is_cooling);
}

}  // namespace wattloop::twin
