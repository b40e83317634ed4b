// Water that comes to coils, those of rear doors and of air handlers: chilled waters, and what comes to doors from outside. Doors and
// air handlers name it in `on:`; where there is one, it is that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twin/scenario/specs/cooling_spec.hpp"

namespace wattloop::twin {

/// Written in `on:` of doors beside chilled waters that they do not hang on.
inline constexpr const char* water_from_outside = "outside";

struct CoilWater {
  std::string name = {};                    ///< of its system; from outside: that of the doors that it comes to
  const ChilledWaterSpec* plant = nullptr;  ///< none: from outside, at a given temperature
  std::string said_by = {};                 ///< its set-point: itself, or doors on it
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
