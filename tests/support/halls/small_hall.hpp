// A whole hall in code for tests of the plant: eight racks in two rows on two loops of two CDUs, towers, chillers, air
// handlers, network racks, electrical rooms. Equipment is sized for it; tests that need exact ratings read the library.
#pragma once

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::tests {

twin::Scenario small_hall_scenario();

}  // namespace wattloop::tests
