// `fork:` of a study: up to where its runs are the same.
#pragma once

#include <cstddef>

#include "twin/study/plan/study_base.hpp"

namespace wattloop::twin {

/// `{ at: 5 min, per: [supply] }`. What is wrong goes to `problems`.
StudyFork read_fork(const Node& map, Problems& problems);

/// What begins before the fork, and changes of the hall that it does not name, go to `problems`.
void check_fork(const PlannedStudy& plan, const StudyBase& base, Problems& problems);

/// How often the part before the fork is computed at most.
std::size_t shared_parts(const PlannedStudy& plan);

}  // namespace wattloop::twin
