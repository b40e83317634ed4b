// A run: the step contract (docs/step_contract.md) around one integrator.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "twin/actions/controller.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Sees every instant after the plant has been evaluated there, and what went on since the one before: records, statistics,
/// progress.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const PlantState& state, const Evaluation& evaluation) = 0;

  /// `evaluation` stands for `duration_s` of the interval to the next instant (twin/integration/core/integrator.hpp).
  virtual void integrate(const PlantState&, const Evaluation&, double) {}

  /// Whether it looks at powers at instants. Where no observer does, sinks and power flow are those of another time.
  virtual bool looks_at_powers() const { return true; }

  /// Whether it looks at single units at that instant. Where no observer does, values of single units may be those of an earlier
  /// instant.
  virtual bool looks_at_units(double time_s) const {
    static_cast<void>(time_s);
    return true;
  }
};

/// How far windows that skip seconds go after one of them did not stay calm.
struct WindowPace {
  double until_s = 0.0;    ///< before it, not further than to multiples of `longest_s`
  double longest_s = 0.0;  ///< 0: no seconds are skipped
  double longest_at(double time_s, double usual_s) const { return time_s < until_s ? longest_s : usual_s; }
  bool operator==(const WindowPace&) const = default;
};

/// What a run must know of its past to go on from an instant; plant, plan and work come from the scenario again. A
/// value. What observers gather is theirs: `Statistics` is a value of its own, to be copied along.
struct Checkpoint {
  PlantState state;
  std::vector<EventRecord> events;  ///< reported so far
  StoredEnergy initial_energy;      ///< `Simulation::initial_energy`
  IntegratorMemory integrator = {};
  WindowPace pace = {};
};

/// A run stopped at an instant, before anything acts there, with the memory of its integrator. Other runs of the same process continue
/// from it; their results are the same to the byte as those of runs from the start. It belongs to one plant, which must outlive it.
struct Fork {
  PlantState state;
  std::vector<EventRecord> events{};
  StoredEnergy initial_energy{};
  Evaluation evaluation;
  std::vector<double> rates{}, applied_inputs{};
  WindowPace pace{};
  std::unique_ptr<CarriedMemory> carried{};
  bool is_start = false;  ///< of a run that has yet to begin: nothing is carried
};

class Simulation {
 public:
  /// All arguments must outlive the simulation.
  Simulation(const Plant& plant, const RunPlan& plan, const workload::Workload& workload, Integrator& integrator);

  /// Finds the state that the plan asks to begin from, applies what is due at time zero and evaluates the plant. Throws SolverError.
  void start();

  /// The steady state under the work, weather and settings of that instant, in which no controller would act. Throws SolverError, also
  /// for a state that limits or protection would have prevented.
  PlantState steady_state_at(double time_s);

  /// Like `start`, from the given state, whose time is the begin of the run.
  void start_from(PlantState state);

  /// `start`, but before anything acts at time zero: the run is pending there.
  void find_start();

  /// Whether what is due at this instant has yet to act: after `find_start`, `approach` and `fork_at`. Only then `fork`, and `add_events`.
  bool is_pending() const { return is_arriving_ || is_starting_; }

  /// From here on these events, too, none of which is before this instant: as if the plan had always had them, after its own.
  /// Controllers stay as they are. Also before the run has begun.
  void add_events(std::vector<ScheduledEvent> events);

  /// From here on the events at this instant and after it of another simulation of the same plant and plan, which is at this instant, too.
  void share_events_of(const Simulation& other);

  const EventCalendar& scheduled() const { return timeline_->events(); }

  /// The plant as it is before anything acts at this instant, into scratch: a copy of `evaluation` or an older one.
  void look(Evaluation& seen) const;

  /// Runs up to that instant, before anything acts there. Returns false if `is_stop_requested` stopped it earlier; the run is then pending
  /// at an earlier instant.
  bool approach(double time_s, const std::vector<Observer*>& observers,
                const std::function<bool()>& is_stop_requested = {});

  /// The run at this instant, after everything that is due now. Only at whole multiples of `checkpoint_interval_s` (twin/actions/weather/timeline.hpp),
  /// zero included; std::logic_error elsewhere, since integrators carry something there.
  Checkpoint checkpoint() const;

