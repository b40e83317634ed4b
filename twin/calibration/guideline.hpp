// Scores of a calibrated model beside the limits of [ashrae_guideline14] for whole-building simulation: CV(RMSE) 30 % and NMBE 10 % of hourly
// values, 15 % and 5 % of monthly ones.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "twin/comparison/model_score.hpp"
#include "twin/comparison/overlay.hpp"

namespace wattloop::twin {

struct GuidelineVerdict {
  std::string values{};  ///< "hourly", "monthly"; "of 15 s": shorter than the guideline asks for, held to hourly limits
  ModelScore score{};
  double most_cv_rmse_ratio = 0.0, most_nmbe_ratio = 0.0;
  bool holds() const;  ///< false, too, where there is no score
};

/// Of intervals as they are where they are shorter than an hour, of whole hours where there are two at least, of whole months of the calendar
/// likewise. `start_iso`: the date of simulated zero.
std::vector<GuidelineVerdict> guideline_verdicts(std::span<const OverlayInterval> intervals,
                                                 const std::string& start_iso);

}  // namespace wattloop::twin
