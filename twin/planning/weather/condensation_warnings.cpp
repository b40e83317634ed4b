#include "twin/planning/weather/condensation_warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "twin/actions/weather/condensation.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

double highest_dew_point_outside_k(const Outdoors& outdoors, double duration_s) {
  double highest_k = 0.0;
  for_each_sample(outdoors, duration_s,
                  [&](const physics::WeatherNow& now) { highest_k = std::max(highest_k, now.dew_point_k); });
  return highest_k;
}

double dew_point_k(const HumiditySpec& humidity, double outside_k) {
  return humidity.is_given ? humidity.dew_point_k : outside_k;
}

/// Racks in that room of the hall with doors of which `are_meant` holds.
bool has_doors(const Scenario& scenario, std::size_t room, const auto& are_meant) {
  const CoolingSpec& cooling = scenario.cooling;
  const auto stands_there = [&](const std::string& name) { return room_number(cooling, name) == room; };
  const auto has = [&](const RackHangsOn& on) {
    const DoorsSpec* doors = find_doors(cooling, on.door);
    return doors != nullptr && are_meant(*doors);
  };
  const NetworkSpec& network = scenario.network;
  const std::vector<std::string>& rooms = network.rooms.names;
  const bool has_network =
      network.is_given && (rooms.empty() ? cooling.rooms.size() == 1 : std::ranges::any_of(rooms, stands_there));
  return (has_network && has(network.on)) || std::ranges::any_of(scenario.racks, [&](const RacksSpec& racks) {
           return stands_there(racks.on.room) && has(racks.on);
         });
}

std::string words_of_coils(const RoomSpec& room, bool has_doors, bool has_handlers) {
  const std::string where = room.name.empty() ? "the hall" : room.name;
  if (has_doors && has_handlers) return "doors and air handlers of " + where;
  if (has_handlers) return "air handlers of " + where;
  return room.name.empty() ? "rear doors" : "rear doors of " + where;
}

}  // namespace

std::vector<std::string> condensation_warnings(const Scenario& scenario, const Outdoors& outdoors) {
  const CoolingSpec& cooling = scenario.cooling;
  const std::vector<CoilWater> waters = coil_waters(cooling);
  if (waters.empty()) return {};
  const double outside_k = highest_dew_point_outside_k(outdoors, scenario.duration_s);
  std::vector<std::string> warnings;
  const auto look_at_air = [&](const std::string& where, const HumiditySpec& humidity, const CrahsSpec* crahs) {
    if (crahs == nullptr || !crahs->is_given || !humidity.is_given || humidity.dew_point_k <= crahs->air_k) return;
    warnings.push_back(
        fmt::format("the dew point of {:.2f} degC in {} is above the set-point of its air, {:.2f} degC: air cannot "
                    "contain this much water, so the computed condensation on its coils is too high",
                    humidity.dew_point_k - 273.15, where, crahs->air_k - 273.15));
  };
  for (std::size_t number = 0; number < cooling.rooms.size(); ++number)
    look_at_air(cooling.rooms[number].name.empty() ? "the hall" : cooling.rooms[number].name,
                cooling.rooms[number].humidity, crahs_of(cooling, number));
  if (scenario.power.rooms.is_given)
    look_at_air("UPS rooms", scenario.power.rooms.room.humidity, &scenario.power.rooms.crahs);
  for (const CoilWater& water : waters) {
    const std::string on = waters.size() > 1 ? " on " + water.name : "";
    const auto look = [&](std::string_view where, const HumiditySpec& humidity) {
      const double dew_k = dew_point_k(humidity, outside_k);
      if (!is_too_cold_for_coils(water.supply_k, dew_k)) return;
      warnings.push_back(fmt::format("{}{} may drip: {}", where, on,
                                     condensation_text("water of", water.supply_k, dew_k, humidity.is_given)));
    };
    const auto is_here = [&](const auto& coils) { return coil_water_of(cooling, coils)->name == water.name; };
    for (std::size_t number = 0; number < cooling.rooms.size(); ++number) {
      const RoomSpec& room = cooling.rooms[number];
      const CrahsSpec* crahs = crahs_of(cooling, number);
      const bool with_doors = has_doors(scenario, number, is_here), with_handlers = crahs != nullptr && is_here(*crahs);
      if (with_doors || with_handlers) look(words_of_coils(room, with_doors, with_handlers), room.humidity);
    }
    if (scenario.power.rooms.is_given && is_here(scenario.power.rooms.crahs))
      look("air handlers of the UPS rooms", scenario.power.rooms.room.humidity);
  }
  return warnings;
}

}  // namespace wattloop::twin
