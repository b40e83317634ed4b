// The energy balance of a run, metered at both ends: what the feed delivered, what left for the sky, what is stored. What does not add
// up is set against the largest of what moved, so that a hall on its batteries is judged like one on its feeds.
#pragma once

#include <optional>
#include <string_view>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Energy held in a plant: recomputed from states, not metered.
struct StoredEnergy {
  double heat_j = 0.0;     ///< in nodes and units, from absolute zero
  double battery_j = 0.0;  ///< those of UPS modules that are out included

  double total_j() const { return heat_j + battery_j; }
  bool operator==(const StoredEnergy&) const = default;
};

StoredEnergy stored_energy(const Plant& plant, const PlantState& state);

/// An energy, and what it is.
struct NamedEnergy {
  double energy_j = 0.0;
  std::string_view text;
};

struct EnergyBalance {
  double feed_j = 0.0;       ///< metered at utility feeds and generators
  double rejected_j = 0.0;   ///< metered at facility water, door water and outdoors
  StoredEnergy stored = {};  ///< end less start, recomputed from the states
  double rounding_j = 0.0;   ///< of sums of what is stored, counted from absolute zero

  double stored_j() const { return stored.total_j(); }
  double residual_j() const { return feed_j - rejected_j - stored_j(); }

  /// The largest of energy in, energy out, heat and charge moved in storage: none of them negative.
  NamedEnergy largest() const;

  /// What does not add up, over the largest; what rounding explains stays below all limits.
  double residual_ratio() const;
};

/// Heat that left with the air outside and with water from outside, as meters say, J.
double rejected_j(const Plant& plant, const PlantState& state);

EnergyBalance energy_balance(const Plant& plant, const PlantState& state, const StoredEnergy& initial);

inline constexpr double noticeable_residual_ratio = 1e-6;  ///< from here on a run says that its balance does not close
inline constexpr double largest_residual_ratio = 1e-3;     ///< from here on its results are not to be trusted

/// What a run that ended then has to say of its balance; nothing where it closes.
std::optional<EventRecord> residual_event(const EnergyBalance& balance, double time_s);

}  // namespace wattloop::twin
