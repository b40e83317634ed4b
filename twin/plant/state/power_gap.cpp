#include "twin/plant/state/power_gap.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::twin {

double next_automatic_s(const PlantState& state) {
  double next_s = std::numeric_limits<double>::infinity();
  for (const AutomaticState& memory : state.switching.automatic) {
    for (const double due_s : {memory.closes_s, memory.returns_s}) {
      if (due_s > state.time_s) next_s = std::min(next_s, due_s);
    }
  }
  return next_s;
}

bool is_gap_carried(const PlantState& state, double hold_up_s) {
  return next_automatic_s(state) <= state.time_s + hold_up_s;
}

}  // namespace wattloop::twin
