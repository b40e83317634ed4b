// What a run is judged by: peaks, means and margins over all instants, gathered while it runs.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "twin/simulation.hpp"

namespace wattloop::twin {

/// Smallest and largest value of a quantity, when and (as an index) where.
struct Extremes {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double highest_at_s = 0.0;
  std::size_t highest_item = 0;

  void add(double value, double time_s, std::size_t item = 0);
};

class Statistics final : public Observer {
 public:
  explicit Statistics(const Plant& plant) : plant_(plant) {}
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  bool looks_at_units(double) const override { return false; }

  Extremes facility_w;
  Extremes node_w;            ///< all nodes together
  Extremes die_k;             ///< item: GPU
  Extremes supply_k;          ///< item: loop; temperature in the supply header
  Extremes supply_error_k;    ///< item: CDU; outlet temperature above its set-point
  Extremes return_k;          ///< item: loop
  Extremes room_k;
  Extremes branch_loading;    ///< item: branch of the power tree
  std::size_t most_throttled = 0;

 private:
  const Plant& plant_;
};

}  // namespace wattloop::twin
