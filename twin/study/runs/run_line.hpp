// Runs of a study on one thread, one after the other. Those that are the same up to the fork of the study (docs/studies.md) compute that
// part once: it is kept as a snapshot of the run, from which the others go on, each to the byte as if it had run alone.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "twin/document/override.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/study/runs/one_run.hpp"

namespace wattloop::twin {

class RunLine {
 public:
  /// `source` must outlive it. Without `fork_s`, and by an integrator whose runs have no forks, each run is by itself.
  explicit RunLine(const ScenarioBase& source, std::optional<double> fork_s = {}, RunMethod method = {});
  ~RunLine();

  /// The run with these changes, and what `check` warns of in its hall. What is wrong with the scenario or has no answer is an outcome, as in `run_one`.
  RunOutcome run(std::span<const DocumentChange> changes, const std::function<bool()>& is_stop_requested);

 private:
  class Shared;

  RunOutcome run_itself(std::span<const DocumentChange> changes, const std::function<bool()>& is_stop_requested);
  const std::string& check_words_of(std::span<const DocumentChange> changes);
  RunOutcome run_alone(std::span<const DocumentChange> changes, const std::function<bool()>& is_stop_requested) const;
  Shared* shared_by(std::span<const DocumentChange> changes, const std::function<bool()>& is_stop_requested,
                    RunTimes& times);

  const ScenarioBase& source_;
  std::optional<double> fork_s_;
  RunMethod method_;
  std::list<std::unique_ptr<Shared>> shared_;             ///< used last first
  std::unordered_map<std::string, std::string> checked_;  ///< of halls, by what was changed in them
};

}  // namespace wattloop::twin
