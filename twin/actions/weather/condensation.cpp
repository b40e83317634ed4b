#include "twin/actions/weather/condensation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

bool is_too_cold_for_coils(double water_k, double dew_point_k) {
  constexpr double rounding_k = 1e-6;  // water at the margin itself is warm enough
  return water_k < dew_point_k + condensation_margin_k - rounding_k;
}

std::string condensation_text(std::string_view water, double water_k, double dew_point_k, bool is_controlled) {
  return fmt::format(
      "{} {:.2f} degC is less than {:.0f} K above the dew point of {:.2f} degC{}", water, water_k - 273.15,
      condensation_margin_k, dew_point_k - 273.15,
      is_controlled ? "" : ", the dew point of the outdoor air, because the room has no humidity control");
}

namespace {

double node_now_k(const Plant& plant, const PlantState& state, std::size_t node) {
  const std::size_t signal = plant.nodes[node].temperature_signal;
  return plant.nodes[node].is_boundary() ? state.inputs[signal - plant.map.input(0)] : state.states[signal];
}

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
void for_each_new_drip(const Plant& plant, const Outdoors& outdoors, const PlantState& state, const Act& act) {
  const double outside_k = weather_now(plant, outdoors, state, state.time_s).dew_point_k;
  constexpr double noticeable_k = 0.5;
  std::size_t coils = 0, rooms = state.equipment.is_dripping.size() - plant.rooms.size();  // stand behind all coils
  for (std::size_t number = 0; number < plant.rooms.size(); ++number) {
    const RoomPart& room = plant.rooms[number];
    const double dew_k = room.dew_point_k.value_or(outside_k);
    for (const std::size_t node : room.coil_nodes) {
      const std::size_t here = coils++;
      const double water_k = node_now_k(plant, state, node);
      if (state.equipment.is_dripping[here] != 0 || !is_too_cold_for_coils(water_k, dew_k)) continue;
      act(here, room, "condensation",
          condensation_text(water_words(plant, room, node), water_k, dew_k, room.dew_point_k.has_value()));
    }
    const std::size_t here = rooms++;
    const double air_k = node_now_k(plant, state, room.node);
    const bool is_reported = room.coil_nodes.empty() || state.equipment.is_dripping[here] != 0;
    if (!is_reported && air_k < dew_k - noticeable_k) act(here, room, "out_of_range", over_saturated(air_k, dew_k));
  }
}

}  // namespace

std::vector<WaterAtCoils> waters_at_coils(const Plant& plant, double dew_point_outside_k, const PlantState& state) {
  std::vector<WaterAtCoils> waters;
  for (std::size_t number = 0; number < plant.rooms.size(); ++number) {
    const double dew_k = plant.rooms[number].dew_point_k.value_or(dew_point_outside_k);
    for (const std::size_t node : plant.rooms[number].coil_nodes)
      waters.push_back({plant.rooms[number].name,
                        std::ranges::find(plant.systems, node, &SystemPart::supply_node)->fluid,
                        node_now_k(plant, state, node), dew_k + condensation_margin_k});
  }
  return waters;
}

void note_condensation(const Plant& plant, const Outdoors& outdoors, PlantState& state,
                       std::vector<EventRecord>& events) {
  for_each_new_drip(plant, outdoors, state,
                    [&](std::size_t reported, const RoomPart& room, const char* kind, std::string text) {
                      state.equipment.is_dripping[reported] = 1;
                      events.push_back({state.time_s, kind, room.name, std::move(text)});
                    });
}

bool would_note_condensation(const Plant& plant, const Outdoors& outdoors, const PlantState& state) {
  bool would = false;
  for_each_new_drip(plant, outdoors, state,
                    [&](std::size_t, const RoomPart&, const char*, std::string_view) { would = true; });
  return would;
}

}  // namespace wattloop::twin
