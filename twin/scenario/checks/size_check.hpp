// Sizes that no machine holds and times that no run ends: refused with the reason, before anything is built.
#pragma once

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Adds a problem, at its place in the document, for every count, interval and duration beyond what can be run.
void check_size(const Node& root, const Scenario& scenario, Problems& problems);

}  // namespace wattloop::twin
