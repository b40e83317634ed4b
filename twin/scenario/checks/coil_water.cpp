#include "twin/scenario/checks/coil_water.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {

bool are_on(const CoolingSpec& cooling, const DoorsSpec& doors, const ChilledWaterSpec& water) {
  return doors.on.empty() ? cooling.chilled_water.size() == 1 : doors.on == water.name;
}

template <class Spec>
FilePath supply_path(const Spec& spec) {
  FilePath path = spec.path;
  path.emplace_back("supply_temperature");
  return path;
}

/// With the set-point that it says itself, else that of the first doors on it that say one.
CoilWater made_water(const CoolingSpec& cooling, const ChilledWaterSpec& water) {
  CoilWater coil{water.name, &water, water.name, supply_path(water), water.supply_k};
  for (const DoorsSpec& doors : cooling.doors) {
    if (std::isfinite(coil.supply_k) || !are_on(cooling, doors, water) || !std::isfinite(doors.supply_k)) continue;
    coil.said_by = doors.name;
    coil.path = supply_path(doors);
    coil.supply_k = doors.supply_k;
  }
  return coil;
}

std::optional<CoilWater> water_named(const std::vector<CoilWater>& waters, const std::string& name) {
  if (name.empty()) return waters.size() == 1 ? std::optional(waters.front()) : std::nullopt;
  const auto found = std::ranges::find(waters, name, &CoilWater::name);
  return found == waters.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

const ChilledWaterSpec* find_chilled(const CoolingSpec& cooling, const std::string& name) {
  const auto found = std::ranges::find(cooling.chilled_water, name, &ChilledWaterSpec::name);
  return found == cooling.chilled_water.end() ? nullptr : &*found;
}

std::string words_for(const ChilledWaterSpec& water) {
  return water.name == "chilled_water" ? "chilled water" : "water of " + water.name;
}

std::string chillers_of(const std::string& water) {
  return water == "chilled_water" ? "chillers" : water + ".chillers";
}

bool are_on_outside_water(const CoolingSpec& cooling, const DoorsSpec& doors) {
  return doors.on == water_from_outside || (doors.on.empty() && cooling.chilled_water.empty());
}

std::vector<CoilWater> coil_waters(const CoolingSpec& cooling) {
  std::vector<CoilWater> waters;
  for (const ChilledWaterSpec& water : cooling.chilled_water) waters.push_back(made_water(cooling, water));
  for (const DoorsSpec& doors : cooling.doors) {
    if (are_on_outside_water(cooling, doors))
      waters.push_back({doors.name, nullptr, doors.name, supply_path(doors), doors.supply_k});
  }
  return waters;
}

std::optional<CoilWater> coil_water_of(const CoolingSpec& cooling, const DoorsSpec& doors) {
  std::vector<CoilWater> waters = coil_waters(cooling);
  if (are_on_outside_water(cooling, doors)) return water_named(waters, doors.name);
  std::erase_if(waters, [](const CoilWater& water) { return water.plant == nullptr; });
  return water_named(waters, doors.on);
}

std::optional<CoilWater> coil_water_of(const CoolingSpec& cooling, const CrahsSpec& crahs) {
  return water_named(coil_waters(cooling), crahs.on);
}

const DoorsSpec* find_doors(const CoolingSpec& cooling, const std::string& door) {
  if (door.empty()) return cooling.doors.size() == 1 ? &cooling.doors.front() : nullptr;
  const auto found = std::ranges::find(cooling.doors, door, &DoorsSpec::name);
  return found == cooling.doors.end() ? nullptr : &*found;
}

}  // namespace wattloop::twin
