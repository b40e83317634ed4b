#include "twin/integration/core/core_rates.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace wattloop::twin {

CoreRates::CoreRates(const Plant& plant, const SeamLayout& seam)
    : plant_(plant),
      seam_(seam),
      evaluation_(plant),
      read_by_units_(plant.flows.part_of(seam.signals)),
      losses_(plant, seam),
      from_units_w_(seam.sinks.size()),
      nothing_(seam.core_slots.size(), 0.0),
      rate_per_sink_(seam.core_slots.size()),
      from_sinks_(seam.core_slots.size()) {
  seam.take_core(plant.rate_per_sink, rate_per_sink_);
  std::vector<std::uint8_t> is_looked_at(plant.map.sink_count(), 1);  // loads
  for (std::size_t slot = 0; slot < plant.map.state_count; ++slot)
    is_looked_at[slot] = plant.layout.is_meter(slot) ? 1 : 0;
  for (const auto& set : plant.components) is_shown_.push_back(set->feeds_any(is_looked_at) ? 1 : 0);
}

void CoreRates::hold(const PlantState& state) {
  for (const std::size_t input : seam_.inputs) evaluation_.inputs()[input] = state.inputs[input];
  moving_ = {};
  switches_ = state.switches;
  losses_.hold(state.switches);
}

void CoreRates::move(std::span<const MovingInput> moving, double begin_s) {
  moving_ = moving;
  moving_from_s_ = begin_s;
}

void CoreRates::move_to(double time_s) {
  for (const MovingInput& input : moving_) evaluation_.inputs()[input.input] = input.after(time_s - moving_from_s_);
}

void CoreRates::take_units(const UnitEnergy& units, double from_s, double to_s) {
  move_to(0.5 * (from_s + to_s));
  units.mean_w(from_s, to_s, from_units_w_);
  missing_loss_w_ = losses_.missing_w(units, from_s, to_s, from_units_w_);
}

void CoreRates::set_flows(std::span<const double> core) {
  seam_.put_core(core, evaluation_.signals);
  plant_.flows.evaluate(evaluation_.signals, evaluation_.flow_scratch);
}

void CoreRates::signals_at(std::span<const double> core, std::span<double> signals) {
  seam_.put_core(core, evaluation_.signals);
  plant_.flows.evaluate(read_by_units_, evaluation_.signals, evaluation_.flow_scratch);
  for (std::size_t k = 0; k < signals.size(); ++k) signals[k] = evaluation_.signals[seam_.signals[k]];
}

/// What units give to those sinks that they feed, and nothing else, in all sinks of the core.
void CoreRates::begin_sinks(std::span<const std::size_t> fed, std::span<const double> from_units_w) {
  seam_.put_core(nothing_, evaluation_.sinks);
  std::fill(evaluation_.sinks.begin() + static_cast<std::ptrdiff_t>(plant_.map.state_count), evaluation_.sinks.end(),
            0.0);
  for (std::size_t k = 0; k < fed.size(); ++k) evaluation_.sinks[fed[k]] = from_units_w[k];
}

void CoreRates::evaluate(std::span<const double> core, std::span<double> rates) {
  set_flows(core);
  begin_sinks(seam_.sinks, from_units_w_);
  for (std::size_t k = 0; k < missing_loss_w_.size(); ++k) evaluation_.sinks[losses_.sinks()[k]] += missing_loss_w_[k];
  evaluate_components_and_power(plant_, switches_, evaluation_);
  seam_.take_core(evaluation_.sinks, from_sinks_);
  std::ranges::transform(from_sinks_, rate_per_sink_, rates.begin(), std::multiplies<>());
}

void CoreRates::show(std::span<const double> core, std::span<const double> unit_loads_w) {
  set_flows(core);
  begin_sinks(seam_.loads, unit_loads_w);
  evaluate_components_and_power(plant_, switches_, is_shown_, evaluation_);
}

std::vector<double> CoreRates::tolerances() const {
  std::vector<double> tolerance;
  for (const std::size_t slot : seam_.core_slots) {
    const bool is_meter = plant_.layout.is_meter(slot);
    tolerance.push_back(is_meter ? std::numeric_limits<double>::infinity() : plant_.layout.tolerance(slot));
  }
  return tolerance;
}

}  // namespace wattloop::twin
