// The runs of a search: numbered like those of a study, so that its journal and its engine do as they are. The first axis has the trials in
// the order in which they are made; the others are the family that each trial runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/search/search_spec.hpp"
#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

struct SearchPlan {
  SearchSpec spec;
  PlannedStudy plan;
  std::size_t parameter = 0;  ///< that is sought; of families
  std::size_t family = 1;     ///< runs of a trial

  /// The number of the first run of the trial at that value, which is added where it is new. Both ends are there from the start.
  std::size_t add_trial(double at);

  /// "37.5 degC"; of a list its item.
  std::string value_text(double at) const;
  const Parameter& sought() const { return plan.runs.parameters[parameter]; }
};

/// So many runs a search may have at most: its journal says so before it knows how many it takes.
inline constexpr std::size_t most_trials = 200;

/// What is wrong goes to `problems`: with the search, with its family, with both ends of what is sought.
SearchPlan plan_search(Study study, const StudyBase& base, Problems& problems);

}  // namespace wattloop::twin
