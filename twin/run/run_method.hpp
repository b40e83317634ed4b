// How a run is computed. A choice that one caller of `HallRun` has, all have.
#pragma once

#include <string>

#include "twin/integration/core/integrator.hpp"

namespace wattloop::twin {

struct RunMethod {
  std::string integrator = "multirate";  ///< or "monolithic"
  MultirateOptions multirate{};          ///< of that integrator
  IntegratorOptions monolithic{};        ///< the same

  /// Whether its runs have forks: whether the memory of the integrator can be copied.
  bool can_fork() const { return integrator == "multirate"; }
};

inline RunMethod by_multirate(MultirateOptions options = {}) { return {.multirate = options}; }
inline RunMethod by_monolithic(IntegratorOptions options = {}) {
  return {.integrator = "monolithic", .monolithic = options};
}

}  // namespace wattloop::twin
