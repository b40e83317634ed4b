#include "twin/run/meters/energy_figures.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

double Costs::total() const {
  double sum = demand + fixed + site.total();
  for (const double cost : {energy, fuel, water}) sum += std::isfinite(cost) ? cost : 0.0;
  return sum;
}

std::string Costs::without_price(double generator_j, double water_m3) const {
  if (site.operation > 0.0) return {};
  std::vector<std::string> names;
  if (!std::isfinite(energy)) names.emplace_back("utility energy");
  if (generator_j > 0.0 && !std::isfinite(fuel)) names.emplace_back("fuel");
  if (water_m3 > 0.0 && !std::isfinite(water)) names.emplace_back("water");
  if (names.empty()) return {};
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

double over_it_energy(const Metered& metered, double amount) {
  const double it_j = it_energy_j(metered.plant, metered.state);
  return it_j > 0.0 ? amount / it_j : std::numeric_limits<double>::quiet_NaN();
}

void add_used_energies(const Metered& metered, FigureList& figures) {
  const auto& [plant, state, into_batteries_j, sources] = metered;
  figures.number("facility_energy", state.states[plant.meters.feed], "J", "energy from " + sources_text());
  figures.number("utility_energy", sources.utility_j, "J", "the part of this energy that utility feeds deliver");
  figures.number("generator_energy", sources.generator_j, "J",
                 "the part of this energy that " + standby_text() + " deliver");
  figures.number("it_energy", it_energy_j(plant, state), "J", "energy of all IT equipment at its AC inlets");
  for (const EnergyPart& part : energy_parts(plant, state, into_batteries_j))
    figures.number(part.name + "_energy", part.energy_j, "J", "energy: " + part.text);
  figures.number("cooling_energy", cooling_energy_j(plant, state), "J", std::string(cooling_energy_text));
  figures.number("electrical_loss_energy", state.states[plant.meters.electrical_loss], "J", loss_text(plant));
}

void add_effectiveness(const Metered& metered, FigureList& figures) {
  const auto& [plant, state, into_batteries_j, sources] = metered;
  const MeanPue pue = mean_pue(plant, state, into_batteries_j);
  figures.number("pue", pue.ratio, "1",
                 has_own_water(plant) ? "facility over IT energy"
                                      : "energy of the facility divided by IT energy, without the energy of the plant "
                                        "that cools water from outside");
  figures.because(pue.reason);
  for (const EnergyPart& part : energy_parts(plant, state, into_batteries_j)) {
    if (part.is_elsewhere) continue;
    const bool means_something = std::isfinite(pue.ratio) || part.name != "battery";
    figures.number("pue_" + part.name,
                   means_something ? over_it_energy(metered, part.energy_j) : std::numeric_limits<double>::quiet_NaN(),
                   "1", "part of pue: " + part.text);
    figures.because(pue.reason);
  }
  if (plant.meters.make_up_water == no_part) return;
  const double water_m3 = make_up_m3(plant, state);
  figures.number("water_use", water_m3, "m3", std::string(make_up_text));
  figures.number("wue", over_it_energy(metered, water_m3), "m3/J",
                 "water usage effectiveness: make-up water divided by IT energy");
  figures.because(pue.reason);
}

Costs costs_of(const CostMeter& of_run) {
  Costs costs{.fuel = of_run.fuel_cost(of_run.generator_j()),
              .water = of_run.water_cost(of_run.water_m3()),
              .site = of_run.site_costs()};
  costs.energy = std::numeric_limits<double>::quiet_NaN();
  if (!of_run.bill()) return costs;
  costs.energy = of_run.bill()->energy_cost();
  costs.demand = of_run.bill()->demand_cost();
  costs.fixed = of_run.bill()->fixed_cost();
  return costs;
}

std::vector<SiteCostRow> site_cost_rows(const SitePrices& prices, const SiteCosts& costs) {
  std::vector<SiteCostRow> rows;
  if (!prices.capital.empty())
    rows.push_back({"capital", costs.capital, "capital of all classes, divided among their lifetimes"});
  if (costs.maintenance > 0.0) rows.push_back({"maintenance", costs.maintenance, "maintenance of capital"});
  if (prices.lease_per_month > 0.0) rows.push_back({"lease", costs.lease, "lease of the building"});
  if (prices.staff_per_month > 0.0) rows.push_back({"staff", costs.staff, "staff"});
  if (prices.operation_per_month > 0.0)
    rows.push_back({"operation", costs.operation, "energy, water, lease, staff and maintenance in one sum"});
  return rows;
}

void add_cost_figures(const Metered& metered, const CostMeter& of_run, const Costs& costs, double peak_demand_w,
                      double carbon_kg, FigureList& figures) {
  if (of_run.has_prices()) {
    const std::string& currency = of_run.economics().tariff.currency;
    if (of_run.bill()) {
      figures.number("energy_cost", costs.energy, currency, "cost of utility energy at the prices of the tariff");
      figures.number("demand_cost", costs.demand, currency,
                     "price of the highest demand of each month, for the simulated share of the month");
      figures.number("fixed_cost", costs.fixed, currency,
                     "fixed price of the tariff, for the simulated share of its months");
      figures.number("peak_demand", peak_demand_w, "W",
                     "highest mean power from the utility over a whole demand interval");
    }
    figures.number("fuel_cost", costs.fuel, currency, "cost of the fuel for generator_energy");
    figures.because("no price is given: economics.generator_energy_price");
    figures.number("water_cost", costs.water, currency, "make-up water");
    figures.because("no price is given: economics.water_price");
    for (const SiteCostRow& row : site_cost_rows(of_run.economics().site, costs.site))
      figures.number(std::string(row.name) + "_cost", row.cost, currency, std::string(row.text));
    const std::string without = costs.without_price(metered.sources.generator_j, of_run.water_m3());
    figures.number("total_cost", costs.total(), currency,
                   "energy, demand, fixed price, fuel and water" +
                       std::string(of_run.economics().site.is_any() ? ", capital, lease, staff, maintenance" : "") +
                       (without.empty() ? "" : "; without " + without + ", for which no price is given"));
    figures.number("cost_per_it_energy", over_it_energy(metered, costs.total()), currency + "/J",
                   "total cost divided by IT energy");
  }
  if (!of_run.economics().has_carbon) return;
  const bool leaves_out_generators = metered.sources.generator_j > 0.0 && !of_run.has_generator_carbon();
  figures.number("carbon", carbon_kg, "kg",
                 leaves_out_generators
                     ? "CO2 equivalent of utility_energy; economics.generator_carbon_intensity is not given"
                     : "CO2 equivalent of all energy that came in");
  figures.number("cue", over_it_energy(metered, carbon_kg), "kg/J",
                 "carbon usage effectiveness: carbon divided by IT energy");
}

}  // namespace wattloop::twin
