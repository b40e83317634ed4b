// Counts of cooling equipment from loads: pure functions of figures. Each kind is one more than what carries the load, since `check` takes one
// out of those that share.
#pragma once

#include <vector>

#include "twin/sizing/figures.hpp"

namespace wattloop::twin {

/// Margins over every load; decision 0046.
inline constexpr double heat_margin_ratio = 1.10, flow_margin_ratio = 1.05, power_margin_ratio = 1.10;
inline constexpr double door_margin_ratio = 1.30, air_margin_ratio = 1.15;
/// Coolant PG25: density and specific heat near 35 degC, where it is known (docs/models/fluids.md).
inline constexpr double coolant_kg_per_m3 = 1012.0, coolant_j_per_kg_k = 3900.0;
inline constexpr double water_j_per_kg_k = 4180.0, air_j_per_kg_k = 1006.0;

struct RackSizes {
  int racks = 1, nodes_per_rack = 8, gpus = 8;
  double it_w = 0.0, liquid_w = 0.0, air_w = 0.0;  ///< of all racks
  double airflow_kg_per_s = 0.0;                   ///< of one
  double rack_w = 0.0, rack_air_w = 0.0;           ///< of one

  int nodes() const { return racks * nodes_per_rack; }
};

/// Usual number of nodes in a rack: that of the halls in `scenarios/`, else as many as keep racks with coolant at 82 kW and others at 41 kW.
int usual_nodes_per_rack(const NodeFigures& node);

/// Whole racks of equal nodes for at least so many GPUs. A hall with fewer nodes than a rack holds has one rack with these.
RackSizes size_racks(int gpus, const NodeFigures& node, int nodes_per_rack);

/// Racks of each row, at most 28.
std::vector<int> rows_of(int racks);

struct LoopSizes {
  CduFigures cdu;
  int loops = 1, cdus = 2;  ///< CDUs of each loop: one more than on duty
  int racks_per_loop = 1;
  double differential_pressure_pa = 0.0, rise_k = 0.0;  ///< between headers; of coolant through racks
  double duty_heat_w = 0.0, duty_kg_per_s = 0.0;        ///< of a CDU with one out
  double pump_w = 0.0;                                  ///< of a CDU, with one out
  double facility_kg_per_s = 0.0;                       ///< of all CDUs with open valves
  double volume_m3 = 0.0;                               ///< of each loop
};

/// `approach_k`: coolant supply over facility water.
LoopSizes size_loops(const RackSizes& racks, const NodeFigures& node, const std::vector<CduFigures>& cdus,
                     double approach_k);

/// The highest coolant flow at which a CDU's pump keeps the pressure between headers, with a margin.
double highest_cdu_flow_kg_per_s(const CduFigures& cdu, double differential_pressure_pa);

/// Heat that a coil takes from a flow of air at `air_c`, with water at its design flow.
double coil_heat_w(const CoilFigures& coil, double airflow_kg_per_s, double air_c, double water_c);

/// The smallest door that carries the air heat of a rack with margin; the largest where none does.
const CoilFigures& chosen_door(const RackSizes& racks, const std::vector<CoilFigures>& doors);

/// Heat of racks, of fans of their doors and of PDUs that doors leave to the air handlers of a room held at `room_c`; negative where doors take
/// more than that. Air handlers send back air that is colder, so that doors take less: docs/models/hall_air.md.
double left_by_doors_w(const RackSizes& racks, const CoilFigures& door, double room_c, double water_c, double pdus_w);

/// Watts that a running air handler takes out of a room beyond those of its own fan.
double crah_net_w(const CoilFigures& crah, double room_c, double water_c);

struct CrahSizes {
  CoilFigures crah;
  int count = 2;
  double net_w = 0.0;  ///< of each
  double water_kg_per_s() const { return crah.water_kg_per_s * count; }
};

/// One more than heat asks for, at least two; `worst_w` of a room is carried by all of them.
CrahSizes size_crahs(double heat_w, double worst_w, const std::vector<CoilFigures>& crahs, double room_c,
                     double water_c);

struct ChillerSizes {
  ChillerFigures chiller;
  int duty = 1, count = 2;
  double heat_w = 0.0, flow_kg_per_s = 0.0, power_w = 0.0;  ///< of the water; power of all compressors at that heat
  double stage_up_fraction = 0.9, stage_down_fraction = 0.7;
};

/// Heat that a compressor lifts from water at `cold_c` to `hot_c`, the temperatures of its refrigerant, at most its rating.
double liftable_w(const ChillerFigures& chiller, double cold_c, double hot_c);

/// `sink_c`: water to condensers, or air outside.
ChillerSizes size_chillers(double heat_w, double flow_kg_per_s, const std::vector<ChillerFigures>& chillers,
                           double supply_c, double sink_c, bool is_in_air);

struct RejectorSizes {
  RejectorFigures rejector;
  int count = 2;
  double heat_w = 0.0, flow_kg_per_s = 0.0;
  double each_w = 0.0;  ///< what one gives away then
};

/// Heat that a dry cooler gives to air while it makes water of `supply_c`.
double dry_cooler_heat_w(const RejectorFigures& cooler, double supply_c, double dry_bulb_c);

/// CDUs and dry coolers with PG25 of that temperature as facility water.
void fill_with_glycol(LibraryFigures& library, double facility_c);

/// Coils, fans and dry coolers in air of that density over that at sea level.
void move_to_site(LibraryFigures& library, double density_ratio);

/// Tower cells at their rating, dry coolers at what they give there.
RejectorSizes size_towers(double heat_w, double flow_kg_per_s, const RejectorFigures& tower);
RejectorSizes size_dry_coolers(double heat_w, double flow_kg_per_s, const std::vector<RejectorFigures>& coolers,
                               double supply_c, double dry_bulb_c);

/// Pumps on duty for a flow.
int pumps_on_duty(double flow_kg_per_s, const PumpFigures& pump);

}  // namespace wattloop::twin
