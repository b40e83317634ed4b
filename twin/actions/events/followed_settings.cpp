#include "twin/actions/events/followed_settings.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

bool is_heat(const FollowedSetting& setting) { return setting.unit == "W"; }

void give(const FollowedSetting& setting, double value, PlantState& state) {
  const auto course = std::ranges::find(state.equipment.courses, setting.input, &SettingCourse::input);
  if (course == state.equipment.courses.end()) {
    state.inputs[setting.input] = value;
    return;
  }
  course->lasting = {value, value, state.time_s, state.time_s};
  state.inputs[setting.input] = course->at(state.time_s);
}

}  // namespace

void follow_files(std::span<const FollowedSetting> settings, PlantState& state) {
  for (const FollowedSetting& setting : settings) give(setting, setting.series->held(state.time_s).value, state);
}

double next_change_s(std::span<const FollowedSetting> settings, double time_s) {
  double next_s = std::numeric_limits<double>::infinity();
  for (const FollowedSetting& setting : settings) next_s = std::min(next_s, setting.series->held(time_s).until_s);
  return next_s;
}

void follow_worst(std::span<const FollowedSetting> settings, double duration_s, PlantState& state) {
  for (const FollowedSetting& setting : settings) {
    state.inputs[setting.input] = is_heat(setting) ? setting.series->largest(duration_s) : setting.series->at(0.0);
  }
}

std::vector<std::string> followed_notes(std::span<const FollowedSetting> settings) {
  std::vector<std::string> notes;
  for (const bool heat : {true, false}) {
    std::vector<std::string_view> names;
    for (const FollowedSetting& setting : settings) {
      if (is_heat(setting) == heat) names.push_back(setting.name);
    }
    if (names.empty()) continue;
    const std::string more = names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "";
    notes.push_back(fmt::format("used with the values of their files {}: {}{}",
                                heat ? "at their highest in the run" : "at the start of the run", names.front(), more));
  }
  return notes;
}

}  // namespace wattloop::twin
