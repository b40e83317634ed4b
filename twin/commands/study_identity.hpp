// What rows of a study are of, by checksums: the file, its scenario, what runs read, the program.
#pragma once

#include "twin/study/journal.hpp"
#include "twin/study/study_base.hpp"

namespace wattloop::twin {

/// Throws FileError.
StudyIdentity study_identity(const PlannedStudy& plan, const StudyBase& base);

}  // namespace wattloop::twin
