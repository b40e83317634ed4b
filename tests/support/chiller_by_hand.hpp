// What the chillers of a running hall must move, by hand: for tests that hold their power against it.
#pragma once

#include "tests/support/scenario_run.hpp"

namespace wattloop::tests {

inline constexpr double chilled_pump_by_hand_w =
    60.0 / 998.0 * 80e3;  ///< into the water: 60 kg/s against 80 kPa, as in the data sheet

inline bool is_running(const ScenarioRun& run, const twin::ChillerPart& chiller) {
  return run.state().equipment.is_running[chiller.motor] != 0;
}

/// What the evaporator takes from the chilled water, and from the pump in it, W.
inline double evaporator_heat_by_hand_w(const ScenarioRun& run, const twin::ChillerPart& chiller) {
  const twin::HallParts& hall = run.plant.hall;
  const double flow_kg_per_s = run.evaluation().signals[run.plant.map.flow(chiller.chilled_flow)];
  return chilled_pump_by_hand_w +
         flow_kg_per_s * hall.water_specific_heat_j_per_kg_k *
             (run.node_k(hall.chilled_water.return_node) - run.node_k(chiller.evaporator_node));
}

}  // namespace wattloop::tests
