// Which moment of a run is shown, for pictures as for reports.
#pragma once

#include "twin/report/moment.hpp"

namespace wattloop::viz {

using twin::read_moment;
using twin::Shown;
using twin::ShownMoment;
using twin::worst_moment;

}  // namespace wattloop::viz
