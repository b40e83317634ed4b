// What runs of a study read beyond its base: files and variables that only some of them name.
#pragma once

#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

/// The base with the input files and variables of all runs. Changes are looked at one value at a time and, where they are few, in all
/// combinations with each other; numbers name no file.
Scenario with_all_inputs(const PlannedStudy& plan, const StudyBase& base);

}  // namespace wattloop::twin
