// What a hall draws and sheds when every node and switch draws its nameplate power and every motor that runs
// its rating: the loads that ratings are compared with. Steady, without weather, dynamics or diversity.
#pragma once

#include "twin/scenario.hpp"

namespace wattloop::twin {

/// Loads at nameplate. Of two sides, `side` loads are those of one that carries the whole hall.
struct NameplateLoad {
  double rack_w = 0.0;
  double rack_liquid_w = 0.0;  ///< of rack_w, into the coolant
  double rack_air_w = 0.0;
  int switches = 0;
  double network_rack_w = 0.0;  ///< of the fullest
  double network_w = 0.0;
  double it_w = 0.0;

  double fullest_pdu_w = 0.0;
  double cdu_pumps_w = 0.0;
  double door_fans_w = 0.0;  ///< on the PDUs, into the hall's air
  double pdu_loss_w = 0.0;  ///< of one side that carries the whole hall
  double side_ups_w = 0.0;  ///< output: racks, PDU losses, CDU pumps
  double side_ups_loss_w = 0.0;
  double shared_ups_loss_w = 0.0;  ///< of each side while all sides share the load
  double hall_air_w =
      0.0;  ///< into the hall's air at the set-point of its air handlers, beyond what doors take
  double chilled_w = 0.0;     ///< into the water of doors and air handlers
  double facility_w = 0.0;    ///< into the facility water
  double mechanical_w = 0.0;  ///< electric, besides CDU pumps
  double side_transformers_w = 0.0;
  double side_feed_w = 0.0;  ///< before the transformers

  double cdu_facility_flow_kg_per_s = 0.0;  ///< with all valves open
  double door_flow_kg_per_s = 0.0;          ///< of doors and air handlers
  int chillers_needed = 0;
  int towers_needed = 0;
};

NameplateLoad nameplate_load(const Scenario& scenario);

/// Heat that one air handler takes from air at its set-point, less that of its fan, at full speed.
double crah_capacity_w(const CrahsSpec& crahs, double water_k);

}  // namespace wattloop::twin
