// Integrators advance all states between jumps; everything that jumps, jumps between their calls.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "twin/actions/weather/moving_input.hpp"
#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Work done so far, for the provenance of a run.
struct SolverStatistics {
  std::int64_t steps = 0;
  std::int64_t rate_evaluations = 0;
  std::int64_t jacobian_evaluations = 0;
  std::int64_t factorisations = 0;
  std::int64_t error_test_failures = 0;
  std::int64_t restarts = 0;
  std::int64_t windows = 0;      ///< macro steps
  std::int64_t racks_again = 0;  ///< racks run again over a window, since their inlets were mispredicted

  SolverStatistics operator-(const SolverStatistics& before) const {
    return {steps - before.steps,
            rate_evaluations - before.rate_evaluations,
            jacobian_evaluations - before.jacobian_evaluations,
            factorisations - before.factorisations,
            error_test_failures - before.error_test_failures,
            restarts - before.restarts,
            windows - before.windows,
            racks_again - before.racks_again};
  }
};

struct IntegratorOptions {
  double relative_tolerance_ratio = 1e-6;
};

struct MultirateOptions {
  enum class Core { rosenbrock, cvode };
  Core core = Core::rosenbrock;
  double window_s = 5.0;            ///< largest macro step
  double calm_window_s = 20.0;      ///< the same while flows stand still and nothing acts in between
  double longest_window_s = 600.0;  ///< the same where seconds of firmware are skipped, too: as far as runs may be left
  double core_tolerance_ratio = 1.0;  ///< error of a step of the core over the layout's tolerances: 0.01 K
  double largest_mismatch_k = 0.05;   ///< of the inlets that units were given; above: they are run again
  int most_passes = 3;
};

/// What an integrator knows of its past besides the state of the plant, at a multiple of `checkpoint_interval_s`: with it another
/// one goes on to the same byte. A value; empty for those that forget everything there.
struct IntegratorMemory {
  std::vector<double> jacobian;           ///< [non-zero] of the core, present; empty: none
  std::vector<double> flows_of_jacobian;  ///< [flow] at which it was taken
  double jacobian_interval = -1.0;        ///< of the clock, in which it was taken; its number
  double step_s = 0.0;                    ///< last step of the core
  double jump_step_s = 0.0;               ///< and its first one after a jump

  bool operator==(const IntegratorMemory&) const = default;
};

/// Sees what happens inside a window, in order: each interval between instants, then the instant at its end but for the last.
/// `state` and `evaluation` are complete but for single units where no one asked, for sinks other than loads and meters and, at
/// instants where no one looks at powers, for all sinks.
class WindowObserver {
 public:
  virtual ~WindowObserver() = default;
  virtual void observe(const PlantState& state, const Evaluation& evaluation) = 0;

  /// `evaluation` stands for `duration_s` of the present interval: these add up to integrals of power, heat and flow over it.
  virtual void integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) = 0;

  /// Whether anybody looks at powers of the instants themselves.
  virtual bool looks_at_powers() const = 0;
};

/// Asked at instants within a window whether the window must end there, since something would act, and at its end whether it holds.
class WindowWatch {
 public:
  virtual ~WindowWatch() = default;

  /// Whether anything could act then.
  virtual bool looks_at(double time_s) = 0;

  /// `state` has the states of the core at its time; all else is as at the begin of the window.
  virtual bool would_act(const PlantState& state) = 0;

  /// Whether seconds at which somebody looks lie between the instants of the window.
  virtual bool skips_seconds() const = 0;

  /// Whether firmware, which looks at dies, has nothing to do between one such instant and the next.
  virtual bool is_far(std::span<const RackDigest> racks) = 0;

  /// Whether the window that ends at `end` holds, before anybody has seen it.
  virtual bool holds(const PlantState& end) = 0;
};

/// A period of time in which only work and GPU firmware act, each rack for itself; all else is held. At its end anything may
/// jump.
struct Window {
  std::span<const double> instants_s;         ///< after the time of the state, rising; the last is the end
  std::span<const std::uint8_t> shows_units;  ///< [instant] whether somebody looks at single units then
  const workload::Workload& workload;
  const NodeCouplings& nodes;
  const Evaluation& begin;                   ///< the plant at the begin
  std::span<const double> begin_rates;       ///< [state]
  std::vector<EventRecord>& events;          ///< what firmware did is added here
  WindowObserver* observer;                  ///< may be null
  WindowWatch* watch = nullptr;              ///< may be null
  std::span<const MovingInput> moving = {};  ///< inputs that are not held; read by the core
  const JobRacks* jobs = nullptr;            ///< whose clocks end the window where they would change; may be null
};

/// What an integrator carries from one window to the next: steps, Jacobian, factors. Known to those of its own kind.
class CarriedMemory {
 public:
  virtual ~CarriedMemory() = default;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;

  /// Advances `state` over a window, in which work and firmware act, and returns the time reached, which is `state.time_s`: the end
  /// of the window, or earlier at one of its instants or where a state fell through the level of a guard of the plant. That state
  /// then stands at the level exactly, and its guard sleeps until a `restart` finds the state above its level. What acts at the time
  /// reached is left to the caller. A window that does not hold (`WindowWatch::holds`) leaves all at its begin, time included.
  /// Throws SolverError naming time, component and the three states that move most, if it cannot advance.
  virtual double advance(PlantState& state, const Window& window) = 0;

  /// How far `advance` over a window may go at once; 0: from one instant to the next.
  virtual double largest_window_s() const { return 0.0; }

  /// The same where nothing acts but work and firmware.
  virtual double largest_calm_window_s() const { return 0.0; }

  /// The same where seconds of firmware are skipped, too; 0: none are.
  virtual double longest_window_s() const { return 0.0; }

  /// To be called after inputs, switches or states of `state` were changed from outside.
  virtual void restart(const PlantState& state) = 0;

  /// A `restart` at an instant at which a run may be left: forgets what is not in `memory`.
  virtual void pass_checkpoint(const PlantState& state) { start_afresh(state); }
  virtual IntegratorMemory memory() const { return {}; }

  /// What `pass_checkpoint` is to an integrator that had gone on to `state` with this memory.
  virtual void recall(const PlantState& state, const IntegratorMemory&) { start_afresh(state); }

  /// A `restart` that forgets everything carried so far: from here on states are, to the byte, those of a new integrator.
  virtual void start_afresh(const PlantState& state) = 0;

  /// What it carries after a window, to be copied to others of the same plant; null where that cannot be copied.
  virtual std::unique_ptr<CarriedMemory> carried() const { return nullptr; }

  /// Goes on with what one of the same kind and plant carried when it stood at `state`: to the byte as that one.
  virtual void carry_on(const CarriedMemory& memory, const PlantState& state) {
    static_cast<void>(memory);
    start_afresh(state);
  }

  virtual SolverStatistics statistics() const = 0;
};

/// All states in one CVODE (BDF) system with KLU: slow, simple, trusted.
std::unique_ptr<Integrator> make_monolithic_integrator(const Plant& plant, const IntegratorOptions& options);

/// Units rack by rack in exponential steps of one sample, the rest of the plant in steps of seconds, joined by a predicted
/// waveform (twin/integration/integrator_multirate.cpp).
std::unique_ptr<Integrator> make_multirate_integrator(const Plant& plant, const MultirateOptions& options);

}  // namespace wattloop::twin
