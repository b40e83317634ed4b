#include "twin/integration/core/sampled_losses.hpp"

#include <algorithm>

#include "twin/plant/snapshot/tree_sinks.hpp"

namespace wattloop::twin {

SampledLosses::SampledLosses(const Plant& plant, const SeamLayout& seam)
    : plant_(plant),
      seam_(seam),
      sinks_(tree_sinks(plant)),
      power_(electrical::make_power_flow(plant.power_tree)),
      loads_w_(plant.map.load_count),
      unit_w_(seam.sinks.size()),
      to_sinks_w_(sinks_.size()),
      missing_w_(sinks_.size()) {}

void SampledLosses::take_other_loads(const Evaluation& begin, UnitEnergy& units) const {
  units.other_loads_w.assign(begin.loads_w().begin(), begin.loads_w().end());
  for (const SeamStation& station : seam_.stations) {
    const std::size_t load = seam_.loads[station.load] - plant_.map.state_count;
    units.other_loads_w[load] -= begin.station_power_w[station.group][station.station];
  }
  units.recharge_w = begin.recharge_w;
}

void SampledLosses::evaluate(const UnitEnergy& units, std::span<const double> unit_w) {
  std::copy(units.other_loads_w.begin(), units.other_loads_w.end(), loads_w_.begin());
  for (std::size_t k = 0; k < seam_.loads.size(); ++k) {
    loads_w_[seam_.loads[k] - plant_.map.state_count] += unit_w[seam_.load_sinks[k]];
  }
  electrical::evaluate(plant_.power_tree, {loads_w_, units.recharge_w}, switches_, power_);
  tree_powers_w(plant_, power_, to_sinks_w_);
}

void SampledLosses::take_samples(UnitEnergy& units) {
  if (units.instants_s.size() == 2) {  // every step has the load of the one sample
    units.tree_j.clear();
    return;
  }
  units.tree_sink_count = sinks_.size();
  units.tree_j.resize(units.instants_s.size() * sinks_.size());
  std::fill_n(units.tree_j.begin(), sinks_.size(), 0.0);
  double* before_j = units.tree_j.data();
  for (std::size_t sample = 0; sample + 1 < units.instants_s.size(); ++sample) {
    units.sample_w(sample, unit_w_);
    evaluate(units, unit_w_);
    const double duration_s = units.instants_s[sample + 1] - units.instants_s[sample];
    double* after_j = before_j + sinks_.size();
    for (std::size_t k = 0; k < sinks_.size(); ++k) after_j[k] = before_j[k] + duration_s * to_sinks_w_[k];
    before_j = after_j;
  }
}

std::span<const double> SampledLosses::missing_w(const UnitEnergy& units, double from_s, double to_s,
                                                 std::span<const double> unit_w) {
  if (units.tree_j.empty()) {
    std::fill(missing_w_.begin(), missing_w_.end(), 0.0);
    return missing_w_;
  }
  units.mean_tree_w(from_s, to_s, missing_w_);
  evaluate(units, unit_w);
  for (std::size_t k = 0; k < sinks_.size(); ++k) missing_w_[k] -= to_sinks_w_[k];
  return missing_w_;
}

}  // namespace wattloop::twin
