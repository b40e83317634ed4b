// Coolant, water and air with a set-point. A run counts for how long the set-point was not met.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/parts/part_columns.hpp"
#include "core/units/units.hpp"
#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

struct ControlledPlace {
  std::string name;  ///< "facility", "room_1"
  std::string text;  ///< "facility water", "air of room_1"
  std::size_t node = 0;
  std::size_t set_point_input = 0;
  bool may_be_colder = false;  ///< coils without a valve: with little heat they cool below the set-point
};

/// How near a place came to its set-point since that was last moved.
struct Approach {
  double asked_k = std::numeric_limits<double>::quiet_NaN();    ///< the set-point now
  double reached_k = std::numeric_limits<double>::quiet_NaN();  ///< the nearest temperature since then
  double moved_to_k = std::numeric_limits<double>::quiet_NaN();
  double distance_k = std::numeric_limits<double>::infinity();

  void add(double set_point_k, double temperature_k);
  bool is_reached() const;
};

/// On one side of a set-point: for how long by more than its tolerance, and by how much at most.
struct OffSetPoint {
  double time_s = 0.0;
  double most_k = 0.0;
  bool is_off = false;  ///< at the last instant

  /// `since_s`: from the last instant to now, at which the temperature is that far beyond.
  void add(double beyond_k, double since_s);
};

/// "facility water: 56.00 degC asked, 43.80 degC reached; ...": places that did not come to their set-point; empty where all did.
std::string unreached_text(const std::vector<ControlledPlace>& places, const std::vector<Approach>& approaches,
                           UnitStyle style);

/// Supplies of the systems of the hall's own, and rooms with air handlers.
std::vector<ControlledPlace> controlled_places(const Plant& plant);

}  // namespace wattloop::twin
