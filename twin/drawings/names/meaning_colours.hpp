// Colours that mean the same in every picture, chart and lane; those of `viz` are the same (tests/views/colour_map.cpp). BoxLine apart by
// colour-blind readers [okabe2008].
#pragma once

namespace wattloop::twin::meaning {

inline constexpr const char *facility_power = "#1f2933", *it_power = "#0072b2", *cooling_power = "#009e73",
                            *electrical_loss = "#999999", *battery = "#e69f00", *hottest_die = "#d55e00",
                            *mean_die = "#e69f00", *throttled = "#aa5591", *down = "#1f2933";

}  // namespace wattloop::twin::meaning
