// What a study file may say, for people: topics of `wattloop explain` and tables of the reference.
#pragma once

#include <vector>

#include "twin/scenario/explain/explain.hpp"

namespace wattloop::twin {

/// "study" and its sections; every key that the reader takes is in them.
std::vector<Topic> study_topics();

}  // namespace wattloop::twin
