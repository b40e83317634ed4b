// Voltages of `power.flow: radial` from instant to instant.
//
//   usual instant    one sweep from the voltages of the last one, with the loads of the instant
//   after a change   sweeps until watts and voltages agree, from nominal voltages: nothing that was before matters
//
// Between instants voltages are held, and with them what they change in losses and loadings. Tested in tests/properties/tree_voltages.cpp.
#pragma once

#include <vector>

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Sets voltages and factors of `state` from the loads of `evaluation`; nothing where the plant has no voltages. Throws SolverError where the loads are
/// more than the lines carry, and names the bus.
void follow_voltages(const Plant& plant, const Evaluation& evaluation, bool has_changed, PlantState& state);

/// Evaluates a plant of which nothing is known before: watts and voltages agree.
void evaluate_with_voltages(const Plant& plant, PlantState& state, Evaluation& evaluation, std::vector<double>& rates);

}  // namespace wattloop::twin
