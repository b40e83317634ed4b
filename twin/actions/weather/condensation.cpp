#include "twin/actions/weather/condensation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding_k = 1e-6;  ///< water at the margin itself is warm enough

double highest_dew_point_outside_k(const Outdoors& outdoors, double duration_s) {
  double highest_k = 0.0;
  for_each_sample(outdoors, duration_s,
                  [&](const physics::WeatherNow& now) { highest_k = std::max(highest_k, now.dew_point_k); });
  return highest_k;
}

double dew_point_k(const HumiditySpec& humidity, double outside_k) {
  return humidity.is_given ? humidity.dew_point_k : outside_k;
}

bool is_too_cold(double water_k, double dew_point_k) {
  return water_k < dew_point_k + condensation_margin_k - rounding_k;
}

/// `water`: "water of", "water of cold at".
std::string finding(std::string_view water, double water_k, double dew_point_k, bool is_controlled) {
  return fmt::format(
      "{} {:.2f} degC is less than {:.0f} K above the dew point of {:.2f} degC{}", water, water_k - 273.15,
      condensation_margin_k, dew_point_k - 273.15,
      is_controlled ? "" : ", the dew point of the outdoor air, because the room has no humidity control");
}

const HumiditySpec& humidity_of_room(const Scenario& scenario, std::size_t room) {
  const std::vector<RoomSpec>& rooms = scenario.cooling.rooms;
  return room < rooms.size() ? rooms[room].humidity : scenario.power.rooms.room.humidity;
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

double node_now_k(const Plant& plant, const PlantState& state, std::size_t node) {
  const std::size_t signal = plant.nodes[node].temperature_signal;
  return plant.nodes[node].is_boundary() ? state.inputs[signal - plant.map.input(0)] : state.states[signal];
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
      if (!is_too_cold(water.supply_k, dew_k)) return;
      warnings.push_back(
          fmt::format("{}{} may drip: {}", where, on, finding("water of", water.supply_k, dew_k, humidity.is_given)));
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

namespace {

/// In words, beside a temperature; by name where a room has several.
std::string water_words(const Plant& plant, const RoomPart& room, std::size_t node) {
  if (room.coil_nodes.size() == 1) return "water of";
  return std::ranges::find(plant.systems, node, &SystemPart::supply_node)->fluid + " at";
}

/// Coils count with a dew point that follows from the weather or from control, not from a balance of vapour.
std::string over_saturated(double air_k, double dew_k) {
  return fmt::format(
      "air of {:.2f} degC cannot have the dew point of {:.2f} degC that is used for its coils: the computed "
      "condensation on them is too high",
      air_k - 273.15, dew_k - 273.15);
}

/// Calls `act` for every water of a room that is too cold now and was not reported before, and for rooms too cold for their dew point.
template <class Act>
void for_each_new_drip(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors, const PlantState& state,
                       const Act& act) {
  const double outside_k = weather_now(plant, outdoors, state, state.time_s).dew_point_k;
  constexpr double noticeable_k = 0.5;
  std::size_t coils = 0, rooms = state.equipment.is_dripping.size() - plant.rooms.size();  // stand behind all coils
  for (std::size_t number = 0; number < plant.rooms.size(); ++number) {
    const RoomPart& room = plant.rooms[number];
    const HumiditySpec& humidity = humidity_of_room(scenario, number);
    const double dew_k = dew_point_k(humidity, outside_k);
    for (const std::size_t node : room.coil_nodes) {
      const std::size_t here = coils++;
      const double water_k = node_now_k(plant, state, node);
      if (state.equipment.is_dripping[here] != 0 || !is_too_cold(water_k, dew_k)) continue;
      act(here, room, "condensation", finding(water_words(plant, room, node), water_k, dew_k, humidity.is_given));
    }
    const std::size_t here = rooms++;
    const double air_k = node_now_k(plant, state, room.node);
    const bool is_reported = room.coil_nodes.empty() || state.equipment.is_dripping[here] != 0;
    if (!is_reported && air_k < dew_k - noticeable_k) act(here, room, "out_of_range", over_saturated(air_k, dew_k));
  }
}

}  // namespace

std::vector<WaterAtCoils> waters_at_coils(const Plant& plant, const Scenario& scenario, double dew_point_outside_k,
                                          const PlantState& state) {
  std::vector<WaterAtCoils> waters;
  for (std::size_t number = 0; number < plant.rooms.size(); ++number) {
    const double dew_k = dew_point_k(humidity_of_room(scenario, number), dew_point_outside_k);
    for (const std::size_t node : plant.rooms[number].coil_nodes)
      waters.push_back({plant.rooms[number].name,
                        std::ranges::find(plant.systems, node, &SystemPart::supply_node)->fluid,
                        node_now_k(plant, state, node), dew_k + condensation_margin_k});
  }
  return waters;
}

void note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors, PlantState& state,
                       std::vector<EventRecord>& events) {
  for_each_new_drip(plant, scenario, outdoors, state,
                    [&](std::size_t reported, const RoomPart& room, const char* kind, std::string text) {
                      state.equipment.is_dripping[reported] = 1;
                      events.push_back({state.time_s, kind, room.name, std::move(text)});
                    });
}

bool would_note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors,
                             const PlantState& state) {
  bool would = false;
  for_each_new_drip(plant, scenario, outdoors, state,
                    [&](std::size_t, const RoomPart&, const char*, std::string_view) { would = true; });
  return would;
}

}  // namespace wattloop::twin
