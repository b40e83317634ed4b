// What a calibration found, as JSON.
#pragma once

#include <string>

#include "twin/calibration/calibrate.hpp"

namespace wattloop::twin {

std::string calibration_json(const CalibrationPlan& plan, const Calibration& made);

}  // namespace wattloop::twin
