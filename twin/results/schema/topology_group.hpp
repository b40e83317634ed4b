// The group `topology` of a results file: parts with their kinds and ratings, and what connects them.
#pragma once

#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/schema/topology.hpp"

namespace wattloop::twin {

void write_topology_group(Hdf5Writer& file, const Topology& topology);

}  // namespace wattloop::twin
