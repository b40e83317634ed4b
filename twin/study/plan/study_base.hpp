// The scenario that all runs of a study are made of: read once, and what a study may say of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twin/ratings/part_list.hpp"
#include "twin/results/schema/results_schema.hpp"
#include "twin/run/figures/kpi_limit.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/study/plan/chosen_runs.hpp"
#include "twin/study/plan/expansion.hpp"

namespace wattloop::twin {

struct StudyBase {
  ScenarioBase source;
  Scenario scenario;                   ///< without any change
  std::vector<PartRow> parts;          ///< that stand in it
  std::vector<NamedValue> figures;     ///< of its summary; names and units count
  std::vector<std::string> overrides;  ///< of the command line, "path=value"
};

/// Throws InputError with all that is wrong with the base.
StudyBase read_base(const Study& study, const std::vector<std::string>& overrides);

/// A figure that is kept, in the unit in which it is written.
struct KeptFigure {
  std::string name{}, unit{}, long_name{};  ///< unit as in results files
  bool is_text = false, is_count = false;
  double zero = 0.0, size = 1.0;  ///< SI = zero + size times the number written
};

/// All that a study needs to run, found without mistakes.
struct PlannedStudy {
  Study study;
  Expansion runs;
  std::vector<KeptFigure> kept;
  std::vector<KpiLimit> limits;
  ChosenRuns chosen{};  ///< of which the whole results are kept

  std::optional<double> fork_s() const { return study.fork ? std::optional(study.fork->at_s) : std::nullopt; }
};

/// Everything that is wrong with the study goes to `problems`: figures, limits, runs, and values that no scenario of the runs that it
/// looks at can have: those of each change beside the first values of the others.
PlannedStudy plan_study(Study study, const StudyBase& base, Problems& problems);

/// The same of runs that are known already.
PlannedStudy plan_runs(Study study, Expansion runs, const StudyBase& base, Problems& problems);

}  // namespace wattloop::twin
