#include "twin/integration/steady/time_constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "twin/integration/core/jacobian.hpp"

namespace wattloop::twin {

double slowest_fluid_s(const Plant& plant, const Evaluation& evaluation, double within_s) {
  std::vector<std::size_t> slots;
  for (const ThermalNode& node : plant.nodes) {
    if (!node.is_boundary()) slots.push_back(node.temperature_signal);
  }
  std::ranges::sort(slots);
  Jacobian jacobian(plant, slots);
  jacobian.assemble(evaluation);
  double slowest_s = 0.0;
  for (std::int64_t row = 0; row < jacobian.size(); ++row) {
    const double rate_per_s = std::abs(jacobian.values()[static_cast<std::size_t>(jacobian.diagonal(row))]);
    if (rate_per_s * within_s > 1.0) slowest_s = std::max(slowest_s, 1.0 / rate_per_s);
  }
  return slowest_s;
}

}  // namespace wattloop::twin
