// The set-point of water that comes to coils is said once: by the chilled water, or by doors that hang on it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

/// Doors that say a set-point for water that has one of its own, or of which others have said it.
void check_said_once(const Node& root, const CoolingSpec& cooling, const CoilWater& water, Problems& problems) {
  for (const DoorsSpec& doors : cooling.doors) {
    const auto on = coil_water_of(cooling, doors);
    if (!on || on->name != water.name || doors.name == water.said_by || !std::isfinite(doors.supply_k)) continue;
    const FilePath of_doors = inside(doors.path, {"supply_temperature"});
    const bool is_its_own = water.said_by == water.name;
    const FilePath &at = is_its_own ? water.path : of_doors, &other = is_its_own ? of_doors : water.path;
    const Node& here = mention_of(root, at);
    const bool is_one = doors.name == "rear_doors" && water.name == "chilled_water";
    problems.add(problem_at(here,
                            is_one
                                ? "supply_temperature of the chilled water is given, but the rear doors give it already"
                                : fmt::format("supply_temperature of the {} is given twice", words_for(*water.plant)),
                            fmt::format("keep only {}, which is in {}", fmt::join(other, "."),
                                        other_place(mention_of(root, other).place, here.place))));
  }
}

}  // namespace

void check_coil_set_points(const Node& root, const CoolingSpec& cooling, Problems& problems) {
  const bool is_any_lost = std::ranges::any_of(cooling.doors, [&](const DoorsSpec& doors) {
    return std::isfinite(doors.supply_k) && !coil_water_of(cooling, doors);  // the check of their `on` reports it
  });
  for (const CoilWater& water : coil_waters(cooling)) {
    const Node& here = mention_of(root, water.path);
    if (std::isfinite(water.supply_k)) {
      check_said_once(root, cooling, water, problems);
    } else if (water.plant != nullptr) {
      if (is_any_lost) continue;
      problems.add(problem_at(here, words_for(*water.plant) + " has no supply_temperature",
                              cooling.doors.empty()
                                  ? "write supply_temperature for the chillers, because no rear doors give it"
                                  : "write supply_temperature for its chillers, or for rear doors on this water"));
    } else {
      problems.add(problem_at(here, fmt::format("the water of {} has no supply_temperature", water.name),
                              "write its supply_temperature: this water comes from outside at a given temperature"));
    }
  }
}

}  // namespace wattloop::twin
