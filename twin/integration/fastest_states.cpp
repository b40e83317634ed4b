#include "twin/integration/fastest_states.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/plant/evaluation.hpp"

namespace wattloop::twin {

std::string fastest_states(const Plant& plant, std::span<const double> states, std::span<const double> rates) {
  const auto urgency = [&](std::size_t slot) {
    const double rate = std::abs(rates[slot]) / plant.layout.tolerance(slot);
    return std::isfinite(rate) ? rate : std::numeric_limits<double>::infinity();
  };
  std::vector<std::size_t> slots;
  for (std::size_t slot = 0; slot < states.size(); ++slot) {
    if (!plant.layout.is_meter(slot)) slots.push_back(slot);  // meters follow, they do not lead
  }
  const std::size_t count = std::min<std::size_t>(3, slots.size());
  std::partial_sort(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count), slots.end(),
                    [&](std::size_t a, std::size_t b) { return urgency(a) > urgency(b); });
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t slot = slots[k];
    text += fmt::format("{}{} = {:.4g} {} ({:+.3g} {}/s)", k == 0 ? "" : ", ", plant.layout.name(slot), states[slot],
                        plant.layout.unit(slot), rates[slot], plant.layout.unit(slot));
  }
  return text;
}

void give_up(const Plant& plant, const PlantState& state, double time_s, std::string_view why) {
  std::vector<double> rates(plant.map.state_count);
  Evaluation evaluation(plant);
  std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
  evaluate(plant, state.switches, state.states, evaluation, rates);
  throw SolverError(fmt::format("multirate integrator gave up at {:.3f} s ({}); moving most: {}", time_s, why,
                                fastest_states(plant, state.states, rates)));
}

}  // namespace wattloop::twin
