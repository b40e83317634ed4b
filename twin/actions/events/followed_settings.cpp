#include "twin/actions/events/followed_settings.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

bool is_heat(const FollowedSetting& setting) { return setting.unit == "W"; }

/// What a `set` event for good would be over with the next row of the file.
void refuse_events(std::span<const EventSpec> events, const FollowedSetting& setting, Problems& problems) {
  for (const EventSpec& event : events) {
    if (event.kind != EventSpec::Kind::set || event.for_s) continue;
    for (std::size_t t = 0; t < event.targets.size(); ++t) {
      if (!fits_pattern(setting.name, event.targets[t])) continue;
      const bool is_written = t < event.target_mentions.size();
      const Mention at = is_written ? event.target_mentions[t] : Mention{event.place, event.excerpt};
      problems.add({at.place, fmt::format("{} follows a file: an event cannot set it permanently", setting.name),
                    "write `for` to set it for a limited time", at.excerpt});
    }
  }
}

/// The same of a sequence.
void refuse_sequences(const Scenario& scenario, const FollowedSetting& setting, Problems& problems) {
  for (const SequenceSpec& sequence : scenario.sequences) {
    if (sequence.setting != setting.name) continue;
    problems.add({sequence.mention.place, fmt::format("{} follows a file, too", setting.name),
                  "write only one of the two", sequence.mention.excerpt});
  }
}

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

std::vector<FollowedSetting> followed_settings(const Scenario& scenario, const Plant& plant, Problems& problems) {
  std::vector<FollowedSetting> followed;
  NameIndex names;
  for (const SettingPart& setting : plant.settings) names.add(setting.name);
  for (const FollowSpec& spec : scenario.followed) {
    const auto refuse = [&](std::string message, std::string hint) {
      problems.add({spec.mention.place, std::move(message), std::move(hint), spec.mention.excerpt});
    };
    const std::vector<std::size_t> fits = names.fitting(spec.setting);
    if (fits.empty())
      refuse(fmt::format("this hall has no setting '{}'", spec.setting), names.hint(spec.setting, problems));
    for (const std::size_t k : fits) {
      const SettingPart& part = plant.settings[k];
      if (part.unit != spec.info.unit) {
        refuse(fmt::format("{} is in {}, but the column is in {}", part.name, unit_for_people(part.unit),
                           unit_for_people(spec.info.unit)),
               {});
        continue;
      }
      if (part.input == plant.outside.dry_bulb || part.input == plant.outside.wet_bulb) {
        refuse(fmt::format("{} follows a file under `weather`", part.name),
               "weather: { wet_bulb: { follow: { file: ..., column: ..., unit: degC } } }");
        continue;
      }
      if (std::ranges::find(followed, part.input, &FollowedSetting::input) != followed.end()) {
        refuse(fmt::format("{} follows another column already", part.name), "write one column for each setting");
        continue;
      }
      followed.push_back({part.input, part.name, part.unit, &spec.series});
      refuse_events(scenario.events, followed.back(), problems);
      refuse_sequences(scenario, followed.back(), problems);
    }
  }
  return followed;
}

void check_later_events(const Scenario& scenario, const Plant& plant, std::span<const EventSpec> events,
                        Problems& problems) {
  if (scenario.followed.empty()) return;
  Problems of_scenario;  // reported before
  for (const FollowedSetting& setting : followed_settings(scenario, plant, of_scenario))
    refuse_events(events, setting, problems);
}

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
