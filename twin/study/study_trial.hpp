// What a study will take, from one of its runs for some seconds.
#pragma once

#include <string>

#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

struct Trial {
  double read_s = 0.0, built_s = 0.0, started_s = 0.0;  ///< of one run
  double stepped_s = 0.0;                               ///< of the whole run, from the part that was tried
  double resumed_s = 0.0;                               ///< going on from what runs share
  double shared_s = 0.0;                                ///< of what runs share, once; all before the fork
  double saved_s = 0.0;                                 ///< by that, in the whole study
  double study_s = 0.0;                                 ///< of the whole study
  double bytes = 0.0;                                   ///< of journal and tables
  std::string failure{};                                ///< of the run that was tried
};

Trial try_run(const PlannedStudy& plan, const StudyBase& base, int threads);

std::string trial_text(const PlannedStudy& plan, const Trial& trial);
std::string trial_json(const PlannedStudy& plan, const Trial& trial);

}  // namespace wattloop::twin
