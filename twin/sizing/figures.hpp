// What sizing needs to know of devices: numbers of the hardware library in SI units. [of a kind: the smallest first]
#pragma once

#include <string>
#include <vector>

namespace wattloop::twin {

/// A node that draws its nameplate: where its watts go.
struct NodeFigures {
  std::string name;
  int gpus = 8;
  double nameplate_w = 0.0, gpu_limit_w = 0.0;
  double liquid_w = 0.0, air_w = 0.0;  ///< heat to coolant and to air, together the nameplate
  double coolant_kg_per_s = 0.0, coolant_drop_pa = 0.0, airflow_kg_per_s = 0.0;

  bool takes_coolant() const { return coolant_kg_per_s > 0.0; }
};

struct CduFigures {
  std::string name;
  double rated_w = 0.0, conductance_w_per_k = 0.0;
  double technology_kg_per_s = 0.0, facility_kg_per_s = 0.0, internal_drop_pa = 0.0;
  double pump_pa = 0.0, pump_pa_per_flow = 0.0, pump_pa_per_flow_squared = 0.0;  ///< over m3/s
  double pump_efficiency_fraction = 0.6, pump_idle_w = 0.0;
  double facility_j_per_kg_k = 4180.0;
};

/// A coil in moving air: a rear door or an air handler.
struct CoilFigures {
  std::string name;
  double rated_w = 0.0, conductance_w_per_k = 0.0;
  double air_kg_per_s = 0.0, water_kg_per_s = 0.0;
  double air_share_fraction = 0.8, air_exponent = 0.5, fan_w = 0.0;
};

struct ChillerFigures {
  std::string name;
  double rated_w = 0.0, rated_power_w = 0.0, carnot_fraction = 0.5;
  double evaporator_pinch_k = 2.0, condenser_pinch_k = 3.0;
  double chilled_kg_per_s = 0.0, condenser_kg_per_s = 0.0;
  double aside_w = 0.0;  ///< its pumps and fans
};

/// What gives heat to the air outside: a tower cell or a dry cooler.
struct RejectorFigures {
  std::string name;
  double rated_w = 0.0, water_kg_per_s = 0.0;
  double conductance_w_per_k = 0.0, air_kg_per_s = 0.0;  ///< of a dry cooler
  double liquid_j_per_kg_k = 4180.0, liquid_share_fraction = 1.0 / 3.0, air_exponent = 0.8;
  double motors_w = 0.0;  ///< fan and pump
};

struct PumpFigures {
  std::string name;
  double flow_kg_per_s = 0.0, power_w = 0.0;
};

/// Equipment of power: constant, linear and quadratic loss over its rating.
struct PowerFigures {
  std::string name;
  double rated_w = 0.0;
  double constant_fraction = 0.0, linear_fraction = 0.0, quadratic_fraction = 0.0;
  double short_circuit_fraction = 0.06;  ///< of transformers: voltage that drives rated current into a short circuit

  double loss_w(double load_w, int modules = 1) const {
    const double all_w = rated_w * modules;
    return constant_fraction * all_w + linear_fraction * load_w + quadratic_fraction * load_w * load_w / all_w;
  }
};

/// Devices that sizing chooses from.
struct LibraryFigures {
  std::vector<CduFigures> cdus;
  std::vector<CoilFigures> doors, crahs;
  std::vector<ChillerFigures> chillers;
  ChillerFigures air_chiller;
  RejectorFigures tower;
  std::vector<RejectorFigures> dry_coolers;
  PumpFigures facility_pump, chilled_pump;
  std::vector<PowerFigures> pdus, ups, transformers, generators;
};

}  // namespace wattloop::twin
