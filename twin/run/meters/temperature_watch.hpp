// Ends a run whose equations have left all that they hold for.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "twin/simulation/simulation.hpp"

namespace wattloop::twin {

/// Coolant, water, air and dies between these; beyond, coolant is ice or steam, and parts are gone.
inline constexpr double coldest_plausible_k = 213.15, hottest_plausible_k = 473.15;

/// Looks at the hottest and the coolest die of every rack at all instants, at all else but single units every 5 s, at these every
/// 10 min and at all in the end. Throws SolverError with the part and
/// the time where a temperature is no number or beyond.
class TemperatureWatch final : public Observer {
 public:
  TemperatureWatch(const Plant& plant, double end_s);
  void observe(const PlantState& state, const Evaluation& evaluation) override;
  bool looks_at_units(double time_s) const override;
  bool looks_at_powers() const override { return false; }

  /// What it remembers, as `Statistics::keep`.
  template <class Archive>
  void keep(Archive& archive) {
    archive(last_s_);
  }

 private:
  void look_at_dies(const PlantState& state, std::span<const RackDigest> racks) const;
  void look(std::span<const std::size_t> slots, const PlantState& state) const;

  const Plant& plant_;
  double end_s_;
  double last_s_ = -std::numeric_limits<double>::infinity();  ///< when it looked at all but single units
  std::vector<std::size_t> of_plant_, of_units_;              ///< states in K
};

}  // namespace wattloop::twin
