// Ratings against the loads they must carry when every node draws its nameplate power: with one unit lost
// where there are several, with one side lost where there are two.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/scenario.hpp"

namespace wattloop::twin {

/// A rating and its load.
struct Rating {
  std::string equipment;   ///< "2 of 3 CDUs of a loop"
  std::string must_carry;  ///< "liquid heat of its racks"
  double rating = 0.0;
  double load = 0.0;
  std::string_view unit;  ///< of both, SI

  bool is_enough() const { return rating >= load; }
  /// What is left of the rating; negative where it is too small.
  double margin_fraction() const { return (rating - load) / rating; }
};

/// All ratings, from the node outwards.
std::vector<Rating> ratings(const Scenario& scenario);

/// One sentence for a rating that is too small: the equipment and what it must carry.
std::string warning_text(const Rating& rating);

/// A table for people.
std::string rating_table(const std::vector<Rating>& ratings);

}  // namespace wattloop::twin
