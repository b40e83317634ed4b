// What brings power and coolant to racks: busways, which layouts do not hold, from the topology; pipes as wide as their flow.
#pragma once

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::viz {

struct Scene;

/// Adds the busways: over the fronts of each row one for each side of the power supply, each section in the colour of the load of the PDU that feeds the racks there. None where the file holds
/// no topology. Wants the boxes of the scene coloured.
void add_busways(Scene& scene, const twin::Topology& topology);

/// Makes pipes as wide as the root of their loop's flow, the widest where the fullest loop had at the start; those of open racks stay
/// as wide as they are where that flows.
void widen_pipes(Scene& scene, const twin::ResultsReader& results);

}  // namespace wattloop::viz
