// What the chillers of a running hall must move, by hand: for tests that hold their power against it.
#pragma once

#include <string>
#include <vector>

#include "tests/support/scenario_run.hpp"

namespace wattloop::tests {

inline constexpr double chilled_pump_by_hand_w =
    60.0 / 998.0 * 80e3;  ///< into the water: 60 kg/s against 80 kPa, as in the data sheet

/// Power at a load over that of Carnot's fraction: the curves of docs/models/chiller.md.
inline double part_load_by_hand(bool has_variable_speed, double load) {
  return has_variable_speed ? 0.149 / load + 0.230 + 0.621 * load : 0.260 / load + 0.504 + 0.236 * load;
}

/// "chiller_1", ...: those of the hall that run.
inline std::vector<std::string> running_chillers(const ScenarioRun& run) {
  std::vector<std::string> names;
  for (const twin::NamedPart& part : run.plant.named) {
    if (part.kind == "chiller" && run.is_running(part.name)) names.push_back(part.name);
  }
  return names;
}

/// What the evaporator takes from the chilled water, and from the pump in it, W.
inline double evaporator_heat_by_hand_w(const ScenarioRun& run, const std::string& chiller) {
  const twin::Link& water = link_named(run.plant, chiller + ".chilled_supply");
  return chilled_pump_by_hand_w + run.evaluation().signals[water.flow_signal] * water.specific_heat_j_per_kg_k *
                                      (run.node_k("chilled_water.return") - run.node_k(chiller + ".evaporator"));
}

}  // namespace wattloop::tests
