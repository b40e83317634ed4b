// Integrators advance all states between jumps; everything that jumps, jumps between their calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "twin/plant_state.hpp"

namespace wattloop::twin {

/// Work done so far, for the provenance of a run.
struct SolverStatistics {
  std::int64_t steps = 0;
  std::int64_t rate_evaluations = 0;
  std::int64_t jacobian_evaluations = 0;
  std::int64_t factorisations = 0;
  std::int64_t error_test_failures = 0;
  std::int64_t restarts = 0;
};

struct IntegratorOptions {
  double relative_tolerance_ratio = 1e-6;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;

  /// Advances `state` towards `end_s` with its inputs held and returns the time reached, which is `state.time_s`: `end_s`, or
  /// earlier where a state fell through the level of a guard of the plant. That state then stands at the level exactly, and
  /// its guard sleeps until a `restart` finds the state above its level. Throws SolverError naming time, component and the
  /// three states that move most, if it cannot advance.
  virtual double advance(PlantState& state, double end_s) = 0;

  /// To be called after inputs, switches or states of `state` were changed from outside.
  virtual void restart(const PlantState& state) = 0;

  virtual SolverStatistics statistics() const = 0;
};

/// All states in one CVODE (BDF) system with KLU: slow, simple, trusted.
std::unique_ptr<Integrator> make_monolithic_integrator(const Plant& plant, const IntegratorOptions& options);

}  // namespace wattloop::twin
