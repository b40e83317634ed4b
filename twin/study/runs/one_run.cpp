#include "twin/study/runs/one_run.hpp"

#include <omp.h>

#include <chrono>
#include <new>

#include "core/text/problem.hpp"
#include "twin/ratings/check_warnings.hpp"

namespace wattloop::twin {

namespace {

struct PartOfRun {
  std::optional<double> stop_s{};  ///< where a window ends
  const RunWatch* watch = nullptr;
};

void step(const Scenario& scenario, const RunMethod& method, const std::function<bool()>& is_stop_requested,
          const PartOfRun& part, RunOutcome& outcome) {
  const double begin_s = seconds_now();
  HallRun run(scenario, method);
  if (part.stop_s) run.stop_at(*part.stop_s);
  const double built_s = seconds_now();
  run.begin();
  const double started_s = seconds_now();
  if (part.watch != nullptr) run.show(*part.watch->observer(run.plant(), scenario));
  outcome.is_whole =
      run.advance_to(part.watch != nullptr ? part.watch->until_s : scenario.duration_s, is_stop_requested);
  outcome.times = {
      .built_s = built_s - begin_s, .started_s = started_s - built_s, .stepped_s = seconds_now() - started_s};
  outcome.reached_s = run.state().time_s;
  if (outcome.is_whole) finish_outcome(run, seconds_now() - begin_s, outcome);
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void finish_outcome(const HallRun& run, double wall_time_s, RunOutcome& outcome) {
  outcome.figures = run.figures(wall_time_s);
  const std::optional<Residual> residual = run.residual();
  if (residual && residual->is_beyond_trust) throw SolverError(residual->text);
}

BaseFacts facts_of(const Scenario& scenario) {
  const HallRun run(scenario);
  std::vector<NamedValue> figures = run.figures();
  figures.push_back(figure_of_check({}));  // found by a run of a study
  return {part_list(run.plant()), std::move(figures)};
}

NamedValue figure_of_check(std::string words) {
  return {check_warnings_figure, std::move(words), "",
          "how many warnings `wattloop check` has of the hall, and the first", ""};
}

RunOutcome run_one(const Scenario& scenario, const std::function<bool()>& is_stop_requested,
                   std::optional<double> stop_s, const RunMethod& method) {
  omp_set_num_threads(1);  // of this thread's own teams
  return guarded([&](RunOutcome& outcome) { step(scenario, method, is_stop_requested, {.stop_s = stop_s}, outcome); });
}

RunOutcome run_watched(const Scenario& scenario, const std::function<bool()>& is_stop_requested, const RunWatch& watch,
                       const RunMethod& method) {
  omp_set_num_threads(1);  // of this thread's own teams
  return guarded([&](RunOutcome& outcome) { step(scenario, method, is_stop_requested, {.watch = &watch}, outcome); });
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
