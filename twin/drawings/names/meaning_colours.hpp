// Colours that mean the same in every picture, chart and lane; pictures take theirs from here (viz/drawing/drawing.hpp). Colour-blind readers
// can distinguish them [okabe2008].
#pragma once

#include <array>

namespace wattloop::twin::meaning {

inline constexpr const char *facility_power = "#1f2933", *it_power = "#0072b2", *cooling_power = "#009e73",
                            *electrical_loss = "#999999", *battery = "#e69f00", *hottest_die = "#d55e00",
                            *mean_die = "#e69f00", *throttled = "#aa5591", *down = "#1f2933";

/// Of jobs, nodes of all other jobs, and nodes without one: six of [okabe2008] without the purple of what is throttled, and a dark blue.
inline constexpr std::array<const char*, 7> jobs{"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                                 "#56b4e9", "#f0e442", "#332288"};
inline constexpr const char *other_jobs = "#5f6b76", *no_job = "#dfe3e8";

}  // namespace wattloop::twin::meaning
