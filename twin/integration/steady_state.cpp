#include "twin/integration/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/integration/fastest_states.hpp"
#include "twin/integration/jacobian.hpp"
#include "twin/integration/sparse_factors.hpp"
#include "twin/plant/evaluation.hpp"

namespace wattloop::twin {

namespace {

constexpr int largest_step_count = 400;
constexpr double first_step_s = 1.0;
constexpr double largest_step_s = 1e9;
constexpr double converged_relative_rate_per_s = 1e-9;
constexpr double largest_growth_ratio = 2.0;  ///< faster, and it may leave the transient for an unstable steady state
constexpr int patient_steps = 60;             ///< more than a search takes that nothing holds up
constexpr double small_change = 0.1;  ///< of any state in one step, in its unit: after these, steps grow all the same
constexpr double no_change = 1e-6;    ///< and this of a step that is all but Newton's is rest, whatever rates round to
constexpr double newton_step_s = 1e6;
constexpr double slow_s = 2000.0;  ///< time constant of what is searched as if it had another, quick one
constexpr double quick_s = 10.0;
constexpr double coldest_k = 250.0;
constexpr double hottest_k = 500.0;
constexpr double largest_change_k = 30.0;  ///< of any state in its unit, in one step; sensors of pressure follow flows

/// All states that are neither a unit's nor meters.
std::vector<std::size_t> searched_slots(const Plant& plant) {
  std::vector<std::uint8_t> is_left_out(plant.map.state_count, 0);
  for (const auto& group : plant.groups) {
    std::fill_n(is_left_out.begin() + static_cast<std::ptrdiff_t>(group->first_state),
                group->states().size() * group->count(), 1);
  }
  std::vector<std::size_t> slots;
  for (std::size_t slot = 0; slot < is_left_out.size(); ++slot) {
    if (is_left_out[slot] == 0 && !plant.layout.is_meter(slot)) slots.push_back(slot);
  }
  return slots;
}

/// How much of its own time each state has in the search: 1, or less where it is slow by itself.
void weigh(const Jacobian& jacobian, std::vector<double>& weights) {
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const auto diagonal = static_cast<std::size_t>(jacobian.diagonal(static_cast<std::int64_t>(row)));
    const double own_per_s = std::abs(jacobian.values()[diagonal]);
    weights[row] = own_per_s > 0.0 && own_per_s * slow_s < 1.0 ? own_per_s * quick_s : 1.0;
  }
}

/// weight/step - J, and for mean speeds of pumps behind the states that each is what it is.
void fill_matrix(const Jacobian& jacobian, std::span<const double> weights, double step_s,
                 std::vector<double>& values) {
  std::transform(jacobian.values().begin(), jacobian.values().end(), values.begin(), [](double v) { return -v; });
  for (std::int64_t column = 0; column < jacobian.size(); ++column) {
    const auto number = static_cast<std::size_t>(column);
    const bool is_state = number < weights.size();
    values[static_cast<std::size_t>(jacobian.diagonal(column))] += is_state ? weights[number] / step_s : 1.0;
  }
}

double largest_change(const Plant& plant, std::span<const std::size_t> slots, std::span<const double> changes) {
  double largest = 0.0;
  for (std::size_t row = 0; row < slots.size(); ++row) {
    if (plant.layout.unit(slots[row]) != "Pa") largest = std::max(largest, std::abs(changes[row]));
  }
  return largest;
}

/// Moves all units to rest at the inlets that the other states give. False where one would run away.
bool settle_units(const Plant& plant, std::vector<double>& states, Evaluation& evaluation) {
  std::copy(states.begin(), states.end(), evaluation.signals.begin());
  plant.flows.evaluate(evaluation.signals, evaluation.flow_scratch);
  const bool are_settled =
      std::all_of(plant.groups.begin(), plant.groups.end(),
                  [&](const std::unique_ptr<UnitGroup>& group) { return group->settle(evaluation.signals); });
  std::copy(evaluation.states().begin(), evaluation.states().end(), states.begin());
  return are_settled;
}

/// A steady state far outside of anything that coolant or chips survive is one of the equations, not of the hall.
void check_plausible(const Plant& plant, std::span<const double> states) {
  for (std::size_t slot = 0; slot < states.size(); ++slot) {
    if (plant.layout.unit(slot) != "K" || (states[slot] > coldest_k && states[slot] < hottest_k)) continue;
    throw HeatTrapped(
        fmt::format("the steady state at the first inputs has {} at {:.0f} K: heat cannot leave; check "
                    "flows and supply temperatures, or start with `initial: cold`",
                    plant.layout.name(slot), states[slot]));
  }
}

}  // namespace

