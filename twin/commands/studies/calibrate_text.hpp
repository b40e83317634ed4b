// What a calibration found, for people and as JSON.
#pragma once

#include <string>

#include "twin/calibration/calibrate.hpp"

namespace wattloop::twin {

std::string calibration_text(const CalibrationPlan& plan, const Calibration& made);

/// "at_lower_bound": a word for JSON; and what it means, of parameter `j`.
std::string word_of(KnownParameter::Kind kind);
std::string meaning_of(const CalibrationPlan& plan, const Calibration& made, std::size_t j);

}  // namespace wattloop::twin
