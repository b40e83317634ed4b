// The steady state of a plant at held inputs: where all rates but the meters' are zero.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "core/text/problem.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// There is no steady state within anything that coolant or chips survive: heat has nowhere to go.
class HeatTrapped : public SolverError {
 public:
  using SolverError::SolverError;
};

/// No steady state was found.
class NoSteadyState : public SolverError {
 public:
  NoSteadyState(const std::string& text, std::string moving) : SolverError(text), moving_most(std::move(moving)) {}
  std::string moving_most;  ///< where the search ended: "loop_1.supply = 310 K (+0.02 K/s), ..."
};

/// Searches steady states of one plant: the pattern of its Jacobian and the order of its factors are found once.
///
/// A search moves `state.states` to the steady state at its inputs by pseudo-transient continuation ([kelley1998]): implicit Euler
/// with steps that grow as the rates fall, ending in Newton's method. Units are in steady state at the inlets of every step, so that
/// the search is for the other states alone (twin/units/settled_units.hpp). What would take hours for itself, a large volume or a
/// slow sensor, is searched as if it were quick: where it comes to rest does not depend on how long it takes. Where long steps do not get
/// there, it is searched again from the begin by shorter ones, at last each state in its own time. Meters stay. Throws SolverError if
/// none gets there.
class SteadyStateSearch {
 public:
  explicit SteadyStateSearch(const Plant& plant);  ///< which outlives this
  ~SteadyStateSearch();
  void find(PlantState& state);
  std::size_t steps() const;  ///< of all searches until now

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

/// One search.
void find_steady_state(const Plant& plant, PlantState& state);

/// How much of its own time a state is searched in, by the rate at which it forgets where it was: 1, or less where it is slow by itself. Water or
/// air that would take years stands: what moves it is rounding of a flow that is none, by which it must not be searched.
double searched_time_ratio(double own_rate_per_s, bool is_fluid) noexcept;

/// Largest rate over the tolerance of its state, 1/s, meters left out: how far from steady a state is.
double largest_relative_rate_per_s(const Plant& plant, std::span<const double> rates);

}  // namespace wattloop::twin
