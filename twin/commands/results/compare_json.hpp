// Results files side by side, for programs.
#pragma once

#include <string>

#include "twin/comparison/comparison.hpp"

namespace wattloop::twin {

/// All of it, in SI units; null is what is not a number or not there.
std::string compare_json(const Comparison& comparison);

}  // namespace wattloop::twin
