#include "twin/run/figures/cost_lines.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "twin/run/figures/unit_costs.hpp"
#include "twin/run/meters/energy_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

/// "12,345 USD".
std::string money(double value, const std::string& currency) {
  std::string digits = fmt::format("{:.{}f}", std::abs(value), std::abs(value) < 1000.0 ? 2 : 0);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > 3; at -= 3) digits.insert(at - 3, ",");
  return fmt::format("{} {}", digits, currency);
}

std::string cost_of(double cost, const std::string& currency, std::string_view key) {
  return std::isfinite(cost) ? money(cost, currency) : fmt::format("no price is given (economics.{})", key);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> cost_lines(const FinishedRun& run, UnitStyle style) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (!run.statistics.costs) return lines;
  const CostMeter& costs = *run.statistics.costs;
  const Costs of_run = costs_of(costs);
  const std::string& currency = costs.economics().tariff.currency;
  const auto show = [&](double value, std::string_view unit) { return format_quantity(value, unit, style); };
  const auto per_kwh = [&](double value, std::string_view unit) {
    constexpr double joules_per_kwh = 3.6e6;
    const double it_kwh = it_energy_j(run.plant, run.metered_state()) / joules_per_kwh;
    return it_kwh > 0.0 ? fmt::format("{:.4f} {}/kWh of IT energy", value / it_kwh, unit) : std::string("n/a");
  };
  if (costs.bill()) {
    const Bill& bill = *costs.bill();
    lines.emplace_back("utility energy", money(of_run.energy, currency));
    if (!bill.tariff().demand.empty())
      lines.emplace_back(
          "demand",
          fmt::format("{} of {} for whole months, utility peak demand {}, at {}", money(of_run.demand, currency),
                      money(bill.demand_cost_of_whole_months(), currency), show(bill.peak_demand_w(), "W"),
                      instant_text(run.scenario.start, bill.peak_demand_at_s())));
    if (of_run.fixed > 0.0) lines.emplace_back("fixed", money(of_run.fixed, currency));
  }
  const double generator_j = costs.generator_j(), water_m3 = costs.water_m3();
  if (generator_j > 0.0)
    lines.emplace_back("fuel", fmt::format("{}, for {} of {}", cost_of(of_run.fuel, currency, "generator_energy_price"),
                                           show(generator_j, "J"), standby_text()));
  if (costs.has_prices() && water_m3 > 0.0) lines.emplace_back("water", cost_of(of_run.water, currency, "water_price"));
  for (const SiteCostRow& row : site_cost_rows(costs.economics().site, of_run.site))
    lines.emplace_back(row.name, money(row.cost, currency));
  const std::string without = of_run.without_price(generator_j, water_m3);
  if (costs.has_prices())
    lines.emplace_back("in all",
                       fmt::format("{}, {}{}", money(of_run.total(), currency), per_kwh(of_run.total(), currency),
                                   without.empty() ? "" : "; without " + without + ": no price is given"));
  if (const auto by_unit = unit_costs(run)) {
    constexpr double seconds_per_hour = 3600.0;
    lines.emplace_back("per GPU hour", fmt::format("{:.4f} {}", by_unit->per_gpu_s * seconds_per_hour, currency));
    if (by_unit->tokens)
      lines.emplace_back("per million tokens", fmt::format("{:.4f} {}, for {:.4g} million", by_unit->per_million_tokens,
                                                           currency, *by_unit->tokens / 1e6));
    if (by_unit->failed_gpu_s.value_or(0.0) > 0.0)
      lines.emplace_back("failures",
                         fmt::format("{}: {:.1f} GPU h of stopped jobs and of lost work",
                                     money(by_unit->failures, currency), *by_unit->failed_gpu_s / seconds_per_hour));
  }
  const bool leaves_out_generators = generator_j > 0.0 && !costs.has_generator_carbon();
  if (costs.economics().has_carbon)
    lines.emplace_back(
        "carbon",
        fmt::format(
            "{}, {}{}", show(costs.carbon_kg(), "kg"), per_kwh(costs.carbon_kg(), "kg"),
            leaves_out_generators ? "; only for the utility: economics.generator_carbon_intensity is not given" : ""));
  return lines;
}

}  // namespace wattloop::twin
