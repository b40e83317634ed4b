// `economics:` of a scenario: what energy and water cost, what their making emits, and what the cluster itself costs.
#pragma once

#include <vector>

#include "twin/economics/site_costs.hpp"
#include "twin/economics/tariff.hpp"
#include "twin/scenario/specs/follow_spec.hpp"

namespace wattloop::twin {

struct EconomicsSpec {
  bool is_given = false;
  bool has_tariff = false;
  Tariff tariff = {};
  SitePrices site = {};
  double water_per_m3 = 0.0;          ///< of the tariff's currency; this and the next: not a number where none is given
  double standby_energy_per_j = 0.0;  ///< fuel
  double carbon_kg_per_j = 0.0;       ///< of utility energy, where it follows no file
  bool has_carbon = false;            ///< either
  double standby_carbon_kg_per_j = 0.0;     ///< of energy from generators; not a number where none is given
  std::vector<FollowSpec> carbon_followed;  ///< at most one
};

}  // namespace wattloop::twin
