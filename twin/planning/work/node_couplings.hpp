// What the coupling of work, heat and power needs to know of the nodes of a scenario.
#pragma once

#include "twin/actions/work/coupling.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

NodeCoupling node_coupling(const NodeHardware& node);
NodeCouplings node_couplings(const Scenario& scenario);

}  // namespace wattloop::twin
