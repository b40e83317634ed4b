// `wattloop study FILE --slurm FOLDER`: scripts of an array job, from a short trial.
#pragma once

#include "twin/commands/studies/study_command.hpp"
#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

/// Exit code. Throws InputError where the folder is not this study's, FileError.
int write_slurm(const StudyOptions& options, const PlannedStudy& plan, const StudyBase& base);

}  // namespace wattloop::twin
