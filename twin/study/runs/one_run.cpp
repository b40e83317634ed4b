#include "twin/study/runs/one_run.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <new>

#include "core/text/problem.hpp"
#include "twin/actions/work/work.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/run/figures/all_figures.hpp"
#include "twin/run/figures/losses.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/run/meters/temperature_watch.hpp"
#include "twin/run/recording/checkpoint_file.hpp"
#include "twin/run/simulation/simulation.hpp"

namespace wattloop::twin {

namespace {

struct PartOfRun {
  std::optional<double> stop_s{};  ///< where a window ends
  const RunWatch* watch = nullptr;
};

void step(const Scenario& scenario, const std::function<bool()>& is_stop_requested, const PartOfRun& part,
          RunOutcome& outcome) {
  const double begin_s = seconds_now();
  const Work work = make_work(scenario);
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  Simulation simulation(plant, scenario, *work.workload, *integrator);
  if (part.stop_s) simulation.stop_at(*part.stop_s);
  Statistics statistics = make_statistics(plant, scenario);
  meter_jobs(plant, scenario, *work.workload, statistics);
  TemperatureWatch watch(plant, scenario.duration_s);
  Losses losses(plant);
  const double built_s = seconds_now();
  begin_run(scenario, simulation, {statistics, watch, nullptr, &losses});
  const double started_s = seconds_now();
  std::vector<Observer*> observers{&statistics, &watch, &losses};
  if (part.watch != nullptr) observers.push_back(part.watch->observer(plant, scenario));
  const double until_s = part.watch != nullptr ? part.watch->until_s : scenario.duration_s;
  outcome.is_whole = simulation.run(until_s, observers, is_stop_requested);
  outcome.times = {
      .built_s = built_s - begin_s, .started_s = started_s - built_s, .stepped_s = seconds_now() - started_s};
  outcome.reached_s = simulation.state().time_s;
  if (outcome.is_whole)
    finish_outcome({plant, scenario, simulation, statistics, seconds_now() - begin_s}, losses, work, outcome);
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void finish_outcome(const FinishedRun& run, const Losses& losses, const Work& work, RunOutcome& outcome) {
  outcome.figures = all_figures(run, losses, work);
  const PlantState& state = run.simulation.state();
  const EnergyBalance balance = energy_balance(run.plant, state, run.simulation.initial_energy());
  const std::optional<EventRecord> residual = residual_event(balance, state.time_s);
  if (residual && std::abs(balance.residual_ratio()) >= largest_residual_ratio)
    throw SolverError("the energy balance does not close: " + residual->detail);
}

BaseFacts facts_of(const Scenario& scenario) {
  const Work work = make_work(scenario);
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const Simulation simulation(plant, scenario, *work.workload, *integrator);
  Statistics statistics = make_statistics(plant, scenario);
  meter_jobs(plant, scenario, *work.workload, statistics);
  std::vector<NamedValue> figures = all_figures({plant, scenario, simulation, statistics}, Losses(plant), work);
  figures.push_back(figure_of_check({}));  // found by a run of a study
  return {part_list(plant), std::move(figures)};
}

NamedValue figure_of_check(std::string words) {
  return {check_warnings_figure, std::move(words), "",
          "how many warnings `wattloop check` has of the hall, and the first", ""};
}

RunOutcome run_one(const Scenario& scenario, const std::function<bool()>& is_stop_requested,
                   std::optional<double> stop_s) {
  omp_set_num_threads(1);  // of this thread's own teams
  return guarded([&](RunOutcome& outcome) { step(scenario, is_stop_requested, {.stop_s = stop_s}, outcome); });
}

RunOutcome run_watched(const Scenario& scenario, const std::function<bool()>& is_stop_requested,
                       const RunWatch& watch) {
  omp_set_num_threads(1);  // of this thread's own teams
  return guarded([&](RunOutcome& outcome) { step(scenario, is_stop_requested, {.watch = &watch}, outcome); });
}

RunOutcome guarded(const std::function<void(RunOutcome&)>& step) {
  RunOutcome outcome;
  try {
    step(outcome);
  } catch (const InputError& error) {
    outcome = {.exit_code = 1, .message = error.what()};
  } catch (const SolverError& error) {
    outcome = {.exit_code = 2, .message = error.what()};
  } catch (const FileError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of the program: one run is not to cost all others
    outcome = {.exit_code = 5, .message = error.what()};
  }
  return outcome;
}

}  // namespace wattloop::twin