namespace {

/// Is there steam or ice where the search has come to, or a unit that runs away from it?
bool is_far_out(const Plant& plant, std::span<const double> states, double distance_per_s) {
  constexpr double boiling_k = 373.15, freezing_k = 273.15;
  if (!std::isfinite(distance_per_s)) return true;
  for (std::size_t slot = 0; slot < states.size(); ++slot) {
    if (plant.layout.unit(slot) == "K" && !(states[slot] > freezing_k && states[slot] < boiling_k)) return true;
  }
  return false;
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
  const std::vector<std::size_t> slots = searched_slots(plant);
  Evaluation evaluation(plant);
  Jacobian jacobian = Jacobian::with_settled_units(plant, slots, DriveColumns::means);
  SparseFactors factors(jacobian.column_starts(), jacobian.rows());
  std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
  std::vector<double> rates(plant.map.state_count), change(static_cast<std::size_t>(jacobian.size())),
      values(jacobian.values().size()), weights(slots.size(), 1.0);

  const auto measure = [&] {
    double largest_per_s = largest_relative_rate_per_s(plant, rates);
    for (std::size_t row = 0; row < slots.size(); ++row) {
      if (weights[row] == 1.0) continue;
      const double rate_per_s = std::abs(rates[slots[row]]) / weights[row] / plant.layout.tolerance(slots[row]);
      largest_per_s = std::max(largest_per_s, rate_per_s);
    }
    return largest_per_s;
  };
  const auto settle_and_measure = [&] {
    const bool are_settled = settle_units(plant, state.states, evaluation);
    evaluate(plant, state.switches, state.states, evaluation, rates);
    return are_settled ? measure() : std::numeric_limits<double>::infinity();
  };
  double distance_per_s = settle_and_measure();
  double step_s = first_step_s;
  for (int k = 0; k < largest_step_count && std::isfinite(distance_per_s); ++k) {
    if (k > 0 && distance_per_s < converged_relative_rate_per_s) return check_plausible(plant, state.states);
    jacobian.assemble(evaluation);
    weigh(jacobian, weights);
    if (k == 0) distance_per_s = measure();
    if (k == 0 && distance_per_s < converged_relative_rate_per_s) return check_plausible(plant, state.states);
    fill_matrix(jacobian, weights, step_s, values);
    if (!factors.refactor(values)) throw SolverError("steady state: the plant's equations are singular");
    std::fill(change.begin(), change.end(), 0.0);
    std::transform(slots.begin(), slots.end(), change.begin(), [&](std::size_t slot) { return rates[slot]; });
    factors.solve(change);
    const double largest = largest_change(plant, slots, change);
    const double limit = std::min(1.0, largest_change_k / std::max(largest, 1e-300));
    for (std::size_t row = 0; row < slots.size(); ++row) state.states[slots[row]] += limit * change[row];
    const double before_per_s = distance_per_s;
    distance_per_s = settle_and_measure();
    const bool is_held_up = k >= patient_steps && largest < small_change;
    if (is_held_up && step_s >= newton_step_s && largest < no_change) return check_plausible(plant, state.states);
    const double growth = is_held_up
                              ? largest_growth_ratio
                              : std::clamp(before_per_s / std::max(distance_per_s, 1e-300), 0.2, largest_growth_ratio);
    step_s = std::min(step_s * growth, largest_step_s);
  }
  const std::string text =
      fmt::format("no steady state found at the first inputs; moving most: {} (`initial: cold` starts without one)",
                  fastest_states(plant, state.states, rates));
  if (is_far_out(plant, state.states, distance_per_s)) throw HeatTrapped(text);
  throw SolverError(text);
}

}  // namespace wattloop::twin
