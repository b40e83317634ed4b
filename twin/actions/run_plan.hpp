// What happens in a run besides its work: weather, events, settings that follow files, and how it begins. Made of a scenario and its plant
// (twin/planning/run_planner.hpp). A run knows this plan, its plant and its work, and nothing of the scenario.
#pragma once

#include <optional>
#include <vector>

#include "twin/actions/events/followed_settings.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/actions/work/coupling.hpp"
#include "twin/plant/state/initial_state.hpp"

namespace wattloop::twin {

struct RunPlan {
  double duration_s = 0.0;
  InitialState initial = InitialState::settled;
  std::optional<double> warm_up_s;  ///< of `settled`; none: as long as the slowest water takes
  bool trips = true;                ///< overloaded equipment; else it carries its load
  NodeCouplings nodes;
  Outdoors outdoors;
  Outdoors outdoors_before_begin;  ///< of a warm-up
  std::vector<FollowedSetting> followed;
  std::vector<ScheduledEvent> events;
  std::vector<double> record_intervals_s;
};

}  // namespace wattloop::twin
