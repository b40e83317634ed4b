#include "twin/run/meters/temperature_watch.hpp"

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double interval_s = 5.0;
constexpr double unit_interval_s = 600.0;

bool is_plausible(double temperature_k) {
  return temperature_k > coldest_plausible_k && temperature_k < hottest_plausible_k;
}

[[noreturn]] void give_up(const std::string& what, double temperature_k, double time_s) {
  throw SolverError(fmt::format("{} is {} at {}, outside {} to {}: the models are not valid there", what,
                                format_quantity(temperature_k, "K"), format_quantity(time_s, "s"),
                                format_quantity(coldest_plausible_k, "K"), format_quantity(hottest_plausible_k, "K")));
}

}  // namespace

TemperatureWatch::TemperatureWatch(const Plant& plant, double end_s) : plant_(plant), end_s_(end_s) {
  for (std::size_t slot = 0; slot < plant.map.state_count; ++slot) {
    if (plant.layout.unit(slot) != "K") continue;
    (slot < plant.map.first_unit_state ? of_plant_ : of_units_).push_back(slot);
  }
}

bool TemperatureWatch::looks_at_units(double time_s) const {
  return is_multiple(time_s, unit_interval_s) || time_s >= end_s_;
}

void TemperatureWatch::look(std::span<const std::size_t> slots, const PlantState& state) const {
  for (const std::size_t slot : slots) {
    if (!is_plausible(state.states[slot])) give_up(plant_.layout.name(slot), state.states[slot], state.time_s);
  }
}

/// Looks at the hottest die of each rack, which is known at every instant.
void TemperatureWatch::look_at_dies(const PlantState& state, std::span<const RackDigest> racks) const {
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    const RackDigest& now = racks[rack];
    if (!is_plausible(now.hottest_k)) {
      give_up(plant_.layout.name(die_slot(plant_, now.hottest_gpu)), now.hottest_k, state.time_s);
    }
    if (!is_plausible(now.coolest_k)) {
      give_up(fmt::format("a die of {}", plant_.it.racks[rack].name), now.coolest_k, state.time_s);
    }
  }
}

void TemperatureWatch::observe(const PlantState& state, const Evaluation& evaluation) {
  look_at_dies(state, evaluation.racks);
  const bool is_unit_time = looks_at_units(state.time_s);
  if (!is_unit_time && state.time_s < last_s_ + interval_s) return;
  last_s_ = state.time_s;
  look(of_plant_, state);
  for (const ThermalNode& node : plant_.nodes) {
    const double temperature_k = evaluation.signals[node.temperature_signal];
    if (!is_plausible(temperature_k)) give_up(node.name, temperature_k, state.time_s);
  }
  if (is_unit_time) look(of_units_, state);
}

}  // namespace wattloop::twin
