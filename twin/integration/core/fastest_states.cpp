#include "twin/integration/core/fastest_states.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::twin {

namespace {

/// The three states whose rates are largest over their tolerance, the fastest first.
std::vector<std::size_t> fastest_slots(const Plant& plant, std::span<const double> states,
                                       std::span<const double> rates) {
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
  slots.resize(count);
  return slots;
}

}  // namespace

std::string fastest_states(const Plant& plant, std::span<const double> states, std::span<const double> rates) {
  std::string text;
  for (const std::size_t slot : fastest_slots(plant, states, rates)) {
    text += fmt::format("{}{} = {:.4g} {} ({:+.3g} {}/s)", text.empty() ? "" : ", ", plant.layout.name(slot),
                        states[slot], plant.layout.unit(slot), rates[slot], plant.layout.unit(slot));
  }
  return text;
}

std::string unsteady_states(const Plant& plant, std::span<const double> states, std::span<const double> rates) {
  constexpr double hour_s = 3600.0;
  std::string text;
  for (const std::size_t slot : fastest_slots(plant, states, rates)) {
    if (rates[slot] == 0.0) continue;
    const std::string_view unit = plant.layout.unit(slot);
    text += fmt::format("{}{} at {} {} by {} an hour", text.empty() ? "" : ", ", plant.layout.name(slot),
                        format_quantity(states[slot], unit), rates[slot] < 0.0 ? "falls" : "rises",
                        format_quantity(std::abs(rates[slot]) * hour_s, unit == "K" ? "delta_K" : unit));
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
