// An input that does not hold over a window but is linear in time: the weather of a window longer than a minute.
#pragma once

#include <cstddef>

namespace wattloop::twin {

struct MovingInput {
  std::size_t input = 0;  ///< number among the inputs of a PlantState
  double begin = 0.0;     ///< at the begin of the window
  double per_s = 0.0;

  double after(double time_s) const { return begin + time_s * per_s; }
};

}  // namespace wattloop::twin
