// Where the energy of a run went: every use, every loss and what the batteries took. Divided by the energy of the IT
// equipment these are the parts of PUE [iso_30134_2]; they sum to it, without what others on the same feeder draw.
#pragma once

#include <string>
#include <vector>

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

struct EnergyPart {
  std::string name;   ///< "cdu_pump", "ups_loss", "battery": in names of values
  std::string text;   ///< for sentences: "CDU pumps"
  std::string label;  ///< for tables, short
  double energy_j = 0.0;
  bool is_elsewhere = false;  ///< of others on the same feeder: no part of PUE
};

/// All parts that the hall has. `into_batteries_j`: what batteries stored, less what they gave.
std::vector<EnergyPart> energy_parts(const Plant& plant, const PlantState& state, double into_batteries_j);

/// What batteries gave more than they took, J; zero where they took more, or as good as nothing moved.
double given_by_batteries_j(const Plant& plant, const PlantState& state, double into_batteries_j);

/// PUE of the run; where it is not a number, why, to be read behind "n/a".
struct MeanPue {
  double ratio;
  std::string reason;
};
MeanPue mean_pue(const Plant& plant, const PlantState& state, double into_batteries_j);

/// Of what came from outside and from batteries: full batteries that stayed full are nothing.
inline constexpr double smallest_reported_ratio = 5e-7;

/// "loss in transformers, UPS and PDUs": in what the hall has.
std::string loss_text(const Plant& plant);

/// "utility feeds and generators": all that power may come from.
std::string sources_text();
/// "generators": what stands by for the utility.
std::string standby_text();

/// Energy of nodes and fabric, J.
double it_energy_j(const Plant& plant, const PlantState& state);

/// Energy of all other loads: pumps, towers, chillers, air handlers, J.
double cooling_energy_j(const Plant& plant, const PlantState& state);

}  // namespace wattloop::twin
