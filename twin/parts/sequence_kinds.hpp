// All kinds of control sequences: an include and a name each. Nothing else of twin/ lists them.
#pragma once

#include <tuple>

#include "physics/water/waterside_economiser.hpp"
#include "physics/water/wet_bulb_reset.hpp"

namespace wattloop::twin {

using SequenceKinds = std::tuple<physics::WetBulbReset, physics::WatersideEconomiser>;

}  // namespace wattloop::twin
