// Voltages of `power.flow: radial`, `meshed` and `auto` from instant to instant. `auto` sweeps over the tree while no branch closes a loop.
//
//   usual instant    one sweep, or one solution, from the voltages of the last one, with the loads of the instant
//   after a change   sweeps until watts and voltages agree, from nominal voltages: nothing that was before matters
//
// Between instants voltages are held, and with them what they change in losses and loadings. Tested in tests/properties/tree_voltages.cpp.
#pragma once

#include <memory>
#include <vector>

#include "electrical/mesh_voltages.hpp"

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Where a run keeps what it solves loops with: holds nothing that results depend on.
struct VoltageScratch {
  std::unique_ptr<electrical::MeshVoltages> mesh;  ///< once it was needed
  bool is_meshed = false;                          ///< as the plant is switched
  electrical::SwitchPosition position = {};        ///< that it has taken over
};

/// Sets voltages, factors and taps of `state` from the loads of `evaluation`; nothing where the plant has no voltages. Throws SolverError where the loads are
/// more than the lines carry, and names the bus.
void follow_voltages(const Plant& plant, const Evaluation& evaluation, bool has_changed, VoltageScratch& scratch,
                     PlantState& state, std::vector<EventRecord>& events);

/// Evaluates a plant of which nothing is known before: watts and voltages agree.
void evaluate_with_voltages(const Plant& plant, PlantState& state, Evaluation& evaluation, std::vector<double>& rates);

}  // namespace wattloop::twin
