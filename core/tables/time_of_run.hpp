// Moments of a run as people read them.
#pragma once

#include <string>

namespace wattloop {

/// A moment to the second: "14 h 0 min 10 s", "85 d 11 h 5 min", "14 h"; before an hour, and what is no number, as durations are written.
std::string time_of_run(double time_s);

}  // namespace wattloop
