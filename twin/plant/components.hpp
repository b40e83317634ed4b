// The components of the plant besides units: thin adapters that give the physics functions their signals and sinks.
// Signals and sinks of each are listed in the order of its `Input` and `Output`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "physics/cdu.hpp"
#include "physics/pressure_control.hpp"
#include "physics/pump.hpp"
#include "physics/rear_door.hpp"

namespace wattloop::twin {}  // namespace wattloop::twin
