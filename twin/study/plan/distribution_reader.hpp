// `distribution:` of a change of a study.
#pragma once

#include <optional>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/study/draws/distribution.hpp"

namespace wattloop::twin {

/// Nothing where something is wrong with it, which goes to `problems`, all of it.
std::optional<Distribution> read_distribution(const Node& node, Problems& problems);

}  // namespace wattloop::twin
