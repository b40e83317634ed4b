// Ratings against the loads they must carry when every node and switch draws its nameplate power: with nothing out, and
// with one thing out at a time. Loads are read from the steady state of the plant (twin/ratings/nameplate_hall.hpp).
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/endurance.hpp"
#include "twin/ratings/limit_check.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// A rating and its load.
struct Rating {
  static constexpr double rounding = 1e-6;
  std::string equipment;   ///< "cdu_2 of 12": of those alike the fullest
  std::string must_carry;  ///< "heat of the racks of its loop"
  double rating = 0.0;
  double load = 0.0;
  std::string_view unit;              ///< of both, SI
  std::string out = "nothing";        ///< "cdu_1"
  double trips_after_s = for_ever_s;  ///< of a rested part, at that load

  /// A machine with its fans at full speed carries just what it can.
  bool is_enough() const { return rating * (1.0 + rounding) >= load && trips_after_s == for_ever_s; }
  /// What is left of the rating; negative where it is too small, infinitely so where there is none.
  double margin_fraction() const {
    const double left = rating - load;
    return std::abs(left) > rounding * rating ? left / rating : 0.0;
  }
};

struct RatingCheck {
  std::vector<Rating> ratings;      ///< from the node outwards; empty where the hall finds no rest at nameplate load
  std::vector<LimitMargin> limits;  ///< of temperatures; the same
  std::vector<std::string> limits_not_compared =
      {};                                 ///< outages in which no rest was found: `limits` knows nothing of them
  std::vector<std::string> notes = {};    ///< sentences: what is no mistake, and might surprise
  std::vector<std::string> warnings;      ///< sentences: ratings that are too small, and what is not held
  std::optional<double> dry_bulb_k = {};  ///< outside, for all of it; none where no part of the hall feels it
  std::optional<double>
      wet_bulb_k;  ///< the same, where water evaporates; each the highest of the run, perhaps of other hours
  std::vector<std::string> modes = {};  ///< of economisers then, with nothing out: "economiser: partial"
};

/// Finds the steady state of the hall for everything that may be out.
RatingCheck check_ratings(const Scenario& scenario);

/// One sentence for a rating that is too small: the equipment and what it must carry.
std::string warning_text(const Rating& rating);

/// What `limits` leaves out, in a sentence: the outages, and why. Empty where it leaves out nothing.
std::string limits_not_compared_text(const RatingCheck& check);

/// A table for people.
std::string rating_table(const std::vector<Rating>& ratings);

}  // namespace wattloop::twin
