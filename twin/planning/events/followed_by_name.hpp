// Settings that follow a measured file, found by the names that a scenario gives them.
#pragma once

#include <span>
#include <vector>

#include "twin/actions/events/followed_settings.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Those of a scenario, in its order. Names that do not exist, units of another kind, and settings that something else sets for good,
/// too, go to `problems`.
std::vector<FollowedSetting> followed_settings(const Scenario& scenario, const Plant& plant, Problems& problems);

/// Events that a run of the scenario gets later, and that set a followed setting permanently, go to `problems`.
void check_later_events(const Scenario& scenario, const Plant& plant, std::span<const EventSpec> events,
                        Problems& problems);

}  // namespace wattloop::twin
