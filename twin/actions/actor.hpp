// Whoever acts, acts the same way: events, settings, weather, work, firmware, protection, switching, fans, fabric, sequences. An actor jumps at
// instants, between windows of the integrator, and remembers in PlantState only. Which there are and in which order they act:
// twin/actions/actors.cpp, docs/step_contract.md. A run knows none of them by name.
//
//   windows end     where `next_s` says, and at ticks at which an actor `looks_at` and `would_act`
//   windows grow    over control ticks while all of them rest; over seconds of firmware while all are far from acting
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "twin/actions/coupling.hpp"
#include "twin/actions/moving_input.hpp"
#include "twin/actions/timeline.hpp"
#include "twin/plant/evaluation.hpp"
#include "twin/plant/plant_state.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// An instant, for those who act at it.
struct Scene {
  PlantState& state;
  Evaluation& evaluation;  ///< as last made, mostly at the instant before; digests of racks are renewed by firmware
  std::vector<EventRecord>& events;
  bool has_changed = false;  ///< what was held over the last window: integrators start afresh, loads are asked for anew
};

class Actor {
 public:
  virtual ~Actor() = default;

  /// Does what is due at the time of the state. Called at every instant.
  virtual void act(Scene& scene) = 0;

  /// Before a run: what holds at time zero, without a word. Called again after others have changed their mind.
  virtual void prepare(PlantState&) {}

  /// Before a run: takes back what the steady state of `evaluation` does not need. True if there was any.
  virtual bool economise(const Evaluation&, PlantState&) { return false; }

  /// Before a run that begins at rest: adds a sentence for what nobody could have come to rest at.
  virtual void judge_start(const PlantState&, const Evaluation&, std::vector<std::string>&) {}

  /// Is told of every stretch between instants, or of the parts of it: `evaluation` stands for `duration_s` of what ended at `end_s`.
  /// What it counts it keeps in `memory`, whose states are of another time. Called in the order of time; allocates nothing.
  virtual void count(PlantState& memory, const Evaluation& evaluation, double end_s, double duration_s) {
    static_cast<void>(memory), static_cast<void>(evaluation), static_cast<void>(end_s), static_cast<void>(duration_s);
  }

  /// The next instant at which it acts by itself, besides those of the timeline, with the plant as evaluated now; now: at every
  /// instant that comes.
  virtual double next_s(const Evaluation&, const PlantState&) const { return std::numeric_limits<double>::infinity(); }

  /// Whether it has nothing under way.
  virtual bool rests(const PlantState&) const { return true; }

  /// Whether it is so far from acting that the seconds at which it looks may be left out. At both ends of such a window.
  virtual bool is_far(std::span<const RackDigest>) const { return true; }

  /// Until when it will do nothing, however the plant moves; the time of the state: nobody knows. Windows that skip seconds end there.
  virtual double idle_until_s(const PlantState& state) const { return state.time_s; }

  /// Adds inputs of its own that are linear in time over a window from the time of the state to `end_s`, in place of being held.
  virtual void move_inputs(const PlantState&, double end_s, std::vector<MovingInput>&) const {
    static_cast<void>(end_s);
  }

  /// Whether it looks at the plant at that instant, and then, with flows as at the begin of the window, whether it would act.
  virtual bool looks_at(double) const { return false; }
  virtual bool would_act(const Evaluation&, const PlantState&) const { return false; }
};

/// What actors are made of; all must outlive them.
struct RunContext {
  const Plant& plant;
  const Scenario& scenario;
  const workload::Workload& workload;
  const NodeCouplings& nodes;
  const Timeline& timeline;
};

/// All who act in a run, in the order of the step contract. Throws InputError for what is wrong with a weather file.
std::vector<std::unique_ptr<Actor>> make_actors(const RunContext& run);

}  // namespace wattloop::twin
