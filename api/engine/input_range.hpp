// What an input of a hall may be set to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::engine {

/// As a scenario has it: "0.9", "309.15 K".
std::string number_text(double value, std::string_view unit);

/// Throws InputError for a number, SI, that no event may set the input to, with what it may be set to. `asked`: as the caller wrote it.
void demand_in_range(const twin::SettingPart& setting, double value, std::string_view asked,
                     const twin::PlantState& now);

/// The same of a text. The reader of scenarios refuses texts that are no number with a unit that fits.
void demand_in_range(const twin::SettingPart& setting, std::string_view text, const twin::PlantState& now);

/// For a name that is no input: the nearest input, else all inputs of the part that is named, else the parts that have any.
std::string input_hint(std::string_view input, const std::vector<std::string>& names);

}  // namespace wattloop::engine
