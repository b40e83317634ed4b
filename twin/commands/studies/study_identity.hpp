// What rows of a study are of, by checksums: the file, its scenario, what runs read, the program.
#pragma once

#include "twin/study/plan/study_base.hpp"
#include "twin/study/tables/journal.hpp"

namespace wattloop::twin {

/// Throws FileError.
StudyIdentity study_identity(const PlannedStudy& plan, const StudyBase& base);

}  // namespace wattloop::twin
