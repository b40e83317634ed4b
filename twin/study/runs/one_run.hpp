// One run of a study: from a scenario to the figures of its summary, on one thread, without a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twin/ratings/part_list.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/run_method.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// What a scenario is known by before it runs.
struct BaseFacts {
  std::vector<PartRow> parts;
  std::vector<NamedValue> figures;
};

/// Throws InputError.
BaseFacts facts_of(const Scenario& scenario);

/// Seconds of the machine, by what they went into.
struct RunTimes {
  double built_s = 0.0, started_s = 0.0, stepped_s = 0.0;
  double shared_s = 0.0;   ///< of these, what runs to come share (twin/study/runs/run_line.hpp)
  double resumed_s = 0.0;  ///< going on from there
  double reached_s = 0.0;  ///< of simulated time, where it was stopped before
};

struct RunOutcome {
  int exit_code =
      0;  ///< as `wattloop run` has it: 0 done, 1 bad input, 2 no trustworthy answer, 5 failure of the program
  std::string message{};   ///< of a run that failed
  bool is_whole = true;    ///< else it was stopped: no outcome at all
  double reached_s = 0.0;  ///< of simulated time
  std::vector<NamedValue> figures{};
  RunTimes times{};
};

/// Runs it, or until `is_stop_requested`. What is wrong with the scenario or has no answer is an outcome; FileError and lack of memory are
/// thrown, because they say nothing of the run.
/// A window ends at `stop_s`, as in runs that share what is before it.
RunOutcome run_one(const Scenario& scenario, const std::function<bool()>& is_stop_requested,
                   std::optional<double> stop_s = {}, const RunMethod& method = {});

/// What else is to be seen of a run, and up to when it is to go.
struct RunWatch {
  std::function<Observer*(const Plant&, const Scenario&)>
      observer;  ///< asked when the plant is built; must outlive the run
  double until_s = 0.0;
};

/// As above, up to the end of the watch or of the scenario, whichever is first; figures are those of then.
RunOutcome run_watched(const Scenario& scenario, const std::function<bool()>& is_stop_requested, const RunWatch& watch,
                       const RunMethod& method = {});

/// What `step` comes to, thrown or not, as above.
RunOutcome guarded(const std::function<void(RunOutcome&)>& step);

/// The figures of a run that has come to its end; SolverError where its energy does not balance.
void finish_outcome(const HallRun& run, double wall_time_s, RunOutcome& outcome);

/// What `wattloop check` warns of in a run's hall, in words.
NamedValue figure_of_check(std::string words);

/// Seconds of a clock that goes on.
double seconds_now();

}  // namespace wattloop::twin
