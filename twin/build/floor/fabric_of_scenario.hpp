// The modelled fabric of a hall, as its scenario describes it.
#pragma once

#include "twin/plant/equipment/hall_fabric.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// That of a scenario with a modelled fabric without mistakes. Switches are dealt to the racks in order, as equally as they can be.
HallFabric hall_fabric(const Scenario& scenario);

}  // namespace wattloop::twin
