// One run of a study: from a scenario to the figures of its summary, on one thread, without a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twin/ratings/part_list.hpp"
#include "twin/results/results_schema.hpp"
#include "twin/scenario/scenario.hpp"

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

/// Runs it, or until `is_stop_wanted`. What is wrong with the scenario or has no answer is an outcome; FileError and lack of memory are
/// thrown, since they say nothing of the run.
RunOutcome run_one(const Scenario& scenario, const std::function<bool()>& is_stop_wanted);

}  // namespace wattloop::twin
