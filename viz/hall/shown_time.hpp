// Which moment of a run is shown, for pictures as for reports.
#pragma once

#include "twin/report/events/shown_time.hpp"

namespace wattloop::viz {

using twin::read_shown_time;
using twin::Shown;
using twin::ShownTime;
using twin::worst_time;

}  // namespace wattloop::viz
