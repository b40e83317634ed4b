// The power supplies of a node, as the hardware library describes it.
#pragma once

#include "twin/plant/equipment/node_supplies.hpp"

namespace wattloop::twin {

struct NodeHardware;

NodeSupplies node_supplies(const NodeHardware& node);

}  // namespace wattloop::twin
