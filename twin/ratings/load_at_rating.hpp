// What equipment carries at one moment beside its rating: read from the plant, whatever its models are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/ratings/check_row.hpp"
#include "twin/ratings/nameplate_hall.hpp"

namespace wattloop::twin {

struct LoadAtRating {
  std::string kind;        ///< "cdu", "room_1": those of a kind are compared, and the fullest is shown
  std::string equipment;   ///< "cdu_3 of 12"
  std::string must_carry;  ///< "heat of the racks of its loop"
  double load = 0.0;
  double rating = 0.0;
  std::string_view unit;                 ///< of both, SI
  int modules = 1;                       ///< that share the load in it, one of which may be out as far as anybody said
  electrical::OverloadLimit limit = {};  ///< of what is part of the power tree
  bool circles = false;                  ///< pumps that move their rating whatever is taken
  int sharing = 1;                       ///< machines at work that share the load
  std::string starved_by = {};  ///< "condenser water of 52.6 degC", where that leaves next to nothing of the rating

  double loading_fraction() const { return load / rating; }
};

/// All equipment of the hall whose rating is known. Ratings are those of `scenario`, whatever the plant present has.
std::vector<LoadAtRating> loads_at_rating(const Scenario& scenario, const PlantSnapshot& snapshot);

/// Whether a load of that kind is there at once, whatever temperatures are.
bool is_of_power(const LoadAtRating& load);

/// Rows of set-points that are not met, of voltages, and of racks without power.
std::vector<CheckRow> unmet_set_points(const PlantSnapshot& snapshot, const std::vector<RacksSpec>& racks);

/// Coolant and water colder than their set-points.
std::vector<CheckRow> low_set_points(const PlantSnapshot& snapshot);

}  // namespace wattloop::twin
