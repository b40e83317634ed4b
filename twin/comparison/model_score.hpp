// How well a model agrees with what was measured, by the measures of [ashrae_guideline14]:
//
//   RMSE     = sqrt( sum (m - s)^2 / (n - 1) )
//   CV(RMSE) = RMSE / mean(m)
//   NMBE     = sum (m - s) / ((n - 1) mean(m))
//
// with n pairs of measured m and modelled s, and one parameter (p = 1) as the guideline has it for calibrated simulations. NMBE is negative
// where the model is too high.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace wattloop::twin {

struct ModelScore {
  std::size_t points = 0;
  double cv_rmse_ratio = 0.0, nmbe_ratio = 0.0;  ///< not a number where the measured mean is zero
  double rmse = 0.0;                             ///< in the unit of the values
  std::string reason;                            ///< why something is not a number
};

/// The score of modelled values; `measured` and `modelled` have the same length.
ModelScore model_score(std::span<const double> measured, std::span<const double> modelled);

}  // namespace wattloop::twin
