// Overrides from the command line: `--set hall.racks.count=8` changes a document before it is read.
#pragma once

#include <string>

#include "core/problem.hpp"
#include "twin/document.hpp"

namespace wattloop::twin {

/// Applies "path=value". Keys that do not exist are made (readers know which are wrong); list items go by number from
/// 1 and must exist. A map in `value` is merged over what is there.
void apply_override(Node& root, const std::string& path_and_value, Problems& problems);

}  // namespace wattloop::twin
