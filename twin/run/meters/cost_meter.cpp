#include "twin/run/meters/cost_meter.hpp"

#include <cmath>
#include <utility>

#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

CostMeter::CostMeter(const Plant& plant, const Scenario& scenario)
    : plant_(&plant), economics_(scenario.economics), clock_(scenario.start) {
  if (economics_.has_tariff) bill_.emplace(economics_.tariff, scenario.start);
}

void CostMeter::integrate(const Evaluation& evaluation, double duration_s) {
  interval_.add(*plant_, evaluation, duration_s);
  const std::size_t water = plant_->meters.make_up_water;
  if (water != no_part) water_m3_ += twin::water_m3(duration_s * evaluation.sinks[water]);
}

bool CostMeter::has_prices() const {
  return bill_ || economics_.water_per_m3 > 0.0 || economics_.standby_energy_per_j > 0.0 || economics_.site.is_any();
}

SiteCosts CostMeter::site_costs(double from_s, double to_s) const {
  return costs_of(economics_.site, months_between(clock_, from_s, to_s));
}

double CostMeter::fuel_cost(double generator_j) const { return generator_j * economics_.standby_energy_per_j; }

double CostMeter::water_cost(double water_m3) const { return water_m3 * economics_.water_per_m3; }

bool CostMeter::has_generator_carbon() const { return std::isfinite(economics_.standby_carbon_kg_per_j); }

double CostMeter::carbon_kg_per_j(double time_s) const {
  return economics_.carbon_followed.empty() ? economics_.carbon_kg_per_j
                                            : economics_.carbon_followed.front().series.at(time_s);
}

void CostMeter::observe(const PlantState& state) {
  if (std::exchange(is_first_, false)) {
    seen_s_ = state.time_s;
    return;
  }
  if (state.time_s <= seen_s_) return;
  if (bill_) bill_->add(seen_s_, state.time_s, interval_.utility_j);
  carbon_kg_ += interval_.utility_j * carbon_kg_per_j(0.5 * (seen_s_ + state.time_s));
  if (has_generator_carbon()) carbon_kg_ += interval_.generator_j * economics_.standby_carbon_kg_per_j;
  generator_j_ += interval_.generator_j;
  interval_ = {};
  seen_s_ = state.time_s;
}

}  // namespace wattloop::twin
