// Figures of a run by calendar month.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "twin/run/figures/summary.hpp"
#include "twin/run/meters/energy_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

Costs costs_of(const Statistics::OfMonth& metered, const CostMeter& of_run, const MonthMeter::Month& month,
               const Bill::Month* billed) {
  Costs costs{.fuel = of_run.fuel_cost(metered.sources.generator_j),
              .water = of_run.water_cost(metered.water_m3),
              .site = of_run.site_costs(month.begin_s, month.end_s)};
  if (!of_run.bill()) costs.energy = std::numeric_limits<double>::quiet_NaN();
  if (billed == nullptr) return costs;
  costs.energy = of_run.bill()->energy_cost(*billed);
  costs.demand = of_run.bill()->demand_cost(*billed);
  costs.fixed = of_run.bill()->fixed_cost(*billed);
  return costs;
}

/// What was bought at each price of energy, the tariff's own sums by month.
void add_prices(const Bill& bill, const Bill::Month* billed, FigureList& figures) {
  const Tariff& tariff = bill.tariff();
  for (std::size_t price = 0; price < tariff.energy.size(); ++price) {
    const std::string text = format_quantity(tariff.energy[price].value, tariff.currency + "/J");
    figures.number(fmt::format("price_{}_energy", price + 1), billed == nullptr ? 0.0 : billed->energy_j[price], "J",
                   fmt::format("energy from the utility at price {} of the tariff, {}", price + 1, text));
  }
}

MonthRecord record_of(const FinishedRun& run, const MonthMeter::Month& month) {
  const Statistics& statistics = run.statistics;
  const Statistics::OfMonth of_month = statistics.metered_in(month, run.simulation.state());
  const Metered metered{run.plant, of_month.state, of_month.into_batteries_j, of_month.sources};
  FigureList figures;
  add_used_energies(metered, figures);
  add_effectiveness(metered, figures);
  figures.number("peak_facility_power", month.peak.facility_w, "W", "highest power from " + sources_text());
  figures.number("peak_utility_power", month.peak.utility_w, "W", "highest power from utility feeds");
  if (statistics.costs) {
    const CostMeter& costs = *statistics.costs;
    const Bill::Month* billed = nullptr;
    if (costs.bill()) {
      const auto found = std::ranges::find(costs.bill()->months(), month.number, &Bill::Month::number);
      if (found != costs.bill()->months().end()) billed = &*found;
    }
    add_cost_figures(metered, costs, costs_of(of_month, costs, month, billed), billed == nullptr ? 0.0 : billed->peak_w,
                     of_month.carbon_kg, figures);
    if (costs.bill()) add_prices(*costs.bill(), billed, figures);
  }
  const LocalTime begin = time_after(statistics.months->clock().start(), month.begin_s);
  return {fmt::format("{:04}-{:02}", begin.year, begin.month), month.begin_s, month.end_s, figures.take()};
}

}  // namespace

std::vector<MonthRecord> months_of(const FinishedRun& run) {
  std::vector<MonthRecord> records;
  if (!run.statistics.months) return records;
  for (const MonthMeter::Month& month : run.statistics.months->months()) records.push_back(record_of(run, month));
  return records;
}

}  // namespace wattloop::twin
