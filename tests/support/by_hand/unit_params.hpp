// Parameters of unit models as tests of steps use them: of the size of an H100 and its node.
#pragma once

#include "physics/units/air_part.hpp"
#include "physics/units/cold_plate.hpp"
#include "physics/units/heat_sink.hpp"
#include "physics/units/immersion_tank.hpp"
#include "physics/units/node_rest.hpp"

namespace wattloop::tests {

inline physics::ColdPlate::Params params_of(physics::ColdPlate) {
  physics::ColdPlate::Params p;
  p.die_heat_capacity_j_per_k = 60.0;
  p.plate_heat_capacity_j_per_k = 332.0;
  p.die_to_plate_w_per_k = 40.0;
  p.design_conductance_w_per_k = 45.0;
  p.design_flow_kg_per_s = 0.0175;
  p.leakage_w_per_k = 1.0;
  return p;
}

inline physics::NodeRest::Params params_of(physics::NodeRest) {
  physics::NodeRest::Params p;
  p.capture_fraction = 0.45;
  p.liquid_heat_capacity_j_per_k = 2000.0;
  p.liquid_conductance_w_per_k = 80.0;
  p.liquid_design_flow_kg_per_s = 0.04;
  p.air_heat_capacity_j_per_k = 800.0;
  p.air_conductance_w_per_k = 120.0;
  p.air_design_flow_kg_per_s = 0.15;
  return p;
}

inline physics::AirPart::Params params_of(physics::AirPart) {
  physics::AirPart::Params p;
  p.heat_capacity_j_per_k = 2400.0;
  p.conductance_w_per_k = 55.0;
  p.design_flow_kg_per_s = 0.043;
  return p;
}

inline physics::ImmersionTank::Params params_of(physics::ImmersionTank) {
  physics::ImmersionTank::Params p;
  p.die_heat_capacity_j_per_k = 150.0;
  p.fluid_heat_capacity_j_per_k = 3000.0;
  p.die_to_fluid_w_per_k = 20.0;
  p.coil_conductance_w_per_k = 40.0;
  p.design_flow_kg_per_s = 0.02;
  p.leakage_w_per_k = 1.0;
  return p;
}

inline physics::HeatSink::Params params_of(physics::HeatSink) {
  physics::HeatSink::Params p;
  p.die_heat_capacity_j_per_k = 10.0;
  p.sink_heat_capacity_j_per_k = 900.0;
  p.die_to_sink_w_per_k = 35.0;
  p.design_conductance_w_per_k = 130.0;
  p.design_flow_kg_per_s = 0.085;
  p.stream_gpus_ratio = 2.0;
  p.upstream_gpus_ratio = 0.5;
  p.leakage_w_per_k = 1.0;
  return p;
}

}  // namespace wattloop::tests