  /// Instead of `start`: goes on from a checkpoint of the same plan, whose instant observers have seen before it. From
  /// there on everything is, to the byte, as in the run that went on. std::invalid_argument if it is of another plant.
  void resume(const Checkpoint& checkpoint);

  /// Ends a window at that instant, which changes nothing at multiples of 60 s and where events come. For runs that share what is
  /// before it; before `start`.
  void stop_at(double time_s) {
    stop_s_ = time_s;
    timeline_->stop_at(time_s);
  }

  /// Runs up to that instant and stops before anything acts there. Returns nothing if `is_stop_requested` stopped it earlier. Throws
  /// std::logic_error where the run is at that instant already, or where the memory of its integrator cannot be copied.
  std::optional<Fork> fork_at(double time_s, const std::vector<Observer*>& observers,
                              const std::function<bool()>& is_stop_requested = {});

  /// This instant, while it is pending. Throws std::logic_error as `fork_at` does.
  Fork fork() const;

  /// Instead of `start`: continues from a fork of the same plant. The plan may have other events from that instant on. Observers must
  /// already have what they gathered before it.
  void resume(const Fork& fork);

  /// Runs from now to `until_s` or the end of the plan, calling the observers at every instant; `start` is the first.
  /// Pieces that end at multiples of 60 s give the same results as one run; another end shortens a window. Stops
  /// early when `is_stop_requested` says so. Returns false if stopped.
  bool run(double until_s, const std::vector<Observer*>& observers,
           const std::function<bool()>& is_stop_requested = {});

  const PlantState& state() const { return state_; }
  const Evaluation& evaluation() const { return evaluation_; }
  const std::vector<EventRecord>& events() const { return events_; }

  /// Work of the integrator since the begin, without what a warm-up before it took.
  SolverStatistics solver_statistics() const { return integrator_.statistics() - before_begin_; }

  /// Synchronous jobs, whose clocks are in the state.
  const JobRacks& jobs() const { return jobs_; }

  /// Energy held at the start of the run.
  const StoredEnergy& initial_energy() const { return initial_energy_; }

 private:
  class Watch;

  void check_start() const;
  void take_start(PlantState state);
  void act_at_start();
  bool apply_due();
  void move_on(bool has_changed);
  bool keep_inputs();
  void evaluate_now(bool reports_units);
  void go_to(double end_s, const std::vector<Observer*>& observers, WindowObserver& list);
  void arrive(double end_s, const std::vector<Observer*>& observers, WindowObserver& list);
  void plan_window(double end_s, const std::vector<Observer*>& observers);
  bool do_all_rest() const;
  bool are_all_far(std::span<const RackDigest> racks) const;
  bool would_any_act(const PlantState& state) const;
  bool did_all_rest(const PlantState& end) const;
  double take_idle_times();
  bool is_calm() const;
  bool may_skip_seconds() const;
  void slow_down();
  bool advance(WindowObserver& observer);

  const Plant& plant_;
  const RunPlan& plan_;
  const workload::Workload& workload_;
  Integrator& integrator_;
  std::vector<EventRecord> events_;
  PlantState state_;
  Evaluation evaluation_;
  std::vector<double> rates_;
  std::vector<double> applied_inputs_;  ///< as they were when last applied, but for loads of units
  std::unique_ptr<Timeline> timeline_;
  std::vector<std::unique_ptr<Controller>> controllers_;  ///< in the order in which they act
  std::vector<double> instants_s_;                        ///< of the next window
  std::vector<std::uint8_t> shows_units_;                 ///< at these
  std::vector<RackDigest> end_racks_;                     ///< scratch: of a window that may not hold
  JobRacks jobs_;
  std::vector<MovingInput> moving_;   ///< over the next window
  std::vector<double> idle_until_s_;  ///< [controller] as it said at the begin of that window
  StoredEnergy initial_energy_;
  SolverStatistics before_begin_;
  bool skips_seconds_ = false;  ///< of firmware, in the window present
  WindowPace pace_;
  double stop_s_ = -1.0;      ///< where a window ends
  bool is_now_seen_ = false;  ///< by the observers
  bool is_arriving_ = false;  ///< what is due now has yet to act
  bool is_starting_ = false;  ///< the same at the start of the run
};

}  // namespace wattloop::twin
