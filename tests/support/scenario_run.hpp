// A scenario of the source tree in a run that can be stopped anywhere and asked: what happened, how hot, how much energy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/halls/plant_names.hpp"
#include "twin/run/hall_run.hpp"

namespace wattloop::tests {

class ScenarioRun {
 public:
  /// `name` below scenarios/, without its suffix: "pump_failure/a_pump_trips". Finds the start.
  enum class By { monolithic, multirate };
  explicit ScenarioRun(const std::string& name, const std::vector<std::string>& overrides = {},
                       By integrator = By::monolithic);

  /// Runs to `time_s` or the end of the scenario, whichever is first; `observer` may be null.
  void until(double time_s, twin::Observer* observer = nullptr);
  void to_end(twin::Observer* observer = nullptr) { until(scenario.duration_s, observer); }

  const twin::PlantState& state() const { return run_.state(); }
  const twin::Evaluation& evaluation() const { return run_.evaluation(); }
  const std::vector<twin::EventRecord>& events() const { return run_.events(); }
  const twin::JobRacks& jobs() const { return run_.simulation().jobs(); }
  const twin::Simulation& simulation() const { return run_.simulation(); }
  twin::SolverStatistics solver() const { return run_.simulation().solver_statistics(); }

  /// Times of the events of that kind, of all targets or of one.
  std::vector<double> times_s(const std::string& kind, const std::string& target = {}) const;

  double node_k(std::size_t node) const;
  double node_k(std::string_view name) const { return node_k(node_named(plant, name)); }
  double link_kg_per_s(std::string_view name) const {
    return evaluation().signals[link_named(plant, name).flow_signal];
  }
  bool is_running(std::string_view motor) const { return state().equipment.is_running[motor_named(plant, motor)] != 0; }
  double die_k(std::size_t gpu) const;
  double mean_die_k(std::size_t gpus) const;     ///< of the first ones
  double hottest_die_k(std::size_t gpus) const;  ///< the same
  double use_w(std::string_view use) const;      ///< "chiller"
  double used_j(std::string_view use) const;     ///< since the start
  double charge(const std::string& ups) const;
  double energy_residual() const;

 private:
  twin::HallRun run_;

 public:
  const twin::Scenario& scenario;
  const twin::Plant& plant;
  const twin::Statistics& statistics;
};

}  // namespace wattloop::tests
