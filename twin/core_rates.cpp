#include "twin/core_rates.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::twin {

CoreRates::CoreRates(const Plant& plant, const SeamLayout& seam) : plant_(plant), seam_(seam), evaluation_(plant) {}

void CoreRates::hold(const PlantState& state) {
  for (const std::size_t input : seam_.inputs) evaluation_.inputs()[input] = state.inputs[input];
  switches_ = state.switches;
}

void CoreRates::set_flows(std::span<const double> core) {
  for (std::size_t k = 0; k < core.size(); ++k) evaluation_.signals[seam_.core_slots[k]] = core[k];
  plant_.flows.evaluate(evaluation_.signals, evaluation_.flow_scratch);
}

void CoreRates::signals_at(std::span<const double> core, std::span<double> signals) {
  set_flows(core);
  for (std::size_t k = 0; k < signals.size(); ++k) signals[k] = evaluation_.signals[seam_.signals[k]];
}

void CoreRates::evaluate(std::span<const double> core, std::span<const double> from_units_w, std::span<double> rates) {
  const std::vector<std::size_t>& slots = seam_.core_slots;
  set_flows(core);
  for (const std::size_t slot : slots) evaluation_.sinks[slot] = 0.0;
  std::fill(evaluation_.sinks.begin() + static_cast<std::ptrdiff_t>(plant_.map.state_count), evaluation_.sinks.end(), 0.0);
  for (std::size_t k = 0; k < seam_.sinks.size(); ++k) evaluation_.sinks[seam_.sinks[k]] += from_units_w[k];
  evaluate_components_and_power(plant_, switches_, evaluation_);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    rates[k] = evaluation_.sinks[slots[k]] * plant_.rate_per_sink[slots[k]];
  }
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
