// What a run costs and emits: energy of feeds by their tariff, of what stands by by its fuel, water, the cluster by the month, carbon by the hour.
//
// Powers are those of intervals between instants; an interval over the end of an hour is split there, evenly. Carbon of utility energy is that of
// the middle of an interval.
#pragma once

#include <optional>

#include "twin/economics/bill.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/run/meters/source_energy.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// A value, which may be copied with a checkpoint.
class CostMeter {
 public:
  CostMeter(const Plant& plant, const Scenario& scenario);

  /// Powers that hold for `duration_s` of the interval that is going on.
  void integrate(const Evaluation& evaluation, double duration_s);
  /// The interval ends.
  void observe(const PlantState& state);

  const EconomicsSpec& economics() const { return economics_; }
  /// None without a tariff.
  const std::optional<Bill>& bill() const { return bill_; }
  bool has_prices() const;
  /// Capital, lease, staff from one instant to another.
  SiteCosts site_costs(double from_s, double to_s) const;
  SiteCosts site_costs() const { return site_costs(0.0, seen_s_); }
  double seen_s() const { return seen_s_; }
  double generator_j() const { return generator_j_; }
  double carbon_kg() const { return carbon_kg_; }
  /// Whether carbon counts what generators give.
  bool has_generator_carbon() const;
  double water_m3() const { return water_m3_; }
  /// Of the tariff's currency; not a number where no price is given.
  double fuel_cost(double generator_j) const;
  double water_cost(double water_m3) const;

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(is_first_, seen_s_, interval_.utility_j, interval_.generator_j, generator_j_, carbon_kg_, water_m3_);
    if (bill_) bill_->keep(archive);
  }

 private:
  double carbon_kg_per_j(double time_s) const;

  const Plant* plant_;
  EconomicsSpec economics_;
  LocalClock clock_;
  std::optional<Bill> bill_;
  bool is_first_ = true;
  double seen_s_ = 0.0;
  SourceEnergy interval_;
  double generator_j_ = 0.0, carbon_kg_ = 0.0, water_m3_ = 0.0;
};

}  // namespace wattloop::twin
