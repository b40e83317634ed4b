// Runs of a scenario for values of its parameters: series in memory, many runs at once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "twin/calibration/calibration_spec.hpp"
#include "twin/run/recording/series_recorder.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

struct ModelRun {
  int exit_code = 0;  ///< as `wattloop run` has it
  std::string message{};
  std::vector<KeptSeries> series{};  ///< SI, as they were asked for; none of a run that failed
};

/// Values of the parameters, each in its unit.
using ParameterPoint = std::vector<double>;

class ModelRuns {
 public:
  struct Options {
    int threads = 1;
    std::function<bool()> is_stop_requested = [] { return false; };
    std::function<void()> when_done = [] {};  ///< after every run; by the caller's thread
  };

  /// All must outlive it.
  ModelRuns(const ScenarioBase& source, const std::vector<CalibratedParameter>& parameters,
            const std::vector<SeriesName>& names, Options options);

  /// One for each point, up to `until_s`. Throws Interrupted where a stop was requested, and what a run throws that says nothing of it.
  std::vector<ModelRun> at(std::span<const ParameterPoint> points, double until_s);

  std::size_t count() const { return count_; }  ///< of runs so far

  struct Interrupted {};

 private:
  ModelRun run(const ParameterPoint& point, double until_s) const;

  const ScenarioBase& source_;
  const std::vector<CalibratedParameter>& parameters_;
  const std::vector<SeriesName>& names_;
  Options options_;
  std::size_t count_ = 0;
};

/// What the scenario has otherwise at this point.
std::vector<DocumentChange> changes_at(const std::vector<CalibratedParameter>& parameters, const ParameterPoint& point);

}  // namespace wattloop::twin
