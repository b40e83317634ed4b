#include "twin/actions/condensation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double rounding_k = 1e-6;  ///< water at the margin itself is warm enough

/// Weather is linear between its samples, so that its highest dew point is at one of them or at an end of the run.
double highest_dew_point_outside_k(const Outdoors& outdoors, double duration_s) {
  const physics::Weather& weather = outdoors.weather;
  const double end_s = outdoors.start_s + std::min(duration_s, weather.period_s());
  const auto dew_point_k = [&](double time_s) { return physics::weather_at(weather, time_s).dew_point_k; };
  double highest_k = std::max(dew_point_k(outdoors.start_s), dew_point_k(end_s));
  for (double k = std::ceil(outdoors.start_s / weather.step_s); k * weather.step_s < end_s; k += 1.0) {
    highest_k = std::max(highest_k, dew_point_k(k * weather.step_s));
  }
  return highest_k;
}

double dew_point_k(const HumiditySpec& humidity, double outside_k) {
  return humidity.is_given ? humidity.dew_point_k : outside_k;
}

bool is_too_cold(double water_k, double dew_point_k) {
  return water_k < dew_point_k + condensation_margin_k - rounding_k;
}

std::string finding(double water_k, double dew_point_k, bool is_controlled) {
  return fmt::format("water of {:.2f} degC is less than {:.0f} K above the dew point of {:.2f} degC{}",
                     water_k - 273.15, condensation_margin_k, dew_point_k - 273.15,
                     is_controlled ? "" : ", that of the air outside, since the room has no humidity control");
}

const HumiditySpec& humidity_of_room(const Scenario& scenario, std::size_t room) {
  const std::vector<RoomSpec>& rooms = scenario.cooling.rooms;
  return room < rooms.size() ? rooms[room].humidity : scenario.power.rooms.room.humidity;
}

/// Racks in that room of the hall that have doors.
bool has_doors(const Scenario& scenario, std::size_t room) {
  const auto stands_there = [&](const std::string& name) { return room_number(scenario.cooling, name) == room; };
  const NetworkSpec& network = scenario.network;
  const bool has_network =
      network.is_given && (network.rooms.names.empty() ? scenario.cooling.rooms.size() == 1
                                                       : std::ranges::any_of(network.rooms.names, stands_there));
  return scenario.cooling.doors.is_given &&
         (has_network || std::ranges::any_of(scenario.racks, [&](const RacksSpec& racks) {
            return racks.on.door != "none" && stands_there(racks.on.room);
          }));
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
  if (!scenario.cooling.has_chilled()) return {};
  const double water_k = scenario.cooling.chilled_supply_k();
  const double outside_k = highest_dew_point_outside_k(outdoors, scenario.duration_s);
  std::vector<std::string> warnings;
  const auto look = [&](std::string_view where, const HumiditySpec& humidity) {
    const double dew_k = dew_point_k(humidity, outside_k);
    if (!is_too_cold(water_k, dew_k)) return;
    warnings.push_back(fmt::format("{} may drip: {}", where, finding(water_k, dew_k, humidity.is_given)));
  };
  for (std::size_t number = 0; number < scenario.cooling.rooms.size(); ++number) {
    const RoomSpec& room = scenario.cooling.rooms[number];
    const bool with_doors = has_doors(scenario, number), with_handlers = crahs_of(scenario.cooling, number) != nullptr;
    if (with_doors || with_handlers) look(words_of_coils(room, with_doors, with_handlers), room.humidity);
  }
  if (scenario.power.rooms.is_given) look("air handlers of the UPS rooms", scenario.power.rooms.room.humidity);
  return warnings;
}

namespace {

/// Tells `act` of every room that has not been told of, whose water is too cold now.
template <class Act>
void for_each_new_drip(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors, const PlantState& state,
                       const Act& act) {
  const double outside_k = physics::weather_at(outdoors.weather, outdoors.start_s + state.time_s).dew_point_k;
  for (std::size_t room = 0; room < plant.rooms.size(); ++room) {
    if (plant.rooms[room].coil_node == no_part || state.equipment.is_dripping[room] != 0) continue;
    const double water_k = node_now_k(plant, state, plant.rooms[room].coil_node);
    const HumiditySpec& humidity = humidity_of_room(scenario, room);
    const double dew_k = dew_point_k(humidity, outside_k);
    if (is_too_cold(water_k, dew_k)) act(room, finding(water_k, dew_k, humidity.is_given));
  }
}

}  // namespace

void note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors, PlantState& state,
                       std::vector<EventRecord>& events) {
  for_each_new_drip(plant, scenario, outdoors, state, [&](std::size_t room, std::string text) {
    state.equipment.is_dripping[room] = 1;
    events.push_back({state.time_s, "condensation", plant.rooms[room].name, std::move(text)});
  });
}

bool would_note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors,
                             const PlantState& state) {
  bool would = false;
  for_each_new_drip(plant, scenario, outdoors, state, [&](std::size_t, std::string_view) { would = true; });
  return would;
}

}  // namespace wattloop::twin
