#include "twin/planning/events/followed_by_name.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/name_pattern.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

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

}  // namespace wattloop::twin
