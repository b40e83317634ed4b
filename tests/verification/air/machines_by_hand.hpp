// What every machine of a hall draws, and what it gives to the bodies of water and air around it, by its data sheet and by
// temperatures, flows and speeds at its ports. The formulas are written out here and share no code with the models:
//
//   exchangers    Q = eps C_min (T_1 - T_2), eps of counterflow and of crossflow, both unmixed [incropera2011] table 11.3, with
//                 1/UA = (1/UA_0) (s (m_1/m_10)^-n_1 + (1 - s) (m_2/m_20)^-n_2)
//   plates        Q = m c (1 - exp(-UA / m c)) (T_plate - T_in)
//   pumps, fans   affinity laws; a pump's hydraulic power heats its water, the rest the place where it stands
//   towers        range + approach(range) = T_in - T_wb, York's 27 coefficients as [modelica_buildings] prints them; air leaves
//                 saturated, by the vapour pressure of [wmo_guide8]
//   chillers      P = g(x) Q (T_hot - T_cold) / (eta T_cold), g by the curves of tests/support/by_hand/chiller_by_hand.hpp
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/by_name.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::tests {

/// By names of thermal nodes, of loads, and of meters.
struct Given {
  std::map<std::string, double> heat_w, load_w, outdoors_w, sky_w, make_up_kg_per_s;
};

class MachinesByHand {
 public:
  MachinesByHand(const twin::Scenario& scenario, const Instant& now);
  Given given;  ///< outdoors, sky and make-up water by machine

 private:
  double command(const std::string& motor) const { return now_.input(motor + ".command"); }
  double speed(const std::string& motor) const { return now_.state_of(motor + ".speed"); }
  double water_pump(const std::string& motor, const physics::WaterPumpParams& pump, double kg_per_s,
                    const std::string& node);
  void racks(const std::string& rack);
  void door(const std::string& rack);
  void cdu(const std::string& cdu, const std::string& loop);
  void tower(const std::string& tower);
  void chiller(const std::string& chiller);
  void crah(const std::string& crah, const std::string& room, const std::string& into, const twin::CrahsSpec& spec);
  void system_pumps(const std::string& system, const twin::WaterPumpsSpec& spec, double kg_per_s);
  void room(const std::string& room, const twin::RoomSpec& spec);

  const twin::Scenario& scenario_;
  const Instant& now_;
  double water_, coolant_, air_;  ///< specific heats
};

}  // namespace wattloop::tests
