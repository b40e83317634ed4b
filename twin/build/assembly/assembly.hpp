// From a diagram to a plant: everything gets its place in the vectors of states, flows, inputs and loads.
#pragma once

#include "twin/build/assembly/diagram.hpp"

namespace wattloop::twin {

Plant assemble(Diagram diagram);

}  // namespace wattloop::twin
