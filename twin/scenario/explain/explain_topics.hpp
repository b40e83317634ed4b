// What `wattloop explain` can be asked about.
#pragma once

#include <vector>

#include "twin/scenario/explain/explain.hpp"

namespace wattloop::twin {

/// All topics, in the order of the language.
std::vector<Topic> explain_topics();

}  // namespace wattloop::twin
