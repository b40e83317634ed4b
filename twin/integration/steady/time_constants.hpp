// How fast water and air follow what flows past them.
#pragma once

#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::twin {

/// The longest time constant of water and air at the flows of `evaluation`, of those below `within_s`: what is slower hardly moves
/// with the work. 0: there is none.
double slowest_fluid_s(const Plant& plant, const Evaluation& evaluation, double within_s);

}  // namespace wattloop::twin
