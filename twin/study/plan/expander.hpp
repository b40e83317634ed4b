// The runs of a study.
#pragma once

#include <span>

#include "twin/ratings/part_list.hpp"
#include "twin/study/plan/expansion.hpp"

namespace wattloop::twin {

/// `parts` are those of the base. What is wrong goes to `problems`, with more runs than `most_runs` reported at once.
Expansion expand(const Study& study, std::span<const PartRow> parts, Problems& problems);

}  // namespace wattloop::twin
