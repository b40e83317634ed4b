// Components of the water systems and the air handlers: pumps, tower cells, chillers, CRAHs and their controllers. Thin
// adapters that give the physics functions their signals and sinks, as in twin/plant/components.hpp.
//
// What a motor draws depends on its command: one that is off draws nothing. The speed of what still turns is a state, so
// that flows die with the coast-down.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "physics/chiller.hpp"
#include "physics/cooling_tower.hpp"
#include "physics/crah.hpp"
#include "physics/pi_controller.hpp"
#include "physics/water_pump.hpp"

namespace wattloop::twin {

inline double is_on(double command_fraction) noexcept { return command_fraction > 0.0 ? 1.0 : 0.0; }

}  // namespace wattloop::twin
