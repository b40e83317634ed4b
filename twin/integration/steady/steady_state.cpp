#include "twin/integration/steady/steady_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/numbers/sparse_factors.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/integration/core/fastest_states.hpp"
#include "twin/integration/core/jacobian.hpp"
#include "twin/integration/steady/trapped_heat.hpp"
#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::twin {

namespace {

constexpr double largest_step_s = 1e9;
constexpr double converged_relative_rate_per_s = 1e-10;
constexpr int patient_steps = 60;     ///< more than a search takes that nothing holds up
constexpr double small_change = 0.1;  ///< of any state in one step, in its unit: after these, steps grow all the same
constexpr double no_change = 1e-6;    ///< and this of a step that is all but Newton's is rest, whatever rates round to
constexpr double newton_change = 1e-10;  ///< the same of a search that nothing holds up: what follows is less
constexpr double newton_step_s = 1e6;
constexpr double slow_s = 2000.0;  ///< time constant of what is searched as if it had another, quick one
constexpr double quick_s = 10.0;
constexpr double stands_s =
    1e8;  ///< years: water or air that moves slower stands, and its rate is rounding of a flow that is none
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

/// Which of the slots are temperatures of water or air, that flows move.
std::vector<std::uint8_t> fluids_among(const Plant& plant, std::span<const std::size_t> slots) {
  std::vector<std::uint8_t> is_of_node(plant.map.state_count, 0);
  for (const ThermalNode& node : plant.nodes) {
    if (!node.is_boundary()) is_of_node[node.temperature_signal] = 1;
  }
  std::vector<std::uint8_t> are_fluid;
  for (const std::size_t slot : slots) are_fluid.push_back(is_of_node[slot]);
  return are_fluid;
}

void weigh(const Jacobian& jacobian, std::span<const std::uint8_t> is_fluid, std::vector<double>& weights) {
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const auto diagonal = static_cast<std::size_t>(jacobian.diagonal(static_cast<std::int64_t>(row)));
    weights[row] = searched_time_ratio(std::abs(jacobian.values()[diagonal]), is_fluid[row] != 0);
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

/// A steady state far outside of anything that coolant or chips survive is one of the equations, not of the hall: the first state that is there.
std::optional<std::size_t> implausible_slot(const Plant& plant, std::span<const double> states) {
  for (std::size_t slot = 0; slot < states.size(); ++slot) {
    if (plant.layout.unit(slot) == "K" && !(states[slot] > coldest_k && states[slot] < hottest_k)) return slot;
  }
  return std::nullopt;
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

double searched_time_ratio(double own_rate_per_s, bool is_fluid) noexcept {
  const bool stands = own_rate_per_s == 0.0 || (is_fluid && own_rate_per_s * stands_s <= 1.0);
  const bool is_quick = own_rate_per_s * slow_s >= 1.0;
  return stands || is_quick ? 1.0 : own_rate_per_s * quick_s;
}

double largest_relative_rate_per_s(const Plant& plant, std::span<const double> rates) {
  double largest = 0.0;
  for (std::size_t slot = 0; slot < rates.size(); ++slot) {
    if (plant.layout.is_meter(slot)) continue;
    const double rate_per_s = std::abs(rates[slot]) / plant.layout.tolerance(slot);
    if (!(rate_per_s <= largest)) largest = rate_per_s;  // also takes over a NaN
  }
  return largest;
}

namespace {

/// How bold a search is.
struct Boldness {
  int steps;         ///< at most
  int timely_steps;  ///< of these, at the begin: no longer than `timely_step_s`, each state in its own time
  double first_step_s;
  double growth_ratio;      ///< of steps, at most; faster, and it may leave the transient for an unstable steady state
  double largest_fraction;  ///< that valves, fans and pumps move in one step
};
constexpr double unlimited = std::numeric_limits<double>::infinity();
/// Each is tried if the one before finds no plausible steady state. Without a limit, steps throw valves far outside of 0 to 1 if CDUs are
/// much too large for their heat. The last way lets the hall come to rest in its own time first.
constexpr std::array ways{Boldness{20, 0, 30.0, 8.0, unlimited}, Boldness{60, 0, 10.0, 4.0, 0.2},
                          Boldness{400, 0, 1.0, 2.0, 0.1}, Boldness{1000, 300, 1.0, 1.3, 0.1}};
constexpr double timely_step_s = 20.0;

}  // namespace

class SteadyStateSearch::Search {
 public:
  explicit Search(const Plant& plant)
      : plant_(plant),
        slots_(searched_slots(plant)),
        is_fluid_(fluids_among(plant, slots_)),
        evaluation_(plant),
        jacobian_(Jacobian::with_settled_units(plant, slots_, DriveColumns::means)),
        factors_(jacobian_.column_starts(), jacobian_.rows()),
        rates_(plant.map.state_count),
        change_(static_cast<std::size_t>(jacobian_.size())),
        values_(jacobian_.values().size()),
        weights_(slots_.size(), 1.0) {}

  void find(PlantState& state) {
    const std::vector<double> begin = state.states;
    std::vector<double> implausible;  // a steady state of the equations, not of the hall
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation_.inputs().begin());
    for (const Boldness& how : ways) {
      state.states = begin;
      const bool is_found = run(how, state);
      if (!is_found) continue;
      if (!implausible_slot(plant_, state.states)) return;
      implausible = state.states;
    }
    if (implausible.empty()) give_up(state);
    state.states = implausible;
    settle_and_measure(state);
    fail_for_heat();
  }

  std::size_t steps() const { return steps_; }

 private:
  /// False where it does not get there.
  bool run(const Boldness& how, PlantState& state) {
    std::ranges::fill(weights_, 1.0);
    distance_per_s_ = settle_and_measure(state);
    double step_s = how.first_step_s;
    for (int k = 0; k < how.steps && std::isfinite(distance_per_s_); ++k) {
      if (k > 0 && is_at_rest()) return true;
      jacobian_.assemble(evaluation_);
      if (k >= how.timely_steps) weigh(jacobian_, is_fluid_, weights_);
      if (k == 0) distance_per_s_ = measure();
      if (k == 0 && is_at_rest()) return true;
      const double before_per_s = distance_per_s_, largest = advance(step_s, how, state);
      const bool is_slow = k >= how.timely_steps + patient_steps && largest < small_change;
      if (step_s >= newton_step_s && largest < (is_slow ? no_change : newton_change)) return true;
      const double growth = is_slow
                                ? how.growth_ratio
                                : std::clamp(before_per_s / std::max(distance_per_s_, 1e-300), 0.2, how.growth_ratio);
      step_s = std::min(step_s * growth, k < how.timely_steps ? timely_step_s : largest_step_s);
      if (k < how.timely_steps) step_s = std::max(step_s, how.first_step_s);
    }
    return false;
  }

  [[noreturn]] void fail_for_heat() const {
    throw HeatTrapped(
        fmt::format("there is no steady state for the start of the run: {}; check flows and supply temperatures, or "
                    "start with `initial: cold`; `wattloop check` names equipment that is too small for its heat",
                    trapped_heat(plant_, evaluation_.signals)));
  }

  [[noreturn]] void give_up(const PlantState& state) const {
    if (is_singular_) throw SolverError("steady state: the plant's equations are singular");
    if (is_far_out(plant_, state.states, distance_per_s_)) fail_for_heat();
    std::string moving = unsteady_states(plant_, state.states, rates_);
    const std::string text = fmt::format(
        "no steady state was found for the start of the run: where the search ended, {}; `wattloop check` names the "
        "equipment that is too small for the heat, and `initial: cold` begins without a steady state",
        moving);
    throw NoSteadyState(text, std::move(moving));
  }

  bool is_at_rest() const { return distance_per_s_ < converged_relative_rate_per_s; }

  double measure() const {
    double largest_per_s = largest_relative_rate_per_s(plant_, rates_);
    for (std::size_t row = 0; row < slots_.size(); ++row) {
      if (weights_[row] == 1.0) continue;
      const double rate_per_s = std::abs(rates_[slots_[row]]) / weights_[row] / plant_.layout.tolerance(slots_[row]);
      largest_per_s = std::max(largest_per_s, rate_per_s);
    }
    return largest_per_s;
  }

  double settle_and_measure(PlantState& state) {
    const bool are_settled = settle_units(plant_, state.states, evaluation_);
    evaluate(plant_, state.switches, state.states, evaluation_, rates_);
    return are_settled ? measure() : std::numeric_limits<double>::infinity();
  }

  /// One step; the largest change that it would have made.
  double advance(double step_s, const Boldness& how, PlantState& state) {
    ++steps_;
    fill_matrix(jacobian_, weights_, step_s, values_);
    is_singular_ = !factors_.refactor(values_);
    if (is_singular_) return distance_per_s_ = std::numeric_limits<double>::infinity();
    std::fill(change_.begin(), change_.end(), 0.0);
    std::transform(slots_.begin(), slots_.end(), change_.begin(), [&](std::size_t slot) { return rates_[slot]; });
    factors_.solve(change_);
    const double largest = largest_change(plant_, slots_, change_);
    const double limit = std::min(1.0, largest_change_k / std::max(largest, 1e-300));
    for (std::size_t row = 0; row < slots_.size(); ++row) {
      const bool is_fraction = plant_.layout.unit(slots_[row]) == "1";
      const double most = is_fraction ? how.largest_fraction : std::numeric_limits<double>::infinity();
      state.states[slots_[row]] += std::clamp(limit * change_[row], -most, most);
    }
    distance_per_s_ = settle_and_measure(state);
    return largest;
  }

  const Plant& plant_;
  std::vector<std::size_t> slots_;
  std::vector<std::uint8_t> is_fluid_;  ///< [slot of `slots_`]
  Evaluation evaluation_;
  Jacobian jacobian_;
  SparseFactors factors_;
  std::vector<double> rates_, change_, values_, weights_;
  double distance_per_s_ = 0.0;
  bool is_singular_ = false;
  std::size_t steps_ = 0;
};

SteadyStateSearch::SteadyStateSearch(const Plant& plant) : search_(std::make_unique<Search>(plant)) {}
SteadyStateSearch::~SteadyStateSearch() = default;
void SteadyStateSearch::find(PlantState& state) { search_->find(state); }
std::size_t SteadyStateSearch::steps() const { return search_->steps(); }

void find_steady_state(const Plant& plant, PlantState& state) { SteadyStateSearch(plant).find(state); }

}  // namespace wattloop::twin
