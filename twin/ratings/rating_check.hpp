// What limits a hall when every node and switch draws its nameplate power: with nothing out, and with one thing out at a time. Ratings beside the
// loads that they must carry, limits of parts, set-points that are not met, racks without power: all are rows (twin/ratings/check_row.hpp), read from the
// steady state of the plant (twin/ratings/nameplate_hall.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/ratings/check_hour.hpp"
#include "twin/ratings/check_row.hpp"
#include "twin/ratings/limit_check.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

struct RatingCheck {
  bool has_steady_state = true;  ///< with nothing out; without it the rows are of power alone
  std::vector<CheckRow> rows;    ///< ranked
  std::vector<std::string> limits_not_compared =
      {};                               ///< outages in which no steady state was found: rows of limits leave them out
  std::vector<std::string> notes = {};  ///< sentences: correct results that may be unexpected
  std::vector<std::string> warnings;    ///< sentences: one for each limit that is not met, and warnings without a row
  std::vector<std::string> other_warnings = {};  ///< the warnings without a row
  std::optional<double> dry_bulb_k = {};  ///< outside, for all rows; none where no part of the hall depends on it
  std::optional<double>
      wet_bulb_k;  ///< the same, where water evaporates; each the highest of the run, perhaps of other hours
  std::optional<double> lowest_dry_bulb_k = {};  ///< of the run, for rows of the coldest hour
  std::vector<CheckHour> hours = {};             ///< with nothing out: the warmest and the coldest
  std::vector<std::string> modes = {};  ///< of economisers in that air, with nothing out: "economiser: partial"
};

/// Finds the steady state of the hall for everything that may be out.
RatingCheck check_ratings(const Scenario& scenario);

/// What limits leave out, in a sentence: the outages, and why. Empty where they leave out nothing.
std::string limits_not_compared_text(const RatingCheck& check);

}  // namespace wattloop::twin
