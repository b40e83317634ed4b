// A water pump of which a test says what it moves, and nothing else.
#pragma once

#include "physics/water/water_pump.hpp"

namespace wattloop::tests {

inline physics::WaterPumpParams water_pump(double flow_kg_per_s, double pressure_pa) {
  physics::WaterPumpParams pump;
  pump.rated_flow_kg_per_s = flow_kg_per_s;
  pump.pressure_pa = pressure_pa;
  return pump;
}

}  // namespace wattloop::tests
