// A controller changes inputs and modes of the plant at instants, between windows of the integrator: events, settings, weather, work, firmware,
// protection, switching, fans, fabric, sequences. It keeps its memory in PlantState only. twin/actions/controllers.cpp lists all of them in the
// order of docs/step_contract.md. A run knows none of them by name.
//
//   windows end     at `next_s`, and at ticks at which a controller `looks_at` the plant and `would_act`
//   windows grow    over control ticks while all controllers are idle; over seconds of firmware while all are far from acting
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "twin/actions/run_plan.hpp"
#include "twin/actions/weather/moving_input.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// The plant at an instant, for the controllers that act then.
struct StepContext {
  PlantState& state;
  Evaluation& evaluation;  ///< the last one, mostly of the instant before; firmware renews the digests of racks
  std::vector<EventRecord>& events;
  bool has_changed = false;  ///< inputs of the last window changed: integrators restart, loads are computed again
};

class Controller {
 public:
  virtual ~Controller() = default;

  /// Does what is due at the time of the state. Called at every instant.
  virtual void act(StepContext& context) = 0;

  /// Before a run: sets what is true at time zero, without events. Called again after another controller has changed something.
  virtual void prepare(PlantState&) {}

  /// Before a run: stops motors and machines that the steady state of `evaluation` does not need. True if it stopped any.
  virtual bool stage_down(const Evaluation&, PlantState&) { return false; }

  /// Before a run that begins in steady state: adds a sentence for each condition in which no hall could be steady.
  virtual void check_start(const PlantState&, const Evaluation&, std::vector<std::string>&) {}

  /// Receives every interval between instants, or parts of it: `evaluation` is the mean of `duration_s` that ended at `end_s`.
  /// It counts in `memory`, whose states are of another time. Called in the order of time; allocates nothing.
  virtual void count(PlantState& memory, const Evaluation& evaluation, double end_s, double duration_s) {
    static_cast<void>(memory), static_cast<void>(evaluation), static_cast<void>(end_s), static_cast<void>(duration_s);
  }

  /// The next instant at which it acts by itself, in addition to those of the timeline, with the plant as last evaluated. The time of
  /// `state` means: at every instant from now on.
  virtual double next_s(const Evaluation&, const PlantState&) const { return std::numeric_limits<double>::infinity(); }

  /// Whether it has nothing in progress.
  virtual bool is_idle(const PlantState&) const { return true; }

  /// Whether it is so far from acting that a window may skip the seconds at which it looks. Asked at both ends of such a window.
  virtual bool is_far(std::span<const RackDigest>) const { return true; }

  /// The time until which it does nothing, whatever the plant does; the time of `state` where that is unknown. Windows that skip seconds
  /// end there.
  virtual double idle_until_s(const PlantState& state) const { return state.time_s; }

  /// Adds its inputs that are linear in time, not constant, over a window from the time of the state to `end_s`.
  virtual void move_inputs(const PlantState&, double end_s, std::vector<MovingInput>&) const {
    static_cast<void>(end_s);
  }

  /// Whether it looks at the plant at that instant; and whether it would act then, with the flows of the begin of the window.
  virtual bool looks_at(double) const { return false; }
  virtual bool would_act(const Evaluation&, const PlantState&) const { return false; }
};

/// What controllers are made from; all of it must outlive them.
struct RunContext {
  const Plant& plant;
  const RunPlan& plan;
  const workload::Workload& workload;
  const Timeline& timeline;
};

/// A controller that knows the run.
class RunController : public Controller {
 public:
  explicit RunController(const RunContext& run) : plant_(run.plant), run_(run) {}

 protected:
  const Plant& plant_;
  const RunContext run_;
};

/// Those that slow nodes or switch them off, and those that say what nodes draw after switching: in their order.
void add_node_controllers(const RunContext& run, std::vector<std::unique_ptr<Controller>>& controllers);
void add_load_controllers(const RunContext& run, std::vector<std::unique_ptr<Controller>>& controllers);

/// All controllers of a run, in the order of the step contract.
std::vector<std::unique_ptr<Controller>> make_controllers(const RunContext& run);

}  // namespace wattloop::twin
