// Water for the coils of rear doors and air handlers: chilled waters, and water from outside for doors. Doors and air handlers name
// their water in `on:`. Where there is only one water, they use it without `on:`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/scenario/specs/cooling_spec.hpp"

namespace wattloop::twin {

/// Written in `on:` of doors beside chilled waters that they do not hang on.
inline constexpr const char* water_from_outside = "outside";

struct CoilWater {
  std::string name = {};                    ///< of its system; water from outside has the name of its doors
  const ChilledWaterSpec* plant = nullptr;  ///< none: from outside, at a given temperature
  std::string said_by = {};                 ///< what gives its set-point: the water itself, or doors on it
  FilePath path = {};                       ///< where that is said
  double supply_k = required;
};

/// Chilled waters in the order of the file, then those of doors from outside.
std::vector<CoilWater> coil_waters(const CoolingSpec& cooling);

/// The chilled water of that name; nullptr where there is none.
const ChilledWaterSpec* find_chilled(const CoolingSpec& cooling, const std::string& name);

/// "chilled water", "water of cold".
std::string words_for(const ChilledWaterSpec& water);

/// What the chillers of a water are called together: "chillers", "cold.chillers".
std::string chillers_of(const std::string& water);

/// The water of doors and air handlers. None where their name matches none, or several.
std::optional<CoilWater> coil_water_of(const CoolingSpec& cooling, const DoorsSpec& doors);
std::optional<CoilWater> coil_water_of(const CoolingSpec& cooling, const CrahsSpec& crahs);

/// Whether doors have water of a given temperature.
bool are_on_outside_water(const CoolingSpec& cooling, const DoorsSpec& doors);

/// Doors of racks that say `door` in their `on:`; empty: the only ones. nullptr where they have none.
const DoorsSpec* find_doors(const CoolingSpec& cooling, const std::string& door);

}  // namespace wattloop::twin
