// Control sequences: which setting each of them sets.

#include <algorithm>

#include <fmt/format.h>

#include "core/parts/fault_setting.hpp"
#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/build/templates/templates.hpp"
#include "twin/parts/sequence_catalog.hpp"

namespace wattloop::twin {

namespace {

constexpr double mild_k = 288.15, coldest_k = 213.15, hottest_k = 323.15;
constexpr double freezing_k = 273.15, boiling_k = 373.15;

void add_sequence(Diagram& diagram, const SequenceSpec& spec, Problems& problems) {
  const auto refuse = [&](std::string message, std::string hint) {
    problems.add({spec.mention.place, std::move(message), std::move(hint), spec.mention.excerpt});
  };
  std::vector<SettingPart> settings = diagram.settings;
  std::erase_if(settings, [](const SettingPart& known) {
    return is_fault(known.name) || known.name == dry_bulb_setting || known.name == wet_bulb_setting;
  });
  const auto setting = std::ranges::find(settings, spec.setting, &SettingPart::name);
  if (setting == settings.end()) {
    std::vector<std::string> names;
    for (const SettingPart& known : settings) names.push_back(known.name);
    refuse(fmt::format("this hall has no setting '{}'", spec.setting), nearest_hint(spec.setting, names));
    return;
  }
  const SequenceKind& kind = *find_sequence_kind(spec.kind);
  if (setting->unit != kind.unit) {
    refuse(fmt::format("{} is in {}, but a {} sets a value in {}", spec.setting, setting->unit, kind.name, kind.unit),
           {});
    return;
  }
  const auto taken = std::ranges::find(diagram.sequences, setting->input, &PlannedSequence::input);
  if (taken != diagram.sequences.end()) {
    refuse(fmt::format("{} sets {} already", taken->name, spec.setting), "write one sequence for each setting");
    return;
  }
  for (const double outside_k : {coldest_k, hottest_k}) {
    const double value = kind.setting(spec.params, {outside_k, outside_k});
    if (kind.unit != "K" || (value > freezing_k && value < boiling_k)) continue;
    refuse(fmt::format("{} would set {} to {}: water is ice or steam at this temperature", spec.name, spec.setting,
                       format_quantity(value, "K")),
           "write limits between 0 and 100 degC");
    return;
  }
  declare_weather(diagram, mild_k);
  diagram.sequences.push_back({spec.name, spec.setting, static_cast<std::size_t>(&kind - sequence_kinds().data()),
                               spec.params, setting->input, setting->unit, spec.every_s, spec.deadband});
}

}  // namespace

void add_sequences(Diagram& diagram, const Scenario& scenario, Problems& problems) {
  for (const SequenceSpec& spec : scenario.sequences) {
    if (find_sequence_kind(spec.kind)->is_of_modes()) {
      add_economiser(diagram, scenario, spec, problems);
    } else {
      add_sequence(diagram, spec, problems);
    }
  }
}

}  // namespace wattloop::twin
