// A run under work that a test makes, in a plant that it has built, by HallRun: with what every run observes.
#pragma once

#include <utility>
#include <vector>

#include "twin/run/hall_run.hpp"

namespace wattloop::tests {

class WorkRun {
 public:
  /// `plant` and `work` must outlive the run.
  WorkRun(twin::Scenario scenario, const twin::Plant& plant, const workload::Workload& work,
          const twin::RunMethod& method)
      : run_(std::move(scenario), plant, work, method) {}
  WorkRun(twin::Scenario, twin::Plant&&, const workload::Workload&, const twin::RunMethod&) = delete;

  void start() { run_.begin(); }

  /// Runs to that instant or the end of the scenario, whichever is first; only during it `observers` see the run, too.
  void run(double until_s, const std::vector<twin::Observer*>& observers = {}) {
    for (twin::Observer* observer : observers) run_.show(*observer);
    run_.advance_to(until_s);
    for (twin::Observer* observer : observers) run_.hide(*observer);
  }

  twin::CheckpointFile checkpoint() { return run_.checkpoint(false); }
  void resume(const twin::CheckpointFile& checkpoint) { run_.resume(checkpoint, {}); }

  const twin::PlantState& state() const { return run_.state(); }
  const twin::Evaluation& evaluation() const { return run_.evaluation(); }
  const std::vector<twin::EventRecord>& events() const { return run_.events(); }
  const twin::StoredEnergy& initial_energy() const { return run_.simulation().initial_energy(); }
  const twin::JobRacks& jobs() const { return run_.simulation().jobs(); }
  twin::FinishedRun finished() const { return run_.finished(); }
  twin::SolverStatistics solver_statistics() const { return run_.simulation().solver_statistics(); }

 private:
  twin::HallRun run_;
};

}  // namespace wattloop::tests
