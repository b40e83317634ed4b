// Settings that follow a measured file: whichever part they are of.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/state/followed_series.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

struct FollowedSetting {
  std::size_t input = 0;
  std::string name;
  std::string_view unit;
  const FollowedSeries* series = nullptr;  ///< of the scenario, which must outlive this
};

/// Gives them what holds now. Where a temporary event hides a setting it is what that goes back to.
void follow_files(std::span<const FollowedSetting> settings, PlantState& state);

/// When the first of them changes after now; infinity where none will.
double next_change_s(std::span<const FollowedSetting> settings, double time_s);

/// What `check` asks for: heat at its largest in the run, all else as at its begin.
void follow_worst(std::span<const FollowedSetting> settings, double duration_s, PlantState& state);

/// That, in words for people; nothing where there are none.
std::vector<std::string> followed_notes(std::span<const FollowedSetting> settings);

}  // namespace wattloop::twin
