// Integrators of the core over one window, during which inputs hold and units give what they give, sample by sample.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "twin/integration/core/core_rates.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/plant/snapshot/unit_energy.hpp"

namespace wattloop::twin {

/// Core states at all instants of a window, and their means between these.
struct CoreWave {
  std::size_t size = 0;
  std::vector<double> values;  ///< [instant][core state]
  std::vector<double> means;   ///< [sample][core state]

  std::vector<double> step_ends_s = {};  ///< within the window
  std::vector<double> step_values = {};  ///< [step end][core state]

  std::span<const double> at_step_end(std::size_t step) const {
    return std::span(step_values).subspan(step * size, size);
  }
  void resize(std::size_t samples) {
    values.resize((samples + 1) * size);
    means.resize(samples * size);
  }
  std::span<double> mean(std::size_t sample) { return std::span(means).subspan(sample * size, size); }
  std::span<const double> mean(std::size_t sample) const { return std::span(means).subspan(sample * size, size); }
  std::span<double> at(std::size_t instant) { return std::span(values).subspan(instant * size, size); }
  std::span<const double> at(std::size_t instant) const { return std::span(values).subspan(instant * size, size); }
};

class CoreIntegrator {
 public:
  virtual ~CoreIntegrator() = default;
  virtual std::string_view name() const = 0;

  /// To be called after inputs, switches or core states were changed from outside.
  virtual void restart(const PlantState& state) = 0;

  /// A `restart` that forgets everything carried so far.
  virtual void start_afresh(const PlantState& state) = 0;

  /// As those of an `Integrator`.
  virtual void pass_checkpoint(const PlantState& state) { start_afresh(state); }
  virtual IntegratorMemory memory() const { return {}; }
  virtual void recall(const PlantState& state, const IntegratorMemory&) { start_afresh(state); }

  /// Fills `wave` from its first instant, the state at the begin of `units`, on. False where no step is small enough; then
  /// `wave` is valid up to `reached_s`. The same window may be asked for again with other energies.
  virtual bool advance(const UnitEnergy& units, CoreWave& wave, double& reached_s) = 0;

  /// The window last asked for holds: the next one begins where it ended.
  virtual void accept() = 0;

  /// What it carries, and going on with it (twin/integration/core/integrator.hpp).
  virtual std::unique_ptr<CarriedMemory> carried() const { return nullptr; }
  virtual void carry_on(const CarriedMemory& memory, const PlantState& state) {
    static_cast<void>(memory);
    start_afresh(state);
  }

  virtual SolverStatistics statistics() const = 0;
};

struct CoreOptions {
  double tolerance_ratio = 5.0;  ///< largest error of a step over the layout's tolerances: 0.05 K
};

/// A linearly implicit one-step method with kept factors.
std::unique_ptr<CoreIntegrator> make_rosenbrock_core(CoreRates& rates, const CoreOptions& options);

/// CVODE (BDF, KLU), restarted at every window; units give the mean of the window. For comparison.
std::unique_ptr<CoreIntegrator> make_cvode_core(CoreRates& rates, const CoreOptions& options);

}  // namespace wattloop::twin
