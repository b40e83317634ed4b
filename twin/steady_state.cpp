#include "twin/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/evaluation.hpp"
#include "twin/fastest_states.hpp"
#include "twin/jacobian.hpp"
#include "twin/sparse_factors.hpp"

namespace wattloop::twin {

namespace {

constexpr int largest_step_count = 400;
constexpr double first_step_s = 1.0;
constexpr double largest_step_s = 1e9;
constexpr double converged_relative_rate_per_s = 1e-9;
constexpr double largest_growth_ratio = 2.0;  ///< faster, and it may leave the transient for an unstable steady state
constexpr double coldest_k = 250.0;
constexpr double hottest_k = 500.0;
constexpr double largest_change_k = 30.0;  ///< of any state in its unit, in one step; sensors of pressure follow flows

/// 1/step - J, with the identity in the rows of meters, whose rates are set to zero.
void fill_matrix(const Plant& plant, const Jacobian& jacobian, double step_s, std::vector<double>& values) {
  std::transform(jacobian.values().begin(), jacobian.values().end(), values.begin(), [](double v) { return -v; });
  for (std::int64_t column = 0; column < jacobian.size(); ++column) {
    const double shift = plant.layout.is_meter(static_cast<std::size_t>(column)) ? 1.0 : 1.0 / step_s;
    values[static_cast<std::size_t>(jacobian.diagonal(column))] += shift;
  }
}

void stop_meters(const Plant& plant, std::span<double> rates) {
  for (std::size_t slot = 0; slot < rates.size(); ++slot) {
    if (plant.layout.is_meter(slot)) rates[slot] = 0.0;
  }
}

double largest_change(const Plant& plant, std::span<const double> changes) {
  double largest = 0.0;
  for (std::size_t slot = 0; slot < changes.size(); ++slot) {
    if (plant.layout.unit(slot) != "Pa") largest = std::max(largest, std::abs(changes[slot]));
  }
  return largest;
}

/// A steady state far outside of anything that coolant or chips survive is one of the equations, not of the hall.
void check_plausible(const Plant& plant, std::span<const double> states) {
  for (std::size_t slot = 0; slot < states.size(); ++slot) {
    if (plant.layout.unit(slot) != "K" || (states[slot] > coldest_k && states[slot] < hottest_k)) continue;
    throw SolverError(fmt::format("the steady state at the first inputs has {} at {:.0f} K: heat cannot leave; check "
                                  "flows and supply temperatures, or start with `initial: cold`",
                                  plant.layout.name(slot), states[slot]));
  }
}

}  // namespace

double largest_relative_rate_per_s(const Plant& plant, std::span<const double> rates) {
  double largest = 0.0;
  for (std::size_t slot = 0; slot < rates.size(); ++slot) {
    if (plant.layout.is_meter(slot)) continue;
    const double rate_per_s = std::abs(rates[slot]) / plant.layout.tolerance(slot);
    if (!(rate_per_s <= largest)) largest = rate_per_s;  // also takes over a NaN
  }
  return largest;
}

void find_steady_state(const Plant& plant, PlantState& state) {
  Evaluation evaluation(plant);
  Jacobian jacobian(plant);
  SparseFactors factors(jacobian.column_starts(), jacobian.rows());
  std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
  std::vector<double> rates(plant.map.state_count), change, values(jacobian.values().size());

  const auto rates_at = [&](const std::vector<double>& states) {
    evaluate(plant, state.switches, states, evaluation, rates);
    stop_meters(plant, rates);
    return largest_relative_rate_per_s(plant, rates);
  };
  double distance_per_s = rates_at(state.states);
  double step_s = first_step_s;
  for (int k = 0; k < largest_step_count; ++k) {
    if (distance_per_s < converged_relative_rate_per_s) return check_plausible(plant, state.states);
    jacobian.assemble(evaluation);
    fill_matrix(plant, jacobian, step_s, values);
    change = rates;
    if (!factors.factor(values)) throw SolverError("steady state: the plant's equations are singular");
    factors.solve(change);
    stop_meters(plant, change);
    const double limit = std::min(1.0, largest_change_k / std::max(largest_change(plant, change), 1e-300));
    for (std::size_t slot = 0; slot < change.size(); ++slot) state.states[slot] += limit * change[slot];
    const double before_per_s = distance_per_s;
    distance_per_s = rates_at(state.states);
    if (!std::isfinite(distance_per_s)) break;
    const double growth = std::clamp(before_per_s / std::max(distance_per_s, 1e-300), 0.2, largest_growth_ratio);
    step_s = std::min(step_s * growth, largest_step_s);
  }
  throw SolverError(fmt::format("no steady state found at the first inputs; moving most: {} (`initial: cold` starts "
                                "without one)",
                                fastest_states(plant, state.states, rates)));
}

}  // namespace wattloop::twin
