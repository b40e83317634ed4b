// What machines share: a load, the water that their pumps move.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "twin/ratings/load_at_rating.hpp"

namespace wattloop::twin {

/// Sets `sharing` of each load to the machines at work of its kind that hang on the same, or to the generators that carry the same bus, where that
/// is more. `loads`: all of the hall.
void count_sharing(std::span<LoadAtRating> loads, const PlantSnapshot& now);

/// Water that parts move from the return to the supply of a water by pumps of their own: kind and flow of each that moves some.
using FlowsOfKinds = std::vector<std::pair<std::string, double>>;
FlowsOfKinds flows_through(const std::vector<PartSpec>& parts, const std::string& water, const PlantSnapshot& now);

double sum_of(const FlowsOfKinds& flows);

}  // namespace wattloop::twin
