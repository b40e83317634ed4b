// Values of a scenario against each other: each of them is good, but together they make no sense.
#pragma once

#include "core/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/scenario_sections.hpp"

namespace wattloop::twin {

/// The value at a path of keys; null where it does not go on.
const Node* find_path(const Node& root, const FilePath& keys);

/// The value at the path or, where it is left to its default, the last map on the way there.
const Node& mention_of(const Node& root, const FilePath& keys);

/// That of something inside of what stands at a path.
FilePath inside(FilePath path, const FilePath& keys);

/// Names in `on:` that nothing has, or that more than one could be meant by; racks that nothing cools. The same
/// (twin/scenario/hangs_on_check.cpp).
void check_hangs_on(const Node& root, const Scenario& scenario, Problems& problems);

/// Adds a problem, at its place in the document, for everything that does not fit. Means something only for a
/// scenario that was read without problems.
void check_consistency(const Node& root, const ScenarioDraft& draft, Problems& problems);

}  // namespace wattloop::twin
