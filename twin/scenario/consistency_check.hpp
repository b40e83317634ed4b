// Values of a scenario against each other: each of them is good, but together they make no sense.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/scenario_sections.hpp"

namespace wattloop::twin {

/// The value at a path of keys; null where it does not go on.
const Node* find_path(const Node& root, std::initializer_list<std::string_view> keys);

/// Adds a problem, at its place in the document, for everything that does not fit. Means something only for a
/// scenario that was read without problems.
void check_consistency(const Node& root, const ScenarioDraft& draft, Problems& problems);

}  // namespace wattloop::twin
