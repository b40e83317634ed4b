#include "twin/run/cost_meter.hpp"

#include <utility>

#include "twin/plant/moment.hpp"

namespace wattloop::twin {

CostMeter::CostMeter(const Plant& plant, const Scenario& scenario) : plant_(&plant), economics_(scenario.economics) {
  if (economics_.has_tariff) bill_.emplace(economics_.tariff, scenario.start);
}

void CostMeter::integrate(const Evaluation& evaluation, double duration_s) {
  for (std::size_t source = 0; source < evaluation.power.source_w.size(); ++source) {
    double& sum_j = plant_->power_tree.source_is_standby[source] != 0 ? standby_j_ : utility_j_;
    sum_j += duration_s * evaluation.power.source_w[source];
  }
  const std::size_t water = plant_->meters.make_up_water;
  if (water != no_part) water_m3_ += twin::water_m3(duration_s * evaluation.sinks[water]);
}

bool CostMeter::has_prices() const {
  return bill_ || economics_.water_per_m3 > 0.0 || economics_.standby_energy_per_j > 0.0;
}

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
  if (bill_) bill_->add(seen_s_, state.time_s, utility_j_);
  carbon_kg_ +=
      utility_j_ * carbon_kg_per_j(0.5 * (seen_s_ + state.time_s)) + standby_j_ * economics_.standby_carbon_kg_per_j;
  utility_sum_j_ += utility_j_;
  standby_sum_j_ += standby_j_;
  utility_j_ = standby_j_ = 0.0;
  seen_s_ = state.time_s;
}

}  // namespace wattloop::twin
