// What utility feeds and generators deliver, each by itself: a utility bills its own, and generators burn fuel.
#pragma once

#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::twin {

struct SourceEnergy {
  double utility_j = 0.0, generator_j = 0.0;

  /// Powers that hold for `duration_s`.
  void add(const Plant& plant, const Evaluation& evaluation, double duration_s) {
    for (std::size_t source = 0; source < evaluation.power.source_w.size(); ++source) {
      double& sum_j = plant.power_tree.source_is_standby[source] != 0 ? generator_j : utility_j;
      sum_j += duration_s * evaluation.power.source_w[source];
    }
  }
};

}  // namespace wattloop::twin
