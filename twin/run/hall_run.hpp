// One way to run a hall, whoever asks for it. A run owns its scenario, its work, its plant, its integrator and the observers behind the
// figures of its summary.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twin/planning/work/work.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/run/figures/losses.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/run/meters/temperature_watch.hpp"
#include "twin/run/recording/checkpoint_file.hpp"
#include "twin/run/run_method.hpp"
#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

class EventScheduler;

/// What the observers of every run have gathered. Copied along with a fork.
struct Gathered {
  Gathered(const Plant& plant, const Scenario& scenario);

  Statistics statistics;
  TemperatureWatch watch;
  Losses losses;
};

/// A run stopped at an instant, with all that it has gathered. The run that it was taken of must outlive it.
struct HallFork {
  Fork run;
  Gathered gathered;
};

/// What is made by who makes a run, not by the run; it must outlive the run.
struct GivenToRun {
  const workload::Workload* work = nullptr;
  const Plant* plant = nullptr;
};

/// What runs of one hall have in common, none of which changes it: a run and its forks, each perhaps on a thread of its own.
struct House {
  explicit House(Scenario of, GivenToRun given = {});

  const Scenario scenario;  ///< that the plant is built of
  const Work work;
  const std::optional<Plant> built;
  const Plant& plant;
  const workload::Workload& workload;  ///< that runs compute with: of the scenario, or given
  const RunPlan plan;
};

/// A run with other events than those that its plant was built of.
struct OtherEvents {
  OtherEvents(Scenario of, const House& house);

  const Scenario scenario;
  const RunPlan plan;
};

/// The energy balance of a run that does not close.
struct Residual {
  EventRecord event;
  std::string text;              ///< for people
  bool is_beyond_trust = false;  ///< no figure of the run is to be trusted
};

class HallRun {
 public:
  /// Reads the work and builds the plant. Throws InputError with all that is wrong with either.
  explicit HallRun(Scenario scenario, const RunMethod& method = {});

  /// Under `work`, which must outlive the run, instead of the work of the scenario.
  HallRun(Scenario scenario, const workload::Workload& work, const RunMethod& method = {});

  /// In a plant that is built of this scenario already, which must outlive the run, too.
  HallRun(Scenario scenario, const Plant& plant, const workload::Workload& work, const RunMethod& method = {});
  HallRun(Scenario, Plant&&, const workload::Workload&, const RunMethod& = {}) = delete;

  HallRun(const HallRun&) = delete;
  HallRun& operator=(const HallRun&) = delete;
  ~HallRun();

  /// Records from here on; `recorder` must outlive the run. Before `begin` and `resume`.
  void record_with(Recorder& recorder) { recorder_ = &recorder; }

  /// From here on `observer` sees every instant, too, until it is hidden.
  void show(Observer& observer) { others_.push_back(&observer); }
  void hide(Observer& observer) { std::erase(others_, &observer); }

  /// A run of its own in the same plant, at this instant, which must be pending (`Simulation::is_pending`); without the recorder and
  /// further observers of this one. From here on each may be on a thread of its own.
  std::unique_ptr<HallRun> fork() const;

  /// A run of its own in the same plant that has not begun, of the scenario without added events. Reads no file.
  std::unique_ptr<HallRun> again() const;

  /// Adds events to those of the scenario (`Simulation::add_events`). The work is that of these events, however many were added before.
  /// Throws InputError for what the plant has not, and std::logic_error where the events of this instant have acted. All is then as before.
  void add_events(const std::vector<EventSpec>& events);

  /// Throws what `add_events` would throw, and adds nothing.
  void check_events(const std::vector<EventSpec>& events) { schedule(events); }

  /// Ends a window at that instant (`Simulation::stop_at`). Before `begin` and `resume`.
  void stop_at(double time_s) { simulation_->stop_at(time_s); }

  /// To the start of the run, or to the checkpoint that its scenario begins from. Throws SolverError, and InputError where that checkpoint
  /// is of another run.
  void begin();

  /// The same, before anything acts at time zero; of a run that goes on from a checkpoint, after it.
  void find_begin();

  /// Instead of `begin`: goes on from a checkpoint of the same scenario. `file` is for messages. Throws FileError where it is of another plant.
  void resume(const CheckpointFile& checkpoint, const std::filesystem::path& file);

  /// Runs to that instant, or to the end of the scenario if that comes first. False if `is_stop_requested` stopped it before.
  bool advance_to(double time_s, const std::function<bool()>& is_stop_requested = {});

  /// Runs to that instant and stops before anything acts there (`Simulation::approach`).
  bool approach(double time_s, const std::function<bool()>& is_stop_requested = {});

  /// Runs to that instant and stops before anything acts there; nothing if it was stopped before (`Simulation::fork_at`).
  std::optional<HallFork> fork_at(double time_s, const std::function<bool()>& is_stop_requested = {});

  /// Goes back to a fork of this run and on from there under `later`, which differs in events after it alone.
  void resume(const HallFork& fork, Scenario later);

  /// The present instant with what was gathered; with the recorder's share if `with_records`.
  CheckpointFile checkpoint(bool with_records);

  /// Without the events that were added.
  const Scenario& scenario() const { return later_ ? later_->scenario : house_->scenario; }

  /// That the plant was built of, also of a run that went on from a fork under another one.
  const Scenario& base() const { return house_->scenario; }

  const Work& work() const { return house_->work; }

  const workload::Workload& workload() const { return house_->workload; }
  const Plant& plant() const { return plant_; }
  const Integrator& integrator() const { return *integrator_; }
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }
  const Statistics& statistics() const { return gathered_->statistics; }
  const PlantState& state() const { return simulation_->state(); }
  const Evaluation& evaluation() const { return simulation_->evaluation(); }
  const std::vector<EventRecord>& events() const { return simulation_->events(); }

  /// What the summary at this instant is made of; before `begin`, its names and units alone.
  FinishedRun finished(double wall_time_s = 0.0) const {
    return {plant_, scenario(), *simulation_, gathered_->statistics, wall_time_s};
  }

  /// All figures at this instant, SI units (twin/run/figures/all_figures.hpp).
  std::vector<NamedValue> figures(double wall_time_s = 0.0) const;

  /// The energy balance up to now where it does not close.
  std::optional<Residual> residual() const;

 private:
  /// A run that is neither begun nor ready.
  HallRun(std::shared_ptr<const House> house, const RunMethod& method);

  void make_ready();
  const RunPlan& plan() const { return later_ ? later_->plan : house_->plan; }
  std::vector<ScheduledEvent> schedule(const std::vector<EventSpec>& events);
  std::vector<Observer*> observers();
  RunObservers gathering();

  const std::shared_ptr<const House> house_;  ///< shared by forks
  const Plant& plant_;
  const RunMethod method_;
  std::shared_ptr<const OtherEvents> later_;  ///< shared by forks
  const std::unique_ptr<Integrator> integrator_;
  std::optional<Gathered> gathered_;
  std::optional<Simulation> simulation_;
  std::unique_ptr<EventScheduler> scheduler_;  ///< of events that are added; from the first on
  bool has_begun_ = false;
  Recorder* recorder_ = nullptr;
  std::vector<Observer*> others_;
};

}  // namespace wattloop::twin
