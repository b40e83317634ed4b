// Energies, water, costs and what follows from them, as figures of a run or of a month of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/economics/bill.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/run/meters/cost_meter.hpp"
#include "twin/run/meters/figure_list.hpp"

namespace wattloop::twin {

/// What meters show of a run, or of a month of it.
struct Metered {
  const Plant& plant;
  const PlantState& state;  ///< meters count
  double into_batteries_j = 0.0;
  SourceEnergy sources{};
};

/// Over the energy of the IT equipment; not a number where nothing was used.
double over_it_energy(const Metered& metered, double amount);

/// Where energy went.
void add_used_energies(const Metered& metered, FigureList& figures);

/// PUE with its parts, water, WUE.
void add_effectiveness(const Metered& metered, FigureList& figures);

/// What a tariff and prices ask, of a currency. Energy, fuel and water are not numbers where no price is given.
struct Costs {
  double energy = 0.0, demand = 0.0, fixed = 0.0, fuel = 0.0, water = 0.0;
  SiteCosts site = {};
  /// Of all that has a price.
  double total() const;
  /// "fuel and water": what was used and has no price; empty where all has.
  std::string without_price(double generator_j, double water_m3) const;
};

/// Of a run.
Costs costs_of(const CostMeter& of_run);

/// Of what the scenario gives, in the order of tables: figure, cost, what it is.
struct SiteCostRow {
  std::string_view name;
  double cost;
  std::string_view text;
};
std::vector<SiteCostRow> site_cost_rows(const SitePrices& prices, const SiteCosts& costs);

/// Costs where a scenario says prices, `carbon_kg` where it says what energy emits. `peak_demand_w`: highest mean of an interval.
void add_cost_figures(const Metered& metered, const CostMeter& of_run, const Costs& costs, double peak_demand_w,
                      double carbon_kg, FigureList& figures);

}  // namespace wattloop::twin
